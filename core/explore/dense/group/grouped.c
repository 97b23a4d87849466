/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/grouped.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SPARSE = 1000 /* a group is sparse if at most one class in so many has a state */ };

uint64_t grouped_bytes(const struct dense_geometry *geometry, const struct grouping *grouping,
                       unsigned threads)
{
    uint64_t blocks = grouping->classes / plan_block_classes(geometry);
    const uint64_t runner = geometry->multi
                                ? orbits_bytes(geometry, grouping->classes, threads)
                                : level_runner_bytes(threads) + threads * 2 * DENSE_EDGES_MAX * PULL_CROSSED;
    return sizeof(struct grouped) + runner + (geometry->multi ? 2 : 1) * boundary_bytes(grouping) +
           threads * sizeof(struct group_worker) + grouping->classes +
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

/* Makes what makes a group's next level. */
static enum pz_status open_runner(struct grouped *grouped, struct pz_error *error)
{
    const struct dense_levels *base = &grouped->base;
    const struct level_parts parts = {.plan = base->plan,
                                      .planes = grouped->planes,
                                      .kernel = base->kernel,
                                      .team = base->team,
                                      .control = base->options.control};
    grouped->planes->windows = &grouped->windows;
    return base->geometry.orbits ? orbits_new(&parts, base->options.request->seed, &grouped->orbits, error)
                                 : level_runner_new(&parts, &grouped->runner, error);
}

enum pz_status grouped_make(struct grouped *grouped, struct pz_error *error)
{
    const struct dense_levels *base = &grouped->base;
    const struct packet_store packets = {grouped->arena, grouped->spill};
    grouped->sending = NO_GROUP;
    grouped->windows = (struct planes_windows){grouped, open_window, close_window};
    grouped->workers = aligned_alloc(64, team_size(base->team) * sizeof(struct group_worker));
    enum pz_status status = PZ_OK;
    if (grouped->workers == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for levels in groups");
    if (status == PZ_OK)
        status = planes_new_group(base->plan, grouped->grouping.digits, &grouped->planes, error);
    if (status == PZ_OK)
        status = open_runner(grouped, error);
    grouped->ways = grouped->orbits != NULL ? 2 : 1;
    for (unsigned way = 0; way < grouped->ways && status == PZ_OK; way++)
        status = boundary_new(&grouped->grouping, &packets,
                              grouped->orbits != NULL ? (enum boundary_way)way : BOUNDARY_BY_COLOUR,
                              &grouped->boundary[way], error);
    if (status == PZ_OK && grouped->ways == 2)
        boundary_oppose(grouped->boundary[0], grouped->boundary[1]);
    return status == PZ_OK ? grouped_open_post(grouped, error) : status;
}

void grouped_clear(struct grouped *grouped)
{
    mailbox_free(grouped->mailbox);
    boundary_free(grouped->boundary[0]);
    boundary_free(grouped->boundary[1]);
    level_runner_free(grouped->runner);
    orbits_free(grouped->orbits);
    planes_free(grouped->planes);
    free(grouped->workers);
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
    if (states == 0 || states == UINT64_MAX || !grouped->sparse || grouped->orbits != NULL)
        return;
    const struct plan *plan = grouped->base.plan;
    const struct pull pull = {plan, planes, &plan->transition[1 - grouped->colour],
                              &plan->transition[grouped->colour]};
    for (uint32_t i = first; i < planes_range_end(planes, chunk); i++)
        if (planes->present[grouped->colour][i] != 0)
            pull_reach(&pull, i);
}

/* Takes a task from those of each way. Returns the way and the task of it; .way is 2 if they are fewer. */
struct way_task {
    unsigned way;
    uint32_t task;
};
static struct way_task task_of_way(const struct grouped *grouped, uint32_t task, const uint32_t tasks[2])
{
    unsigned way = 0;
    for (; way < grouped->ways && task >= tasks[way]; way++)
        task -= tasks[way];
    return (struct way_task){way, task};
}

/* Loads the chunks and packets of the current group, and sends the packets of the one before. */
static void worker_prepare(void *context, unsigned number)
{
    struct grouped *grouped = context;
    struct group_worker *worker = &grouped->workers[number];
    const uint32_t chunks = grouped->loading ? grouped->planes->ranges : 0;
    uint32_t sending[2] = {0}, receiving = 0;
    for (unsigned way = 0; way < grouped->ways; way++) {
        receiving += grouped->receiving[way];
        sending[way] = grouped->sending != NO_GROUP ? boundary_packets(grouped->boundary[way]) : 0;
    }
    for (;;) {
        uint32_t task = atomic_fetch_add_explicit(&grouped->next_task, 1, memory_order_relaxed);
        if (task < chunks) {
            load_now(grouped, task, worker);
            continue;
        }
        const struct way_task in = task_of_way(grouped, task - chunks, grouped->receiving);
        if (in.way < grouped->ways) {
            if (!boundary_receive(grouped->boundary[in.way], in.task, worker->scratch))
                grouped_fail(grouped, PZ_STORAGE);
            continue;
        }
        const struct way_task out = task_of_way(grouped, task - chunks - receiving, sending);
        if (out.way == grouped->ways)
            return;
        grouped_fail(grouped, boundary_send(grouped->boundary[out.way], (uint32_t)grouped->sending, out.task,
                                            worker->scratch));
    }
}

static void run_prepare(struct grouped *grouped)
{
    atomic_store_explicit(&grouped->next_task, 0, memory_order_relaxed);
    team_run(grouped->base.team, worker_prepare, grouped);
    if (grouped->sending != NO_GROUP)
        grouped_forward(grouped, (uint32_t)grouped->sending);
    grouped->sending = NO_GROUP;
}

void grouped_send_rest(struct grouped *grouped)
{
    grouped->loading = false;
    grouped->receiving[0] = grouped->receiving[1] = 0;
    if (grouped->sending != NO_GROUP)
        run_prepare(grouped);
}

/* Hands the boundary of the current group to the run edges that cross. */
static void set_boundary(struct grouped *grouped)
{
    const unsigned number = grouped->orbits != NULL ? 0 : 1 - grouped->colour;
    const struct plan_transition *transition = &grouped->base.plan->transition[number];
    for (unsigned i = 0; i < transition->run_edges; i++) {
        const struct plan_run_edge *edge = &transition->run_edge[i];
        const unsigned way = grouped->orbits != NULL && edge->upward ? BOUNDARY_UP : BOUNDARY_DOWN;
        grouped->planes->boundary[i] = NULL;
        for (unsigned j = 0; j < grouped->grouping.crossings; j++)
            if (grouped->grouping.crossing[j].edge.low == edge->edge.low)
                grouped->planes->boundary[i] = boundary_incoming(grouped->boundary[way], j);
    }
}

/* In a sparse group, marks the blocks that its states lead to by edges with short runs inside the group. */
static void set_reached(struct grouped *grouped, uint32_t group)
{
    struct planes *planes = grouped->planes;
    const struct plan_transition *transition = &grouped->base.plan->transition[1 - grouped->colour];
    uint64_t states = grouped->pieces->states[PIECE_NOW][group];
    grouped->sparse = states < grouped->grouping.classes / SPARSE;
    if (grouped->orbits != NULL)
        return;
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
    double groups = grouped->grouping.groups;
    if (grouped->mailbox != NULL)
        (void)mailbox_receive(grouped->mailbox);
    if (grouped->mailbox != NULL && mailbox_given_up(grouped->mailbox) != 0)
        return true;
    return grouped->tick != NULL && grouped->tick(grouped->tick_context, (grouped->group + done) / groups);
}

static enum pz_status make_group(struct grouped *grouped, uint32_t group, struct pz_error *error)
{
    struct pieces *pieces = grouped->pieces;
    struct orbits_counts counts = {0};
    grouped->group = group;
    grouped->planes->first_block = group * grouped->planes->blocks;
    assert(group < grouped->grouping.groups && grouped_is_own(grouped, group));
    enum pz_status status = pieces->ops->enter(pieces, group, error);
    if (status != PZ_OK)
        return status;
    set_plane(grouped);
    set_reached(grouped, group);
    grouped->loading = true;
    run_prepare(grouped);
    set_boundary(grouped);
    status = grouped_failed(grouped, error);
    if (status != PZ_OK)
        return status;
    const struct level_task task = {
        .target = 1 - grouped->colour, .width = UINT64_MAX, .tick = tick, .context = grouped};
    status = grouped->orbits != NULL ? orbits_run(grouped->orbits, grouped->sparse, tick, grouped, &counts)
                                     : level_run(grouped->runner, &task, &counts.orbits);
    if (grouped_failed(grouped, error) != PZ_OK)
        return grouped_failed(grouped, error);
    if (status != PZ_OK)
        return status;
    assert(counts.orbits <= grouped->grouping.classes * grouped->base.geometry.places);
    if (counts.orbits > 0 && grouped->base.base.level + 1 < grouped->base.options.request->depth)
        grouped->sending = group;
    return pieces->ops->leave(pieces, counts.orbits, &(struct pieces_tally){counts.fresh, counts.rest},
                              error);
}

/* ---- one level ---- */

void grouped_begin_boundary(struct grouped *grouped, uint32_t level)
{
    for (unsigned way = 0; way < grouped->ways; way++)
        boundary_begin_level(grouped->boundary[way], (grouped->base.geometry.root_place + level) % 2);
}

enum pz_status grouped_end_level(struct grouped *grouped, enum pz_status status, struct pz_error *error)
{
    if (status == PZ_OK) {
        grouped_send_rest(grouped);
        status = grouped_failed(grouped, error);
    }
    status = grouped_meet(grouped, status, error);
    if (status == PZ_OK)
        status = grouped->pieces->ops->end_level(grouped->pieces, error);
    if (status == PZ_OK) {
        grouped->colour = grouped->orbits != NULL ? 0 : 1 - grouped->colour;
        grouped->done = 0;
    }
    grouped_share_states(grouped, status == PZ_OK);
    return status;
}

/* Makes a group, or skips it if nothing leads there or if it is another rank's. */
static enum pz_status take_group(struct grouped *grouped, uint32_t group, struct pz_error *error)
{
    struct pieces *pieces = grouped->pieces;
    assert(group >= grouped->done && group < grouped->grouping.groups);
    if (!grouped_is_own(grouped, group))
        return pieces->ops->skip(pieces, group, error);
    for (unsigned way = 0; way < grouped->ways; way++) {
        grouped->receiving[way] = boundary_expect(grouped->boundary[way], group);
        if (group + grouped_stride(grouped) < grouped->grouping.groups)
            boundary_ahead(grouped->boundary[way], group + grouped_stride(grouped));
    }
    if (grouped->receiving[0] + grouped->receiving[1] == 0 && pieces->states[PIECE_NOW][group] == 0)
        return pieces->ops->skip(pieces, group, error);
    return make_group(grouped, group, error);
}

enum pz_status grouped_next(struct explorer *explorer, level_tick *tick_function, void *context,
                            struct pz_error *error)
{
    struct grouped *grouped = grouped_of(explorer);
    struct pieces *pieces = grouped->pieces;
    uint32_t groups = grouped->grouping.groups;
    enum pz_status status = PZ_OK;
    uint64_t states = 0;
    grouped->tick = tick_function;
    assert(grouped->done <= groups);
    grouped->tick_context = context;
    grouped_begin_boundary(grouped, explorer->level + 1);
    for (uint32_t group = grouped->done; group < groups && status == PZ_OK; group++)
        status = take_group(grouped, group, error);
    status = grouped_end_level(grouped, status, error);
    if (status != PZ_OK)
        return status;
    for (uint32_t group = 0; group < groups; group++)
        states += pieces->states[PIECE_NOW][group];
    if (grouped->orbits != NULL) {
        orbits_end_level(grouped->orbits, explorer->level + 1, states);
        states = pieces->tally[PIECE_NOW].fresh + pieces->tally[PIECE_BEFORE].rest;
    }
    levels_take(&grouped->base, states);
    return PZ_OK;
}

struct orbit_examples *grouped_orbit_examples(const struct grouped *grouped)
{
    return grouped->orbits != NULL ? orbits_examples(grouped->orbits) : NULL;
}
