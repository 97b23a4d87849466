/* SPDX-License-Identifier: MIT */
/*
 * Dijkstra's algorithm with a stack for each cost (Dial). A state's cost is final when it is popped at that
 * cost; an entry that a cheaper way has made stale is skipped. A level is made by emptying its stack; moves
 * of cost 0 push more states onto it meanwhile. Costs that no state has are passed over.
 */
#include "explore/costs/costs.h"

#include "base/table/cost_queue.h"
#include "base/table/state_table.h"
#include "explore/key/radix.h"
#include "explore/sample/bottom_k.h"
#include "space/registry.h"
#include "space/root_set.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    POLL_STATES = 1024, /* between two looks at the control */
    FIRST_BYTES = 2 << 20
};
static_assert(EXPLORE_COST_MAX == COST_MAX && COST_MAX + 1 < COST_FAR, "dead states have a distance, too");

/* A state in the table of states: all that is known of it. */
struct costs_own {
    uint32_t cost;
    uint32_t order; /* the state with this place in the order of the levels */
};

enum { KEY_GROUPS = 256 /* by the top byte of a key */, SORTED_RUN_KEYS = 4096 };

/* The stored table, while it is written. */
struct sorted_table {
    uint32_t *numbers; /* of the states, group by group */
    uint32_t first[KEY_GROUPS + 1];
    unsigned group;     /* that comes next */
    struct radix radix; /* the group before it, sorted */
    uint32_t at, count; /* entries of that group: given, all */
    uint64_t *keys;     /* of a run */
    uint64_t taken;     /* bytes of the budget */
    uint32_t distances[SORTED_RUN_KEYS];
};

struct costs {
    struct explorer base;
    struct explorer_setup setup;
    struct state_table table; /* of own: struct costs_own */
    struct cost_queue queue;
    uint8_t *successors; /* of one state */
    uint32_t *move_costs;
    uint8_t *tokens;
    uint32_t before, begin; /* in the order: where the level before the newest begins, and the newest */
    uint32_t reached;       /* states that have their level */
    uint64_t generated;
    struct bottom_k sample;
    struct sorted_table sorted;
};

static struct costs *costs_of(struct explorer *explorer)
{
    return (struct costs *)explorer;
}

static struct costs_own *own_of(const struct costs *costs, uint32_t number)
{
    assert(number < costs->table.count);
    return (struct costs_own *)(void *)costs->table.own + number;
}

/* ---- a level ---- */

static bool offer_state(struct costs *costs, const void *state, uint64_t cost)
{
    const uint32_t before = costs->table.count;
    const uint32_t number = state_table_add(&costs->table, state);
    if (number == STATE_TABLE_NONE)
        return false;
    if (number == before)
        own_of(costs, number)->cost = COST_UNREACHED;
    return cost_queue_offer(&costs->queue, number, cost, &own_of(costs, number)->cost);
}

static bool expand_state(struct costs *costs, uint32_t number, uint64_t cost)
{
    const size_t bytes = costs->table.state_bytes;
    const unsigned count =
        space_expand_costs(costs->setup.request->space, state_table_at(&costs->table, number), PZ_NO_TOKEN,
                           costs->successors, costs->tokens, costs->move_costs);
    assert(own_of(costs, number)->cost == cost);
    costs->generated += count;
    for (unsigned i = 0; i < count; i++)
        if (!offer_state(costs, costs->successors + i * bytes, cost + costs->move_costs[i]))
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
static enum pz_status empty_stack(struct costs *costs, uint32_t level)
{
    uint32_t number;
    while ((number = cost_queue_pop(&costs->queue, level)) != COST_QUEUE_NONE) {
        if (own_of(costs, number)->cost != level)
            continue;
        own_of(costs, costs->reached++)->order = number;
        if (!expand_state(costs, number, level))
            return PZ_MEMORY;
        const enum pz_status status = poll_at(costs, costs->reached);
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

static void note_costs(struct costs *costs, uint32_t begin, uint32_t level)
{
    assert(begin <= costs->reached && costs->reached <= costs->table.count);
    costs->before = costs->begin;
    costs->begin = begin;
    costs->base.level = level;
    costs->base.width = costs->reached - begin;
}

static enum pz_status costs_begin(struct explorer *explorer, struct pz_error *error)
{
    struct costs *costs = costs_of(explorer);
    const struct explore_request *request = costs->setup.request;
    bool offered = true;
    for (unsigned i = 0; offered && i < explore_roots(request); i++)
        offered = offer_state(costs, root_set_at(request->root, request->space->state_bytes, i), 0);
    const enum pz_status status = offered ? empty_stack(costs, 0) : PZ_MEMORY;
    if (status == PZ_OK)
        note_costs(costs, 0, 0);
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "cancelled before the first level was known");
    if (status == PZ_LIMIT || status == PZ_MEMORY) {
        explorer->limit = status == PZ_LIMIT ? STOP_TIME : STOP_MEMORY;
        return PZ_LIMIT;
    }
    return status;
}

/* Empties the lowest stack that has a state, and makes this cost the newest level; the one after the last if
 * there is none. A level that could not be made leaves the one before as it was. */
static enum pz_status costs_next(struct explorer *explorer, level_tick *tick, void *context,
                                 struct pz_error *error)
{
    struct costs *costs = costs_of(explorer);
    const uint32_t begin = costs->reached;
    uint32_t level = explorer->level + 1, lowest;
    (void)tick;
    (void)context;
    (void)error;
    while (costs->reached == begin && cost_queue_lowest(&costs->queue, &lowest)) {
        explorer->limit = STOP_DEPTH;
        if (lowest > costs->setup.request->depth)
            return PZ_LIMIT;
        explorer->limit = STOP_NONE;
        const enum pz_status status = empty_stack(costs, level = lowest);
        if (status == PZ_OK)
            continue;
        costs->reached = begin;
        return status;
    }
    explorer->limit = STOP_LEVELS;
    if (costs->reached == begin && costs->queue.far > 0)
        return PZ_LIMIT;
    note_costs(costs, begin, level);
    return PZ_OK;
}

static bool costs_exhausted(struct explorer *explorer)
{
    assert(costs_of(explorer)->reached <= costs_of(explorer)->queue.reached);
    const struct costs *costs = costs_of(explorer);
    return costs->reached == costs->queue.reached && costs->queue.far == 0;
}

/* ---- examples ---- */

static enum pz_status costs_choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                                   unsigned *count, struct pz_error *error)
{
    assert(level <= explorer->level && most <= EXPLORE_DEEPEST_MAX);
    struct costs *costs = costs_of(explorer);
    const size_t bytes = costs->table.state_bytes;
    const uint64_t seed = costs->setup.request->seed;
    const bool newest = level == explorer->level;
    const uint32_t begin = newest ? costs->begin : costs->before;
    const uint32_t end = newest ? costs->reached : costs->begin;
    (void)error;
    bottom_k_begin(&costs->sample, most);
    for (uint32_t i = begin; i < end; i++) {
        uint64_t key[KEY_WORDS_MAX];
        mix_bytes(state_table_at(&costs->table, own_of(costs, i)->order), bytes, key);
        const unsigned words = (unsigned)(bytes / sizeof *key);
        bottom_k_offer(&costs->sample, bottom_k_hash(key, seed, words), key, words);
    }
    *count = bottom_k_states(&costs->sample, bytes, states);
    return PZ_OK;
}

/* ---- the table: sorted runs of keys ---- */

static unsigned group_of(const struct costs *costs, uint32_t number)
{
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state_table_at(&costs->table, number), costs->table.state_bytes, key);
    return (unsigned)(key[0] >> (64 - ENTRY_TOKEN_BITS));
}

/* Groups the states of all levels that were made. Returns false without memory. */
static bool sorted_table_init(struct costs *costs)
{
    assert(costs->sorted.group == 0 && costs->setup.result->depth <= EXPLORE_COST_MAX);
    struct sorted_table *sorted = &costs->sorted;
    const uint32_t count = costs->table.count, most = costs->setup.result->depth;
    sorted->radix.budget = costs->table.budget;
    sorted->keys = malloc(SORTED_RUN_KEYS * costs->table.state_bytes);
    sorted->numbers = budget_calloc(costs->table.budget, count + 1, sizeof *sorted->numbers, &sorted->taken);
    if (sorted->numbers == NULL || sorted->keys == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (own_of(costs, i)->cost <= most)
            sorted->first[group_of(costs, i)]++;
    for (unsigned i = 0, sum = 0; i <= KEY_GROUPS; i++)
        sorted->first[i] = sum += sorted->first[i];
    for (uint32_t i = count; i-- > 0;)
        if (own_of(costs, i)->cost <= most)
            sorted->numbers[--sorted->first[group_of(costs, i)]] = i;
    return true;
}

static void sorted_table_clear(struct costs *costs)
{
    if (costs->sorted.taken > 0)
        budget_give(costs->table.budget, costs->sorted.taken);
    free(costs->sorted.numbers);
    free(costs->sorted.keys);
    radix_clear(&costs->sorted.radix);
}

/* Makes the next group: its states in order, each an entry with its cost. Returns false without memory. */
static bool sort_group(struct costs *costs, unsigned words)
{
    assert(costs->sorted.group < KEY_GROUPS && costs->sorted.at == costs->sorted.count);
    struct sorted_table *sorted = &costs->sorted;
    const uint32_t first = sorted->first[sorted->group];
    sorted->at = 0;
    sorted->count = sorted->first[sorted->group + 1] - first;
    sorted->group++;
    if (!radix_reserve(&sorted->radix, (uint64_t)sorted->count * (words + 1)))
        return false;
    uint64_t *entry = sorted->radix.entries;
    for (uint32_t i = first; i < first + sorted->count; i++, entry += words + 1) {
        uint64_t key[KEY_WORDS_MAX];
        mix_bytes(state_table_at(&costs->table, sorted->numbers[i]), costs->table.state_bytes, key);
        entry_make(entry, key, 0, words);
        entry[words] = own_of(costs, sorted->numbers[i])->cost;
    }
    radix_sort_pairs(&sorted->radix, sorted->count, words, 0);
    return true;
}

/* Makes the next run; count 0 after the last. Returns false without memory. */
static bool sorted_table_next(struct costs *costs, struct explore_run *out)
{
    struct sorted_table *sorted = &costs->sorted;
    const unsigned words = (unsigned)(costs->table.state_bytes / sizeof(uint64_t));
    size_t count = 0;
    while (count < SORTED_RUN_KEYS) {
        if (sorted->at == sorted->count) {
            if (sorted->group == KEY_GROUPS)
                break;
            if (!sort_group(costs, words))
                return false;
            continue;
        }
        const uint64_t *entry = sorted->radix.entries + (uint64_t)sorted->at++ * (words + 1);
        const uint64_t top = (uint64_t)(sorted->group - 1) << (64 - ENTRY_TOKEN_BITS);
        entry_key(entry, top, sorted->keys + count * words, words);
        sorted->distances[count++] = (uint32_t)entry[words];
    }
    *out = (struct explore_run){
        .keys = sorted->keys, .distances = sorted->distances, .count = count, .key_words = words};
    return true;
}

static enum pz_status costs_run(struct explorer *explorer, struct explore_run *out, struct pz_error *error)
{
    struct costs *costs = costs_of(explorer);
    const bool made =
        (costs->sorted.numbers != NULL || sorted_table_init(costs)) && sorted_table_next(costs, out);
    return made ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory to write the table");
}

static void costs_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct costs *costs = (const struct costs *)explorer;
    out->states = costs->table.count;
    out->generated = costs->generated;
}

/* ---- life ---- */

static void costs_free(struct explorer *explorer)
{
    struct costs *costs = costs_of(explorer);
    sorted_table_clear(costs);
    cost_queue_clear(&costs->queue);
    state_table_clear(&costs->table);
    free(costs->successors);
    free(costs->move_costs);
    free(costs->tokens);
    bottom_k_clear(&costs->sample);
    free(costs);
}

static const struct explorer_ops costs_ops = {.begin = costs_begin,
                                              .next = costs_next,
                                              .choose = costs_choose,
                                              .exhausted = costs_exhausted,
                                              .run = costs_run,
                                              .figures = costs_figures,
                                              .free = costs_free};

static bool costs_make(struct costs *costs)
{
    const struct explore_request *request = costs->setup.request;
    const size_t most = (size_t)request->space->max_successors + 1;
    costs->successors = malloc(most * request->space->state_bytes);
    costs->move_costs = malloc(most * sizeof *costs->move_costs);
    costs->tokens = malloc(most);
    return costs->successors != NULL && costs->move_costs != NULL && costs->tokens != NULL &&
           state_table_init(&costs->table, request->budget, request->space->state_bytes,
                            sizeof(struct costs_own)) &&
           cost_queue_init(&costs->queue, request->budget) &&
           (!costs->setup.examples || bottom_k_init(&costs->sample, EXPLORE_DEEPEST_MAX));
}

enum pz_status costs_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    assert(setup->request->from == FROM_ROOT);
    enum pz_status status = costs_check_memory(setup->request, UINT64_MAX, error);
    if (status != PZ_OK)
        return status;
    struct costs *costs = calloc(1, sizeof *costs);
    if (costs == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    costs->setup = *setup;
    costs->base.ops = &costs_ops;
    costs->base.plan.table = setup->request->keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE;
    if (!costs_make(costs)) {
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
        return pz_fail(error, PZ_UNSUPPORTED, "the costs engine is not for ranks");
    if (limit < FIRST_BYTES)
        return pz_fail(error, PZ_TOO_LARGE, "the costs engine needs %dK to begin with, limit %" PRIu64 "K",
                       FIRST_BYTES >> 10, limit >> 10);
    return PZ_OK;
}

enum pz_status costs_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error)
{
    estimate->engine = ENGINE_COSTS;
    return costs_check_memory(request, UINT64_MAX, error);
}
