/* SPDX-License-Identifier: MIT */
/*
 * Dijkstra's algorithm with a stack for each cost (Dial). A state's cost is final when it is popped at that
 * cost; an entry that a cheaper way has made stale is skipped. A level is made by emptying its stack; moves
 * of cost 0 push more states onto it meanwhile. Costs that no state has are passed over. A search from all
 * goals first visits all states, and then runs the same algorithm against the direction of the moves.
 */
#include "explore/costs/costs.h"

#include "explore/costs/back_edges.h"
#include "explore/costs/cost_queue.h"
#include "explore/costs/sorted_table.h"
#include "explore/sample/bottom_k.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    POLL_STATES = 1024, /* between two looks at the control */
    FIRST_BYTES = 2 << 20
};
#define COST_UNREACHED UINT32_MAX
#define COST_FAR       (UINT32_MAX - 1) /* only paths of more than EXPLORE_COST_MAX are known */
static_assert(EXPLORE_COST_MAX + 1 < COST_FAR, "dead states have a distance, too");

struct costs {
    struct explorer base;
    struct explorer_setup setup;
    struct state_table table; /* of own: struct costs_own */
    struct cost_queue queue;
    struct brood brood;
    struct back_edges edges; /* from=goals: once all are visited */
    bool backwards;          /* true: moves are followed against their direction, by edges */
    uint32_t before, begin;  /* in the order: where the level before the newest begins, and the newest */
    uint32_t reached;        /* states that have their level */
    uint32_t found;          /* states that a path of at most EXPLORE_COST_MAX leads to */
    uint32_t far;            /* states at COST_FAR */
    uint64_t generated;
    struct bottom_k sample;
    struct sorted_table sorted;
};

static struct costs *of(struct explorer *explorer)
{
    return (struct costs *)explorer;
}

static struct costs_own *own_of(const struct costs *costs, uint32_t number)
{
    return costs_own_at(&costs->table, number);
}

/* ---- a level ---- */

/* Records a path to a state that has a number. Returns false without memory. */
static bool offer(struct costs *costs, uint32_t number, uint64_t cost)
{
    uint32_t *known = &own_of(costs, number)->cost;
    if (cost > EXPLORE_COST_MAX) {
        costs->far += *known == COST_UNREACHED;
        *known = *known == COST_UNREACHED ? COST_FAR : *known;
        return true;
    }
    if (cost >= *known)
        return true;
    costs->found += *known >= COST_FAR;
    costs->far -= *known == COST_FAR;
    *known = (uint32_t)cost;
    return cost_queue_push(&costs->queue, number, *known);
}

static bool offer_state(struct costs *costs, const void *state, uint64_t cost)
{
    const uint32_t before = costs->table.count;
    const uint32_t number = state_table_add(&costs->table, state);
    if (number == STATE_TABLE_NONE)
        return false;
    if (number == before)
        own_of(costs, number)->cost = COST_UNREACHED;
    return offer(costs, number, cost);
}

static bool expand_forwards(struct costs *costs, uint32_t number, uint64_t cost)
{
    const unsigned count = brood_make(&costs->brood, state_table_at(&costs->table, number));
    costs->generated += count;
    for (unsigned i = 0; i < count; i++)
        if (!offer_state(costs, brood_state(&costs->brood, i), cost + costs->brood.costs[i]))
            return false;
    return true;
}

static bool expand_backwards(struct costs *costs, uint32_t number, uint64_t cost)
{
    const struct back_edges *edges = &costs->edges;
    for (uint64_t i = edges->first[number]; i < edges->first[number + 1]; i++)
        if (!offer(costs, edges->sources[i], cost + edges->costs[i]))
            return false;
    return true;
}

/* Once in a while reports how many states there are, and asks if it should go on. */
static enum pz_status poll_at(struct costs *costs, uint64_t step)
{
    if (step % POLL_STATES != 0)
        return PZ_OK;
    costs->setup.monitor->progress.states = costs->table.count;
    return monitor_poll(costs->setup.monitor);
}

/* Empties the stack of a cost. */
static enum pz_status make_level(struct costs *costs, uint32_t level)
{
    uint32_t number;
    while ((number = cost_queue_pop(&costs->queue, level)) != COST_QUEUE_NONE) {
        if (own_of(costs, number)->cost != level)
            continue;
        own_of(costs, costs->reached++)->order = number;
        if (!(costs->backwards ? expand_backwards : expand_forwards)(costs, number, level))
            return PZ_MEMORY;
        const enum pz_status status = poll_at(costs, costs->reached);
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

static void note_level(struct costs *costs, uint32_t begin, uint32_t level)
{
    costs->before = costs->begin;
    costs->begin = begin;
    costs->base.level = level;
    costs->base.width = costs->reached - begin;
}

/* Makes level 0, which may have no state. */
static enum pz_status make_first(struct costs *costs)
{
    const enum pz_status status = make_level(costs, 0);
    if (status == PZ_OK)
        note_level(costs, 0, 0);
    return status;
}

/* Empties the lowest stack that has a state, and makes this cost the newest level; the one after the last if
 * there is none. A level that could not be made leaves the one before as it was. */
static enum pz_status take_level(struct costs *costs)
{
    const uint32_t begin = costs->reached;
    uint32_t level = costs->base.level + 1, lowest;
    while (costs->reached == begin && cost_queue_lowest(&costs->queue, &lowest)) {
        if (lowest > costs->setup.request->depth) {
            costs->base.limit = STOP_DEPTH;
            return PZ_LIMIT;
        }
        const enum pz_status status = make_level(costs, level = lowest);
        if (status == PZ_OK)
            continue;
        costs->reached = begin;
        return status;
    }
    if (costs->reached == begin && costs->far > 0) {
        costs->base.limit = STOP_LEVELS;
        return PZ_LIMIT;
    }
    note_level(costs, begin, level);
    return PZ_OK;
}

/* ---- level 0 ---- */

/* Adds all states that have a number. */
static enum pz_status add_numbered(struct costs *costs)
{
    const struct pz_space *space = costs->setup.request->space;
    const uint64_t count = space_count(space);
    uint64_t state[PZ_STATE_MAX / 8];
    enum pz_status status = PZ_OK;
    for (uint64_t number = 0; number < count && status == PZ_OK; number++) {
        space->puzzle->unrank(space, number, state);
        status =
            state_table_add(&costs->table, state) == STATE_TABLE_NONE ? PZ_MEMORY : poll_at(costs, number);
    }
    return status;
}

/* Visits all states that the root reaches, in any order; or all that there are. */
static enum pz_status visit_all(struct costs *costs)
{
    const bool added = state_table_add(&costs->table, costs->setup.request->root) != STATE_TABLE_NONE;
    enum pz_status status = added ? PZ_OK : PZ_MEMORY;
    if (status == PZ_OK && space_is_whole_from_goals(costs->setup.request->space))
        status = add_numbered(costs);
    for (uint32_t i = 0; i < costs->table.count && status == PZ_OK; i++) {
        const unsigned count = brood_make(&costs->brood, state_table_at(&costs->table, i));
        costs->generated += count;
        for (unsigned k = 0; k < count && status == PZ_OK; k++)
            if (state_table_add(&costs->table, brood_state(&costs->brood, k)) == STATE_TABLE_NONE)
                status = PZ_MEMORY;
        if (status == PZ_OK)
            status = poll_at(costs, i);
    }
    return status;
}

static enum pz_status begin_at_goals(struct costs *costs)
{
    const struct pz_space *space = costs->setup.request->space;
    enum pz_status status = visit_all(costs);
    if (status == PZ_OK)
        status = back_edges_make(&costs->edges, &costs->table, &costs->brood, costs->setup.monitor);
    if (status != PZ_OK)
        return status;
    costs->backwards = true;
    for (uint32_t i = 0; i < costs->table.count; i++) {
        own_of(costs, i)->cost = COST_UNREACHED;
        if (space->puzzle->is_goal(space, state_table_at(&costs->table, i)) && !offer(costs, i, 0))
            return PZ_MEMORY;
    }
    return make_first(costs);
}

static enum pz_status begin_at_root(struct costs *costs)
{
    return offer_state(costs, costs->setup.request->root, 0) ? make_first(costs) : PZ_MEMORY;
}

static enum pz_status begin(struct explorer *explorer, struct pz_error *error)
{
    struct costs *costs = of(explorer);
    const bool goals = costs->setup.request->from == FROM_GOALS;
    const enum pz_status status = goals ? begin_at_goals(costs) : begin_at_root(costs);
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "cancelled before the first level was known");
    if (status == PZ_LIMIT || status == PZ_MEMORY) {
        explorer->limit = status == PZ_LIMIT ? STOP_TIME : STOP_MEMORY;
        return PZ_LIMIT;
    }
    return status;
}

/* ---- levels ---- */

static enum pz_status next(struct explorer *explorer, level_tick *tick, void *context, struct pz_error *error)
{
    (void)tick;
    (void)context;
    (void)error;
    return take_level(of(explorer));
}

static bool exhausted(struct explorer *explorer)
{
    const struct costs *costs = of(explorer);
    return costs->reached == costs->found && costs->far == 0;
}

/* ---- examples ---- */

static enum pz_status choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                             unsigned *count, struct pz_error *error)
{
    struct costs *costs = of(explorer);
    const size_t bytes = costs->table.state_bytes;
    const uint64_t seed = costs->setup.request->seed;
    const bool newest = level == explorer->level;
    const uint32_t begin = newest ? costs->begin : costs->before;
    const uint32_t end = newest ? costs->reached : costs->begin;
    (void)error;
    bottom_k_empty(&costs->sample);
    costs->sample.limit = most;
    for (uint32_t i = begin; i < end; i++) {
        uint64_t key[KEY_WORDS_MAX];
        mix_bytes(state_table_at(&costs->table, own_of(costs, i)->order), bytes, key);
        const unsigned words = (unsigned)(bytes / sizeof *key);
        bottom_k_offer(&costs->sample, bottom_k_hash(key, seed, words), key, words);
    }
    bottom_k_sort(&costs->sample);
    for (unsigned i = 0; i < costs->sample.count; i++)
        unmix_bytes(costs->sample.entries[i].key, bytes, states + i * bytes);
    *count = costs->sample.count;
    return PZ_OK;
}

/* ---- after the last level ---- */

/* Sets the dead states' distance in the table: one more than the last level. */
static void place_dead(struct costs *costs, uint32_t depth)
{
    for (uint32_t i = 0; i < costs->table.count; i++)
        if (own_of(costs, i)->cost == COST_UNREACHED)
            own_of(costs, i)->cost = depth + 1;
}

static enum pz_status run(struct explorer *explorer, struct explore_run *out, struct pz_error *error)
{
    struct costs *costs = of(explorer);
    const struct explore_result *result = costs->setup.result;
    const bool dead = costs->backwards && result->complete;
    if (costs->sorted.table == NULL) {
        if (dead)
            place_dead(costs, result->depth);
        if (!sorted_table_init(&costs->sorted, &costs->table, result->depth + dead))
            return pz_fail(error, PZ_MEMORY, "no memory to write the table");
    }
    return sorted_table_next(&costs->sorted, out) ? PZ_OK
                                                  : pz_fail(error, PZ_MEMORY, "no memory to write the table");
}

static void figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct costs *costs = (const struct costs *)explorer;
    out->states = costs->table.count;
    out->generated = costs->generated;
    if (costs->backwards && costs->reached == costs->found)
        out->dead = costs->table.count - costs->reached - costs->far;
}

/* ---- life ---- */

static void costs_free(struct explorer *explorer)
{
    struct costs *costs = of(explorer);
    sorted_table_clear(&costs->sorted);
    back_edges_clear(&costs->edges);
    cost_queue_clear(&costs->queue);
    state_table_clear(&costs->table);
    brood_clear(&costs->brood);
    bottom_k_clear(&costs->sample);
    free(costs);
}

static const struct explorer_ops costs_ops = {.begin = begin,
                                              .next = next,
                                              .choose = choose,
                                              .exhausted = exhausted,
                                              .run = run,
                                              .figures = figures,
                                              .free = costs_free};

static bool make(struct costs *costs)
{
    const struct explore_request *request = costs->setup.request;
    return brood_init(&costs->brood, request->space) &&
           state_table_init(&costs->table, request->budget, request->space->state_bytes,
                            sizeof(struct costs_own)) &&
           cost_queue_init(&costs->queue, request->budget) &&
           (!costs->setup.examples || bottom_k_init(&costs->sample, EXPLORE_DEEPEST_MAX));
}

enum pz_status costs_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    enum pz_status status = costs_check_memory(setup->request, UINT64_MAX, error);
    if (status != PZ_OK)
        return status;
    struct costs *costs = calloc(1, sizeof *costs);
    if (costs == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    costs->setup = *setup;
    costs->base.ops = &costs_ops;
    costs->base.plan.table = setup->request->keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE;
    if (!make(costs)) {
        costs_free(&costs->base);
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    }
    *out = &costs->base;
    return PZ_OK;
}

/* ---- what it takes ---- */

bool costs_takes(const struct explore_request *request)
{
    return (request->space->flags & PZ_COSTS) != 0;
}

enum pz_status costs_check_memory(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error)
{
    if (request->exchange != NULL || request->cluster)
        return pz_fail(error, PZ_UNSUPPORTED, "engine=costs is not for ranks");
    if (limit < FIRST_BYTES)
        return pz_fail(error, PZ_TOO_LARGE, "engine=costs needs %dK to begin with, limit %" PRIu64 "K",
                       FIRST_BYTES >> 10, limit >> 10);
    return PZ_OK;
}

enum pz_status costs_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error)
{
    estimate->engine = ENGINE_COSTS;
    return costs_check_memory(request, UINT64_MAX, error);
}
