/* SPDX-License-Identifier: MIT */
/* How levels in groups begin: at the root, or where a search was cut off. */
#include "explore/dense/group/grouped.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

/* Returns the bits of level 0: the root's place, or by orbits its line and its column. */
static struct orbits_root root_bits(const struct grouped *grouped)
{
    const struct dense_geometry *geometry = &grouped->base.geometry;
    const uint8_t bit = geometry->root_place / 2;
    return grouped->orbits != NULL ? orbits_root(geometry) : (struct orbits_root){.bit = {bit, bit}};
}

/* Puts level 0 where the kernel would have left it. */
static bool put_root(struct grouped *grouped, uint32_t group)
{
    struct planes *planes = grouped->planes;
    const struct orbits_root root = root_bits(grouped);
    const unsigned colour = grouped->orbits != NULL ? 1 : grouped->base.geometry.root_place % 2;
    struct group_worker *worker = &grouped->workers[0];
    bool whole = true;
    for (uint32_t chunk = 0; chunk < planes->ranges; chunk++) {
        const uint32_t first = chunk * planes->range_blocks;
        const uint32_t blocks = planes_range_end(planes, chunk) - first;
        bool holds = false;
        memset(worker->window, 0, sizeof worker->window);
        memset(planes->present[colour] + first, 0, blocks);
        memset(planes->count[colour] + first, 0, blocks * sizeof *planes->count[colour]);
        for (unsigned i = 0; i < 2; i++) {
            const uint64_t at = root.number[i] % grouped->grouping.classes;
            const uint64_t block = at / planes->block;
            if (root.number[i] / grouped->grouping.classes != group || block / planes->range_blocks != chunk)
                continue;
            uint8_t *byte = &worker->window[at - (uint64_t)chunk * planes->range_blocks * planes->block];
            const uint8_t bit = (uint8_t)(1u << root.bit[i]);
            if ((*byte & bit) == 0)
                planes->count[colour][block]++;
            *byte |= bit;
            planes->present[colour][block] |= *byte;
            holds = true;
        }
        whole = grouped_save(grouped, colour, chunk, holds ? worker->window : NULL, worker->scratch) && whole;
    }
    return whole;
}

static enum pz_status make_root_group(struct grouped *grouped, uint32_t group, struct pz_error *error)
{
    struct pieces *pieces = grouped->pieces;
    const struct dense_geometry *geometry = &grouped->base.geometry;
    const struct orbits_root root = root_bits(grouped);
    const uint64_t first = group * grouped->grouping.classes;
    uint64_t count = root.number[0] - first < grouped->grouping.classes;
    if (grouped->orbits != NULL)
        count += root.number[1] - first < grouped->grouping.classes;
    if (!grouped_is_own(grouped, group) || count == 0)
        return pieces->ops->skip(pieces, group, error);
    enum pz_status status = pieces->ops->enter(pieces, group, error);
    if (status != PZ_OK)
        return status;
    grouped_send_rest(grouped);
    grouped->sending = group;
    if (!put_root(grouped, group))
        return grouped_failed(grouped, error);
    const struct pieces_tally tally = {.fresh = 1, .rest = geometry->width - 1u};
    return pieces->ops->leave(pieces, count, group == 0 ? &tally : NULL, error);
}

enum pz_status grouped_begin(struct explorer *explorer, struct pz_error *error)
{
    struct grouped *grouped = grouped_of(explorer);
    struct pieces *pieces = grouped->pieces;
    explorer->width = 1;
    grouped->colour = 1 - grouped->base.geometry.root_place % 2; /* the level before, which is empty */
    grouped_begin_boundary(grouped, 0);
    enum pz_status status = pieces->ops->start_over(pieces, error);
    memset(pieces->tally, 0, sizeof pieces->tally);
    for (uint32_t group = 0; group < grouped->grouping.groups && status == PZ_OK; group++)
        status = make_root_group(grouped, group, error);
    status = grouped_end_level(grouped, status, error);
    if (status == PZ_OK && grouped->orbits != NULL)
        orbits_end_level(grouped->orbits, 0, 2);
    return status;
}

/* ---- going on ---- */

/* Extracts the bits that cross to other groups from the current group's piece. */
static void worker_take_out(void *context, unsigned number)
{
    struct grouped *grouped = context;
    struct group_worker *worker = &grouped->workers[number];
    struct whole_chunk chunk;
    while (grouped_next_whole(grouped, grouped->age, worker, &chunk))
        for (unsigned way = 0; way < grouped->ways; way++)
            boundary_pack(grouped->boundary[way], chunk.first, chunk.bytes,
                          chunk.states > 0 ? worker->window : NULL);
}

/* Sends the crossing bits of the groups before `end` again, from a level that exists. */
static enum pz_status send_again(struct grouped *grouped, enum piece_age age, uint32_t end,
                                 struct pz_error *error)
{
    struct pieces *pieces = grouped->pieces;
    const struct control *control = grouped->base.options.control;
    enum pz_status status = PZ_OK;
    assert(age < PIECE_AGES && end <= grouped->grouping.groups);
    for (uint32_t group = 0; group < end && status == PZ_OK; group++) {
        if (pieces->states[age][group] == 0)
            continue;
        status = pieces->ops->look(pieces, age, group, error);
        if (status != PZ_OK)
            return status;
        if (control != NULL && control_stopped(control))
            return pz_fail(error, PZ_CANCELLED, "cancelled");
        grouped->group = group;
        grouped->age = age;
        atomic_store_explicit(&grouped->next_task, 0, memory_order_relaxed);
        team_run(grouped->base.team, worker_take_out, grouped);
        grouped->sending = group;
        grouped_send_rest(grouped);
        status = grouped_failed(grouped, error);
    }
    return status;
}

enum pz_status grouped_go_on(struct grouped *grouped, uint32_t level, struct pz_error *error)
{
    struct pieces *pieces = grouped->pieces;
    grouped->colour = grouped->orbits != NULL ? 0 : levels_colour(&grouped->base, level);
    enum pz_status status = pieces->ops->find(pieces, level, &grouped->done, error);
    grouped_begin_boundary(grouped, level);
    if (status == PZ_OK)
        status = send_again(grouped, PIECE_NOW, grouped->grouping.groups, error);
    status = grouped_meet(grouped, status, error);
    grouped_share_states(grouped, status == PZ_OK);
    grouped_begin_boundary(grouped, level + 1);
    if (status == PZ_OK)
        status = send_again(grouped, PIECE_NEXT, grouped->done, error);
    status = grouped_meet(grouped, status, error);
    for (uint32_t group = 0; group < grouped->done && status == PZ_OK; group++)
        for (unsigned way = 0; way < grouped->ways; way++)
            boundary_drop(grouped->boundary[way], group);
    return status;
}
