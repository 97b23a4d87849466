/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/grouped.h"

#include "explore/dense/group/grouped_internal.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SPARSE = 1000 /* a group is sparse if at most one class in so many has a state */ };

uint64_t grouped_bytes(const struct dense_geometry *geometry, const struct grouping *grouping,
                       unsigned threads)
{
    uint64_t blocks = grouping->classes / plan_block_classes(geometry);
    return sizeof(struct grouped) + level_runner_bytes(threads) + borders_bytes(grouping) +
           threads * (sizeof(struct group_worker) + 2 * DENSE_EDGES_MAX * PULL_CROSSED) + grouping->classes +
           blocks * (2 * (2 + sizeof(uint32_t)) + DENSE_EDGES_MAX) + PLAN_BLOCK_MAX;
}

static uint8_t *open_window(void *context, unsigned number, uint32_t range)
{
    struct grouped *grouped = context;
    struct group_worker *worker = &grouped->workers[number];
    uint8_t *present = grouped->planes->present[1 - grouped->colour] + range * grouped->planes->range_blocks;
    uint8_t *window = grouped_plain(grouped, PIECE_NEXT, range);
    if (window == NULL)
        window = grouped_plain(grouped, PIECE_BEFORE, range);
    if (window == NULL)
        window = worker->window;
    uint64_t states = grouped_load(grouped, PIECE_BEFORE, range, worker->scratch, present, window);
    return states != UINT64_MAX ? window : NULL;
}

static bool close_window(void *context, unsigned number, uint32_t range, uint8_t *window)
{
    struct grouped *grouped = context;
    return grouped_save(grouped, 1 - grouped->colour, range, window, grouped->workers[number].scratch);
}

/* ---- life ---- */

enum pz_status grouped_new(const struct grouped_setup *setup, struct grouped **out, struct pz_error *error)
{
    struct grouped *grouped = aligned_alloc(64, sizeof *grouped);
    if (grouped == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for levels in groups");
    memset(grouped, 0, sizeof *grouped);
    grouped->setup = *setup;
    grouped->sending = NO_GROUP;
    grouped->windows = (struct planes_windows){grouped, open_window, close_window};
    grouped->workers = aligned_alloc(64, team_size(setup->team) * sizeof(struct group_worker));
    enum pz_status status = PZ_OK;
    if (grouped->workers == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for levels in groups");
    if (status == PZ_OK)
        status = planes_new_group(setup->plan, setup->grouping->digits, &grouped->planes, error);
    if (status == PZ_OK) {
        grouped->planes->windows = &grouped->windows;
        status = level_runner_new(&(const struct level_parts){.plan = setup->plan,
                                                              .planes = grouped->planes,
                                                              .kernel = setup->kernel,
                                                              .team = setup->team,
                                                              .control = setup->control},
                                  &grouped->runner, error);
    }
    if (status == PZ_OK)
        status = borders_new(setup->grouping, &setup->packets, &grouped->borders, error);
    if (status == PZ_OK)
        status = grouped_open_post(grouped, error);
    if (status != PZ_OK) {
        grouped_free(grouped);
        return status;
    }
    *out = grouped;
    return PZ_OK;
}

void grouped_free(struct grouped *grouped)
{
    if (grouped == NULL)
        return;
    mailbox_free(grouped->mailbox);
    borders_free(grouped->borders);
    level_runner_free(grouped->runner);
    planes_free(grouped->planes);
    free(grouped->workers);
    free(grouped);
}

/* ---- one group ---- */

static void load_now(struct grouped *grouped, uint32_t chunk, struct group_worker *worker)
{
    struct planes *planes = grouped->planes;
    assert(chunk < planes->ranges);
    uint32_t first = chunk * planes->range_blocks;
    uint64_t states =
        grouped_load(grouped, PIECE_NOW, chunk, worker->scratch, planes->present[grouped->colour] + first,
                     planes->bytes[grouped->colour] + (uint64_t)first * planes->block);
    planes->busy[grouped->colour][chunk] = states > 0;
    if (states == 0 || states == UINT64_MAX || !grouped->sparse)
        return;
    const struct plan *plan = grouped->setup.plan;
    const struct pull pull = {plan, planes, &plan->transition[1 - grouped->colour]};
    for (uint32_t i = first; i < planes_range_end(planes, chunk); i++)
        if (planes->present[grouped->colour][i] != 0)
            pull_reach(&pull, i);
}

/* Loads the chunks and packets of the current group, and sends the packets of the one before. */
static void member_prepare(void *context, unsigned number)
{
    struct grouped *grouped = context;
    struct group_worker *worker = &grouped->workers[number];
    uint32_t chunks = grouped->receiving != UINT32_MAX ? grouped->planes->ranges : 0;
    uint32_t receiving = grouped->receiving != UINT32_MAX ? grouped->receiving : 0;
    uint32_t sending = grouped->sending != NO_GROUP ? borders_packets(grouped->borders) : 0;
    for (;;) {
        uint32_t task = atomic_fetch_add_explicit(&grouped->next_task, 1, memory_order_relaxed);
        if (task < chunks)
            load_now(grouped, task, worker);
        else if (task - chunks < receiving) {
            if (!borders_receive(grouped->borders, task - chunks, worker->scratch))
                grouped_fail(grouped, PZ_STORAGE);
        } else if (task - chunks - receiving < sending) {
            grouped_fail(grouped, borders_send(grouped->borders, (uint32_t)grouped->sending,
                                               task - chunks - receiving, worker->scratch));
        } else
            return;
    }
}

static void run_prepare(struct grouped *grouped)
{
    atomic_store_explicit(&grouped->next_task, 0, memory_order_relaxed);
    team_run(grouped->setup.team, member_prepare, grouped);
    if (grouped->sending != NO_GROUP)
        grouped_forward(grouped, (uint32_t)grouped->sending);
    grouped->sending = NO_GROUP;
}

static void send_rest(struct grouped *grouped)
{
    grouped->receiving = UINT32_MAX;
    if (grouped->sending != NO_GROUP)
        run_prepare(grouped);
}

/* Hands the borders of the current group to the run edges that cross. */
static void set_borders(struct grouped *grouped)
{
    const struct plan_transition *transition = &grouped->setup.plan->transition[1 - grouped->colour];
    for (unsigned i = 0; i < transition->run_edges; i++) {
        grouped->planes->border[i] = NULL;
        for (unsigned j = 0; j < grouped->setup.grouping->crossings; j++)
            if (grouped->setup.grouping->crossing[j].edge.low == transition->run_edge[i].edge.low)
                grouped->planes->border[i] = borders_incoming(grouped->borders, j);
    }
}

/* In a sparse group, marks the blocks that its states lead to by edges with short runs inside the group. */
static void set_reached(struct grouped *grouped, uint32_t group)
{
    struct planes *planes = grouped->planes;
    const struct plan_transition *transition = &grouped->setup.plan->transition[1 - grouped->colour];
    uint64_t states = grouped->setup.pieces->states[PIECE_NOW][group];
    grouped->sparse = states < grouped->setup.grouping->classes / SPARSE;
    for (unsigned i = 0; i < transition->run_edges; i++) {
        const struct plan_run_edge *edge = &transition->run_edge[i];
        bool noted = grouped->sparse && edge->run_blocks == 0 && edge->edge.low >= planes->group_digits;
        planes->reached[i] = noted ? planes->reach + (size_t)i * planes->blocks : NULL;
        for (uint32_t block = 0; noted && block < planes->blocks; block++)
            atomic_store_explicit(&planes->reached[i][block], 0, memory_order_relaxed);
    }
}

/* Sets the plane that is read: a plain piece of the known level is read in place, others are decoded. */
static void set_plane(struct grouped *grouped)
{
    struct planes *planes = grouped->planes;
    uint8_t *plain = grouped_plain(grouped, PIECE_NOW, 0);
    planes->bytes[grouped->colour] = plain != NULL ? plain : planes->plane;
    planes->bytes[1 - grouped->colour] = NULL;
}

static bool tick(void *context, double done)
{
    struct grouped *grouped = context;
    double groups = grouped->setup.grouping->groups;
    if (grouped->mailbox != NULL)
        (void)mailbox_receive(grouped->mailbox);
    if (grouped->mailbox != NULL && mailbox_given_up(grouped->mailbox) != 0)
        return true;
    return grouped->tick != NULL && grouped->tick(grouped->tick_context, (grouped->group + done) / groups);
}

static enum pz_status make_group(struct grouped *grouped, uint32_t group, struct pz_error *error)
{
    struct pieces *pieces = grouped->setup.pieces;
    uint64_t states = 0;
    grouped->group = group;
    grouped->planes->first_block = group * grouped->planes->blocks;
    assert(group < grouped->setup.grouping->groups && grouped_is_own(grouped, group));
    enum pz_status status = pieces->ops->enter(pieces, group, error);
    if (status != PZ_OK)
        return status;
    set_plane(grouped);
    set_reached(grouped, group);
    run_prepare(grouped);
    set_borders(grouped);
    status = grouped_failed(grouped, error);
    if (status != PZ_OK)
        return status;
    const struct level_task task = {
        .target = 1 - grouped->colour, .width = UINT64_MAX, .tick = tick, .context = grouped};
    status = level_run(grouped->runner, &task, &states);
    if (grouped_failed(grouped, error) != PZ_OK)
        return grouped_failed(grouped, error);
    if (status != PZ_OK)
        return status;
    assert(states <= grouped->setup.grouping->classes * grouped->setup.plan->geometry->places);
    if (states > 0 && grouped->level + 1 < grouped->setup.depth)
        grouped->sending = group;
    return pieces->ops->leave(pieces, states, error);
}

/* ---- one level ---- */

/* Ends a level whose groups were made with that status. The new level becomes the known one if all went well
 * here, even if another rank has failed. */
static enum pz_status end_grouped_level(struct grouped *grouped, enum pz_status status,
                                        struct pz_error *error)
{
    if (status == PZ_OK) {
        send_rest(grouped);
        status = grouped_failed(grouped, error);
    }
    status = grouped_meet(grouped, status, error);
    if (status == PZ_OK)
        status = grouped->setup.pieces->ops->end_level(grouped->setup.pieces, error);
    if (status == PZ_OK) {
        grouped->colour = 1 - grouped->colour;
        grouped->level++;
        grouped->done = 0;
    }
    grouped_share_states(grouped, status == PZ_OK);
    return status;
}

/* Makes a group, or skips it if nothing leads there or if it is another rank's. */
static enum pz_status take_group(struct grouped *grouped, uint32_t group, struct pz_error *error)
{
    struct pieces *pieces = grouped->setup.pieces;
    assert(group >= grouped->done && group < grouped->setup.grouping->groups);
    if (!grouped_is_own(grouped, group))
        return pieces->ops->skip(pieces, group, error);
    grouped->receiving = borders_expect(grouped->borders, group);
    if (group + grouped_stride(grouped) < grouped->setup.grouping->groups)
        borders_ahead(grouped->borders, group + grouped_stride(grouped));
    if (grouped->receiving == 0 && pieces->states[PIECE_NOW][group] == 0)
        return pieces->ops->skip(pieces, group, error);
    return make_group(grouped, group, error);
}

enum pz_status grouped_level(struct grouped *grouped, level_tick *tick_function, void *context,
                             uint64_t *states, struct pz_error *error)
{
    struct pieces *pieces = grouped->setup.pieces;
    uint32_t groups = grouped->setup.grouping->groups;
    enum pz_status status = PZ_OK;
    grouped->tick = tick_function;
    assert(grouped->done <= groups);
    grouped->tick_context = context;
    borders_begin_level(grouped->borders, 1 - grouped->colour);
    for (uint32_t group = grouped->done; group < groups && status == PZ_OK; group++)
        status = take_group(grouped, group, error);
    status = end_grouped_level(grouped, status, error);
    *states = 0;
    for (uint32_t group = 0; group < groups && status == PZ_OK; group++)
        *states += pieces->states[PIECE_NOW][group];
    return status;
}

uint32_t grouped_group(const struct grouped *grouped)
{
    return grouped->group;
}

/* Puts the one state of level 0 where the kernel would have left it. */
static bool put_root(struct grouped *grouped, unsigned place)
{
    struct planes *planes = grouped->planes;
    unsigned colour = place % 2;
    uint8_t bit = (uint8_t)(1u << (place / 2));
    assert(place < grouped->setup.plan->geometry->places);
    struct group_worker *worker = &grouped->workers[0];
    memset(worker->window, 0, sizeof worker->window);
    worker->window[0] = bit;
    planes->present[colour][0] = bit;
    planes->count[colour][0] = 1;
    bool whole = true;
    for (uint32_t chunk = 0; chunk < planes->ranges; chunk++)
        whole &= grouped_save(grouped, colour, chunk, chunk == 0 ? worker->window : NULL, worker->scratch);
    return whole;
}

static enum pz_status make_root_group(struct grouped *grouped, unsigned place, struct pz_error *error)
{
    struct pieces *pieces = grouped->setup.pieces;
    enum pz_status status = pieces->ops->enter(pieces, 0, error);
    if (status != PZ_OK)
        return status;
    grouped->sending = 0;
    return put_root(grouped, place) ? pieces->ops->leave(pieces, 1, error) : grouped_failed(grouped, error);
}

enum pz_status grouped_begin(struct grouped *grouped, struct pz_error *error)
{
    struct pieces *pieces = grouped->setup.pieces;
    unsigned place = grouped->setup.plan->geometry->root_place;
    grouped->colour = 1 - place % 2; /* the level before, which is empty */
    borders_begin_level(grouped->borders, place % 2);
    grouped->level = UINT32_MAX; /* end_level adds 1 */
    enum pz_status status = pieces->ops->start_over(pieces, error);
    for (uint32_t group = 0; group < grouped->setup.grouping->groups && status == PZ_OK; group++)
        if (group == 0 && grouped_is_own(grouped, 0))
            status = make_root_group(grouped, place, error);
        else
            status = pieces->ops->skip(pieces, group, error);
    return end_grouped_level(grouped, status, error);
}

/* ---- going on ---- */

/* Extracts the bits that cross to other groups from the current group's piece. */
static void member_take_out(void *context, unsigned number)
{
    struct grouped *grouped = context;
    struct group_worker *worker = &grouped->workers[number];
    struct whole_chunk chunk;
    while (grouped_next_whole(grouped, grouped->age, worker, &chunk))
        borders_pack(grouped->borders, chunk.first, chunk.bytes, chunk.states > 0 ? worker->window : NULL);
}

/* Sends the crossing bits of the groups before `end` again, from a level that exists. */
static enum pz_status send_again(struct grouped *grouped, enum piece_age age, uint32_t end,
                                 struct pz_error *error)
{
    struct pieces *pieces = grouped->setup.pieces;
    const struct control *control = grouped->setup.control;
    enum pz_status status = PZ_OK;
    assert(age < PIECE_AGES && end <= grouped->setup.grouping->groups);
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
        team_run(grouped->setup.team, member_take_out, grouped);
        grouped->sending = group;
        send_rest(grouped);
        status = grouped_failed(grouped, error);
    }
    return status;
}

enum pz_status grouped_go_on(struct grouped *grouped, uint32_t level, struct pz_error *error)
{
    struct pieces *pieces = grouped->setup.pieces;
    grouped->level = level;
    grouped->colour = (grouped->setup.plan->geometry->root_place + level) % 2;
    enum pz_status status = pieces->ops->find(pieces, level, &grouped->done, error);
    borders_begin_level(grouped->borders, grouped->colour);
    if (status == PZ_OK)
        status = send_again(grouped, PIECE_NOW, grouped->setup.grouping->groups, error);
    status = grouped_meet(grouped, status, error);
    grouped_share_states(grouped, status == PZ_OK);
    borders_begin_level(grouped->borders, 1 - grouped->colour);
    if (status == PZ_OK)
        status = send_again(grouped, PIECE_NEXT, grouped->done, error);
    status = grouped_meet(grouped, status, error);
    for (uint32_t group = 0; group < grouped->done && status == PZ_OK; group++)
        borders_drop(grouped->borders, group);
    return status;
}
