/* SPDX-License-Identifier: MIT */
/* Reads states from finished levels: examples, and marks of all states in the kept levels.
 */
#include "explore/dense/group/grouped.h"

#include <assert.h>
#include <string.h>

/* ---- examples ---- */

/* Finds the state of that number in a group. */
static enum pz_status find_state(struct grouped *grouped, enum piece_age age, uint32_t group, uint64_t number,
                                 struct examples_place *out, struct pz_error *error)
{
    struct planes *planes = grouped->planes;
    struct group_worker *worker = &grouped->workers[0];
    struct pieces *pieces = grouped->pieces;
    uint32_t chunk;
    enum pz_status status = pieces->ops->look_state(pieces, age, group, &number, &chunk, error);
    if (status != PZ_OK)
        return status;
    assert(chunk < planes->ranges);
    grouped->group = group;
    if (grouped_load_whole(grouped, age, chunk, worker->scratch, planes->present[grouped->colour],
                           worker->window) == UINT64_MAX)
        return grouped_failed(grouped, error);
    *out = examples_find(worker->window, number, age == PIECE_NOW ? grouped->colour : 1 - grouped->colour);
    out->number += group * grouped->grouping.classes + (uint64_t)chunk * planes->range_blocks * planes->block;
    return PZ_OK;
}

enum pz_status grouped_examples(struct dense_levels *levels, uint32_t level, struct examples *examples,
                                struct pz_error *error)
{
    struct grouped *grouped = grouped_of(&levels->base);
    struct pieces *pieces = grouped->pieces;
    enum piece_age age = level == levels->base.level ? PIECE_NOW : PIECE_BEFORE;
    assert(level == levels->base.level || level + 1 == levels->base.level);
    const struct orbit_examples *known = grouped_orbit_examples(grouped);
    if (known != NULL) {
        examples->count = known->count[level % 2] < examples->most ? known->count[level % 2] : examples->most;
        memcpy(examples->chosen, known->chosen[level % 2], examples->count * sizeof *examples->chosen);
        return PZ_OK;
    }
    const uint64_t *held = pieces->states[age];
    struct examples_place *chosen = examples->chosen;
    uint64_t before = 0; /* states in the groups before this one */
    unsigned done = 0;
    enum pz_status status = PZ_OK;
    examples_draw(examples);
    for (uint32_t group = 0; done < examples->count && group < grouped->grouping.groups; group++) {
        uint64_t here = held[group];
        bool own = grouped_is_own(grouped, group);
        for (; done < examples->count && chosen[done].number < before + here; done++)
            if (!own)
                chosen[done].place = NOT_HERE;
            else if (status == PZ_OK)
                status = find_state(grouped, age, group, chosen[done].number - before, &chosen[done], error);
        before += here;
    }
    grouped_share_chosen(grouped, examples);
    return status;
}

/* ---- marks ---- */

/* Adds the chunks of one kept level to the marks. */
static void worker_mark(void *context, unsigned number)
{
    struct grouped *grouped = context;
    struct group_worker *worker = &grouped->workers[number];
    struct whole_chunk chunk;
    while (grouped_next_whole(grouped, PIECE_NOW, worker, &chunk)) {
        uint8_t *marks = grouped->marking + chunk.first;
        for (uint64_t i = 0; chunk.states > 0 && i < chunk.bytes; i++)
            marks[i] |= worker->window[i];
    }
}

enum pz_status grouped_mark(struct grouped *grouped, uint32_t group, struct pz_error *error)
{
    struct pieces *pieces = grouped->pieces;
    uint32_t levels = pieces->ops->kept(pieces);
    enum pz_status status = PZ_OK;
    assert(group < grouped->grouping.groups && levels <= PIECES_KEPT_MAX + 2);
    for (unsigned colour = 0; colour < 2; colour++)
        memset(grouped->marks[colour], 0, grouped->grouping.classes);
    grouped->group = group;
    for (uint32_t number = 0; number < levels && status == PZ_OK; number++) {
        uint32_t level = 0;
        status = pieces->ops->find_kept(pieces, group, number, &level, error);
        if (status != PZ_OK)
            return status;
        grouped->marking = grouped->marks[levels_colour(&grouped->base, level)];
        atomic_store_explicit(&grouped->next_task, 0, memory_order_relaxed);
        team_run(grouped->base.team, worker_mark, grouped);
        status = grouped_failed(grouped, error);
    }
    return status;
}
