/* SPDX-License-Identifier: MIT */
/*
 * Levels from all goals along the reversed edges: breadth-first where each move costs one, else Dijkstra's
 * algorithm with a stack for each cost. A state's cost is final when it is popped at that cost; an entry that
 * a cheaper way has made stale is skipped. Costs that no state has make no level.
 *
 * States are numbered in the order of their keys. Keys are as good as random, so a directory by their high
 * bits finds each state to within one or two places. One pass counts the edges, another fills them in; each
 * expands all states, on all threads.
 */
#include "explore/striped/striped_graph.h"

#include "explore/striped/search/search.h"
#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_STATES = 1024,
    EDGES_TOGETHER = 64, /* that a worker finds the targets of */
    POLL_STATES = 1024,  /* between two looks at the control while costs make a level */
    POLL_RANKS = 1 << 14 /* between two looks at the control */
};

/* ---- making ---- */

/* One more than count. */
static void *graph_take(struct move_graph *graph, uint64_t count, size_t size)
{
    return budget_calloc(graph->searchers->budget, count + 1, size, &graph->bytes);
}

void move_graph_free(struct move_graph *graph)
{
    if (graph == NULL)
        return;
    cost_queue_clear(&graph->queue);
    budget_give(graph->searchers->budget, graph->bytes);
    free(graph->keys);
    free(graph->directory);
    free(graph->first);
    free(graph->sources);
    free(graph->costs);
    free(graph->move_costs);
    free(graph->distances);
    free(graph->order);
    free(graph);
}

static uint32_t *directory_of(const struct move_graph *graph, const uint64_t *key)
{
    return &graph->directory[key[0] >> graph->shift];
}

/* Makes room for all but the edges. Returns false without memory. */
static bool take_graph_room(struct move_graph *graph)
{
    const uint64_t most = graph->searchers->space->max_successors;
    unsigned bits = 1;
    while (UINT64_C(1) << bits < graph->count)
        bits++;
    graph->shift = 64 - bits;
    graph->keys = graph_take(graph, (uint64_t)graph->count * graph->words, sizeof *graph->keys);
    graph->directory = graph_take(graph, (UINT64_C(1) << bits) + 1, sizeof *graph->directory);
    graph->distances = graph_take(graph, graph->count, sizeof *graph->distances);
    graph->order = graph_take(graph, graph->count, sizeof *graph->order);
    graph->first = graph_take(graph, graph->count, sizeof *graph->first);
    graph->move_costs = graph_take(graph, most * graph->searchers->threads, sizeof *graph->move_costs);
    return graph->keys != NULL && graph->directory != NULL && graph->distances != NULL &&
           graph->order != NULL && graph->first != NULL && graph->move_costs != NULL &&
           (!graph->has_costs || cost_queue_init(&graph->queue, graph->searchers->budget));
}

static void sum_directory(struct move_graph *graph, unsigned first)
{
    for (uint64_t i = first + 1; i <= UINT64_C(1) << (64 - graph->shift); i++)
        graph->directory[i] += graph->directory[i - 1];
}

/* Copies the search's states. Returns false without memory. */
static bool take_found(struct move_graph *graph, const struct search *search)
{
    struct search_cursor cursor;
    uint64_t at = 0;
    uint32_t level;
    cursor_begin(&cursor, search, 0, search_level(search));
    while (at < graph->count && cursor_next(&cursor, graph->keys + at * graph->words, &level))
        directory_of(graph, graph->keys + at++ * graph->words)[1]++;
    cursor_end(&cursor);
    sum_directory(graph, 0);
    return !cursor.failed && at == graph->count;
}

/* Goes through all states that have a rank: counts the keys of a place in the directory, or puts them there.
 */
static enum pz_status pass_ranks(struct move_graph *graph, bool puts)
{
    const struct pz_space *space = graph->searchers->space;
    uint64_t state[KEY_WORDS_MAX], key[KEY_WORDS_MAX];
    enum pz_status status = PZ_OK;
    for (uint32_t rank = 0; rank < graph->count && status == PZ_OK; rank++) {
        space->puzzle->unrank(space, rank, state);
        mix_bytes(state, space->state_bytes, key);
        if (puts)
            memcpy(graph->keys + (uint64_t)directory_of(graph, key)[1]++ * graph->words, key,
                   space->state_bytes);
        else
            directory_of(graph, key)[2]++;
        if (rank % POLL_RANKS == 0)
            status = monitor_poll(graph->monitor);
    }
    return status;
}

/* Takes all states that have a rank. Only within a place of the directory they are then out of order. */
static enum pz_status take_ranked(struct move_graph *graph)
{
    const unsigned words = graph->words;
    enum pz_status status = pass_ranks(graph, false);
    sum_directory(graph, 1); /* [n + 1] is then the place of n, and when all are put that of n + 1 */
    if (status == PZ_OK)
        status = pass_ranks(graph, true);
    for (uint32_t i = 1; i < graph->count && status == PZ_OK; i++) {
        uint64_t *key = graph->keys + (uint64_t)i * words;
        for (; key > graph->keys && key_less(key, key - words, words); key -= words)
            for (unsigned word = 0; word < words; word++) {
                const uint64_t other = key[word];
                key[word] = key[(int)word - (int)words];
                key[(int)word - (int)words] = other;
            }
    }
    return status;
}

/* ---- edges ---- */

/* Edges whose targets are still to be found. The memory that finding them looks at comes meanwhile. */
struct edge_batch {
    uint64_t keys[EDGES_TOGETHER][KEY_WORDS_MAX]; /* of the targets */
    uint32_t from[EDGES_TOGETHER], costs[EDGES_TOGETHER];
    unsigned count;
};

/* Returns the number of a state, which the graph has, from the directory's number for it on. */
static uint32_t graph_number_of(const struct move_graph *graph, const uint64_t *key, uint32_t at)
{
    while (!key_equal(key, graph->keys + (uint64_t)at * graph->words, graph->words))
        at++;
    return at;
}

static void add_edge_to(struct move_graph *graph, uint32_t to, uint32_t from, uint32_t cost)
{
    if (!graph->filling) {
        (void)atomic_fetch_add_explicit(&graph->first[to], 1, memory_order_relaxed);
        return;
    }
    const uint64_t at = atomic_fetch_sub_explicit(&graph->first[to], 1, memory_order_relaxed) - 1;
    graph->sources[at] = from;
    if (graph->has_costs)
        graph->costs[at] = cost;
}

static void add_edges(struct move_graph *graph, struct edge_batch *batch)
{
    uint32_t at[EDGES_TOGETHER];
    assert(batch->count <= EDGES_TOGETHER);
    for (unsigned i = 0; i < batch->count; i++) {
        at[i] = *directory_of(graph, batch->keys[i]);
        __builtin_prefetch(graph->keys + (uint64_t)at[i] * graph->words);
        __builtin_prefetch((const void *)&graph->first[at[i]], 1);
    }
    for (unsigned i = 0; i < batch->count; i++)
        add_edge_to(graph, graph_number_of(graph, batch->keys[i], at[i]), batch->from[i], batch->costs[i]);
    batch->count = 0;
}

/* Expands the states of a block. The pass that counts also marks the goals. */
static void expand_block(struct move_graph *graph, unsigned number, uint32_t from, uint32_t to)
{
    const struct pz_space *space = graph->searchers->space;
    const struct searcher *worker = &graph->searchers->workers[number];
    uint32_t *costs = graph->move_costs + (size_t)number * space->max_successors;
    uint64_t state[KEY_WORDS_MAX];
    struct edge_batch batch;
    batch.count = 0;
    for (uint32_t i = from; i < to; i++) {
        unmix_bytes(graph->keys + (uint64_t)i * graph->words, space->state_bytes, state);
        if (!graph->filling)
            graph->distances[i] = space->puzzle->is_goal(space, state) ? 0 : COST_UNREACHED;
        const unsigned count =
            space_expand_costs(space, state, PZ_NO_TOKEN, worker->successors, worker->tokens, costs);
        assert(count <= space->max_successors);
        for (unsigned k = 0; k < count; k++) {
            uint64_t *key = batch.keys[batch.count];
            mix_bytes(worker->successors + (size_t)k * graph->words, space->state_bytes, key);
            __builtin_prefetch(directory_of(graph, key));
            batch.from[batch.count] = i;
            batch.costs[batch.count++] = costs[k];
            if (batch.count == EDGES_TOGETHER)
                add_edges(graph, &batch);
        }
    }
    add_edges(graph, &batch);
}

static uint32_t blocks_of(const struct move_graph *graph)
{
    return (graph->count - 1) / BLOCK_STATES + 1;
}

static void pass_worker(void *context, unsigned number)
{
    struct move_graph *graph = context;
    const uint32_t blocks = blocks_of(graph);
    uint64_t block;
    while (turns_take(&graph->turns, number, &block)) {
        const uint32_t from = (uint32_t)block * BLOCK_STATES;
        const uint32_t to = block + 1 < blocks ? from + BLOCK_STATES : graph->count;
        expand_block(graph, number, from, to);
    }
}

static bool report_pass(void *context, double done)
{
    monitor_tell(context, "edges", done);
    return false;
}

/* Expands all states. Returns PZ_LIMIT if the deadline passes before the last one. */
static enum pz_status run_pass(struct move_graph *graph, struct pz_error *error)
{
    struct team *team = graph->count > BLOCK_STATES ? searchers_team(graph->searchers) : NULL;
    turns_begin(&graph->turns, 0, blocks_of(graph));
    if (team != NULL)
        team_run(team, pass_worker, graph);
    else
        pass_worker(graph, 0);
    const enum pz_status status = turns_status(&graph->turns);
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "cancelled while the edges were gathered");
    return turns_done(&graph->turns) == graph->turns.count ? PZ_OK : status;
}

/* Counts the edges, lays them out and fills them in. */
static enum pz_status make_edges(struct move_graph *graph, struct pz_error *error)
{
    uint64_t sum = 0;
    enum pz_status status = run_pass(graph, error);
    if (status != PZ_OK)
        return status;
    for (uint32_t i = 0; i <= graph->count; i++) {
        sum += atomic_load_explicit(&graph->first[i], memory_order_relaxed);
        atomic_store_explicit(&graph->first[i], sum, memory_order_relaxed);
    }
    graph->sources = graph_take(graph, sum, sizeof *graph->sources);
    graph->costs = graph->has_costs ? graph_take(graph, sum, sizeof *graph->costs) : NULL;
    if (graph->sources == NULL || (graph->has_costs && graph->costs == NULL))
        return PZ_MEMORY;
    graph->filling = true;
    return run_pass(graph, error);
}

/* ---- levels ---- */

/* Empties the stack of a cost. */
static enum pz_status make_cost(struct move_graph *graph, uint32_t cost)
{
    assert(graph->has_costs && cost <= EXPLORE_COST_MAX);
    uint32_t number;
    while ((number = cost_queue_pop(&graph->queue, cost)) != COST_QUEUE_NONE) {
        if (graph->distances[number] != cost)
            continue;
        graph->order[graph->to++] = number;
        const _Atomic uint64_t *first = &graph->first[number];
        const uint64_t end = atomic_load_explicit(first + 1, memory_order_relaxed);
        for (uint64_t k = atomic_load_explicit(first, memory_order_relaxed); k < end; k++)
            if (!cost_queue_offer(&graph->queue, graph->sources[k], (uint64_t)cost + graph->costs[k],
                                  &graph->distances[graph->sources[k]]))
                return PZ_MEMORY;
        const enum pz_status status = graph->to % POLL_STATES == 0 ? monitor_poll(graph->monitor) : PZ_OK;
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

static void note_graph_level(struct move_graph *graph, uint32_t begin, uint32_t level)
{
    assert(begin <= graph->to && graph->to <= graph->count);
    graph->before = graph->begin;
    graph->begin = begin;
    graph->level = level;
}

/* Level 0 is all goals, and with costs all that reach one for nothing. */
static enum pz_status reach_goals(struct move_graph *graph)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->distances[i] != 0)
            continue;
        if (!graph->has_costs) {
            graph->order[graph->to++] = i;
            continue;
        }
        graph->distances[i] = COST_UNREACHED;
        if (!cost_queue_offer(&graph->queue, i, 0, &graph->distances[i]))
            return PZ_MEMORY;
    }
    return graph->has_costs ? make_cost(graph, 0) : PZ_OK;
}

static void next_by_moves(struct move_graph *graph)
{
    const uint32_t end = graph->to;
    for (uint32_t i = graph->begin; i < end; i++) {
        const _Atomic uint64_t *first = &graph->first[graph->order[i]];
        const uint64_t last = atomic_load_explicit(first + 1, memory_order_relaxed);
        for (uint64_t k = atomic_load_explicit(first, memory_order_relaxed); k < last; k++) {
            const uint32_t source = graph->sources[k];
            if (graph->distances[source] != COST_UNREACHED)
                continue;
            graph->distances[source] = graph->level + 1;
            graph->order[graph->to++] = source;
        }
    }
    note_graph_level(graph, end, graph->level + 1);
}

/* Empties the lowest stack that has a state, and makes this cost the newest level; the one after the last if
 * there is none. */
static enum pz_status next_by_costs(struct move_graph *graph, uint32_t depth, enum stop_reason *limit)
{
    const uint32_t end = graph->to;
    uint32_t level = graph->level + 1, lowest;
    enum pz_status status = PZ_OK;
    while (status == PZ_OK && graph->to == end && cost_queue_lowest(&graph->queue, &lowest)) {
        *limit = STOP_DEPTH;
        status = lowest <= depth ? make_cost(graph, level = lowest) : PZ_LIMIT;
        if (lowest <= depth)
            *limit = status == PZ_MEMORY ? STOP_MEMORY : STOP_TIME;
    }
    if (status == PZ_OK && graph->to == end && graph->queue.far > 0) {
        *limit = STOP_LEVELS;
        status = PZ_LIMIT;
    }
    if (status == PZ_OK)
        note_graph_level(graph, end, level);
    else
        graph->to = end;
    return status == PZ_MEMORY ? PZ_LIMIT : status;
}

enum pz_status move_graph_next(struct move_graph *graph, uint32_t depth, enum stop_reason *limit)
{
    const enum pz_status status = control_poll(graph->monitor->control);
    *limit = STOP_TIME;
    if (status == PZ_OK && graph->has_costs)
        return next_by_costs(graph, depth, limit);
    if (status == PZ_OK)
        next_by_moves(graph);
    return status;
}

bool move_graph_exhausted(struct move_graph *graph)
{
    const uint32_t end = graph->to;
    if (graph->has_costs)
        return end == graph->queue.reached && graph->queue.far == 0;
    while (move_graph_width(graph) > 0)
        next_by_moves(graph);
    return graph->to == end;
}

/* ---- the whole ---- */

static enum pz_status graph_make(struct move_graph *graph, struct search **search, struct pz_error *error)
{
    enum pz_status status = take_graph_room(graph) ? PZ_OK : PZ_MEMORY;
    if (status == PZ_OK && *search == NULL)
        status = take_ranked(graph);
    else if (status == PZ_OK && !take_found(graph, *search))
        status = PZ_MEMORY;
    search_free(*search);
    *search = NULL;
    if (status == PZ_OK)
        status = make_edges(graph, error);
    if (status == PZ_OK)
        status = reach_goals(graph);
    return status == PZ_CANCELLED ? pz_fail(error, status, "cancelled before the first level was known")
                                  : status;
}

enum pz_status move_graph_new(struct search **search, struct searchers *searchers, struct monitor *monitor,
                              struct move_graph **out, struct pz_error *error)
{
    const struct pz_space *space = searchers->space;
    const uint64_t states = *search != NULL ? search_states(*search) : space_count(space);
    if (states >= UINT32_MAX)
        return pz_fail(error, PZ_TOO_LARGE,
                       "distances to the goal of more than 2^32 states that cannot go back");
    assert(states > 0);
    struct move_graph *graph = aligned_alloc(64, sizeof *graph);
    if (graph == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a graph");
    memset(graph, 0, sizeof *graph);
    graph->words = searchers->words;
    graph->count = (uint32_t)states;
    graph->has_costs = (space->flags & PZ_COSTS) != 0;
    graph->searchers = searchers;
    graph->monitor = monitor;
    graph->turns.control = monitor->control;
    graph->turns.tick = report_pass;
    graph->turns.context = monitor;
    const enum pz_status status = graph_make(graph, search, error);
    if (status == PZ_OK)
        *out = graph;
    else
        move_graph_free(graph);
    return status;
}

/* ---- reading ---- */

void move_graph_offer(const struct move_graph *graph, uint32_t level, uint64_t seed, struct bottom_k *sample)
{
    assert(level <= graph->level);
    const bool newest = level == graph->level;
    const uint32_t end = newest ? graph->to : graph->begin;
    for (uint32_t i = newest ? graph->begin : graph->before; i < end; i++) {
        const uint64_t *key = graph->keys + (uint64_t)graph->order[i] * graph->words;
        bottom_k_offer(sample, bottom_k_hash(key, seed, graph->words), key, graph->words);
    }
}
