/* SPDX-License-Identifier: MIT */
/*
 * The states that a search found, with the edges reversed. A breadth-first search from all goals along the
 * reversed edges gives each state's distance to the nearest goal, also if moves are not reversible.
 *
 * States are numbered in the order of their keys. Keys are as good as random, so a directory by their high
 * bits finds each state to within one or two places. One pass counts the edges, another fills them in; each
 * expands all states, on all threads.
 */
#include "explore/striped/striped_graph.h"

#include "explore/run/turns.h"
#include "explore/striped/search/search_cursor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_STATES = 1024 };
#define UNREACHED UINT32_MAX

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what threads write has cache lines of its own */
struct move_graph {
    unsigned words;
    unsigned shift; /* turns a key's first word into its place in the directory */
    uint32_t count;
    uint64_t *keys;          /* count × words, ascending */
    uint32_t *directory;     /* the first state from each value of the high bits on, and the count */
    _Atomic uint64_t *first; /* count + 1: where a state's edges begin; at first, how many it has */
    uint32_t *sources;       /* of the edges, by the state that they lead to */
    uint32_t *distances;
    uint32_t *order;      /* states in the order in which they were reached */
    uint32_t from[2], to; /* in order: where a level begins, by its last bit, and where the newest ends */
    uint32_t level;       /* the newest */
    uint64_t bytes;       /* of the budget */
    const struct searchers *searchers; /* whose workers expand */
    struct turns turns;                /* of a pass: a block of states each */
    bool filling;                      /* the pass fills edges in; else it counts them */
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
    budget_give(graph->searchers->budget, graph->bytes);
    free(graph->keys);
    free(graph->directory);
    free(graph->first);
    free(graph->sources);
    free(graph->distances);
    free(graph->order);
    free(graph);
}

/* Copies the search's states and makes the directory. Returns false without memory. */
static bool take_states(struct move_graph *graph, const struct search *search)
{
    struct search_cursor cursor;
    uint64_t at = 0;
    uint32_t level;
    unsigned bits = 1;
    while (UINT64_C(1) << bits < graph->count)
        bits++;
    graph->shift = 64 - bits;
    graph->keys = graph_take(graph, (uint64_t)graph->count * graph->words, sizeof *graph->keys);
    graph->directory = graph_take(graph, (UINT64_C(1) << bits) + 1, sizeof *graph->directory);
    graph->distances = graph_take(graph, graph->count, sizeof *graph->distances);
    graph->order = graph_take(graph, graph->count, sizeof *graph->order);
    graph->first = graph_take(graph, graph->count, sizeof *graph->first);
    if (graph->keys == NULL || graph->directory == NULL || graph->distances == NULL || graph->order == NULL ||
        graph->first == NULL)
        return false;
    cursor_begin(&cursor, search, 0, search_level(search));
    while (at < graph->count && cursor_next(&cursor, graph->keys + at * graph->words, &level))
        graph->directory[(graph->keys[at++ * graph->words] >> graph->shift) + 1]++;
    cursor_end(&cursor);
    for (uint64_t i = 1; i <= UINT64_C(1) << bits; i++)
        graph->directory[i] += graph->directory[i - 1];
    return !cursor.failed && at == graph->count;
}

/* Returns the number of a state that the search found. */
static uint32_t number_of(const struct move_graph *graph, const uint64_t *key)
{
    const size_t bytes = graph->words * sizeof *key;
    uint32_t at = graph->directory[key[0] >> graph->shift];
    while (memcmp(graph->keys + (uint64_t)at * graph->words, key, bytes) != 0)
        at++;
    return at;
}

/* ---- edges ---- */

static void add_edges(struct move_graph *graph, const struct searcher *member, uint32_t from, unsigned count)
{
    const size_t state_bytes = graph->words * sizeof(uint64_t);
    uint64_t key[KEY_WORDS_MAX];
    for (unsigned i = 0; i < count; i++) {
        mix_bytes(member->successors + (size_t)i * graph->words, state_bytes, key);
        _Atomic uint64_t *edges = &graph->first[number_of(graph, key)];
        if (graph->filling)
            graph->sources[atomic_fetch_sub_explicit(edges, 1, memory_order_relaxed) - 1] = from;
        else
            (void)atomic_fetch_add_explicit(edges, 1, memory_order_relaxed);
    }
}

/* Expands the states of a block. The pass that counts also marks the goals. */
static void expand_block(struct move_graph *graph, struct searcher *member, uint32_t from, uint32_t to)
{
    const struct pz_space *space = graph->searchers->space;
    uint64_t state[KEY_WORDS_MAX];
    for (uint32_t i = from; i < to; i++) {
        unmix_bytes(graph->keys + (uint64_t)i * graph->words, space->state_bytes, state);
        if (!graph->filling)
            graph->distances[i] = space->puzzle->is_goal(space, state) ? 0 : UNREACHED;
        unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, member->successors, member->tokens);
        add_edges(graph, member, i, count);
    }
}

static uint32_t blocks_of(const struct move_graph *graph)
{
    return (graph->count - 1) / BLOCK_STATES + 1;
}

static void pass_member(void *context, unsigned number)
{
    struct move_graph *graph = context;
    const uint32_t blocks = blocks_of(graph);
    uint64_t block;
    while (turns_take(&graph->turns, number, &block)) {
        const uint32_t from = (uint32_t)block * BLOCK_STATES;
        const uint32_t to = block + 1 < blocks ? from + BLOCK_STATES : graph->count;
        expand_block(graph, &graph->searchers->members[number], from, to);
    }
}

static bool report_pass(void *context, double done)
{
    monitor_tell(context, "edges", done);
    return false;
}

/* Expands all states. Returns PZ_LIMIT if the deadline passes before the last one. */
static enum pz_status run_pass(struct move_graph *graph, struct team *team, struct pz_error *error)
{
    turns_begin(&graph->turns, 0, blocks_of(graph));
    if (team != NULL)
        team_run(team, pass_member, graph);
    else
        pass_member(graph, 0);
    const enum pz_status status = turns_status(&graph->turns);
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "cancelled while the edges were gathered");
    return turns_done(&graph->turns) == graph->turns.count ? PZ_OK : status;
}

/* Counts the edges, lays them out and fills them in. */
static enum pz_status make_edges(struct move_graph *graph, struct team *team, struct pz_error *error)
{
    uint64_t sum = 0;
    enum pz_status status = run_pass(graph, team, error);
    if (status != PZ_OK)
        return status;
    for (uint32_t i = 0; i <= graph->count; i++) {
        sum += atomic_load_explicit(&graph->first[i], memory_order_relaxed);
        atomic_store_explicit(&graph->first[i], sum, memory_order_relaxed);
    }
    graph->sources = graph_take(graph, sum, sizeof *graph->sources);
    if (graph->sources == NULL)
        return PZ_TOO_LARGE;
    graph->filling = true;
    return run_pass(graph, team, error);
}

/* Level 0 is all goals. */
static void reach_goals(struct move_graph *graph)
{
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->distances[i] == 0)
            graph->order[graph->to++] = i;
}

static enum pz_status graph_make(struct move_graph *graph, struct search **search,
                                 struct searchers *searchers, struct pz_error *error)
{
    const bool taken = take_states(graph, *search);
    struct team *team = graph->count > BLOCK_STATES ? searchers_team(searchers) : NULL;
    search_free(*search);
    *search = NULL;
    const enum pz_status status = taken ? make_edges(graph, team, error) : PZ_MEMORY;
    if (status == PZ_OK)
        reach_goals(graph);
    return status;
}

enum pz_status move_graph_new(struct search **search, struct searchers *searchers, struct monitor *monitor,
                              struct move_graph **out, struct pz_error *error)
{
    const uint64_t states = search_states(*search);
    if (states >= UINT32_MAX)
        return pz_fail(error, PZ_TOO_LARGE,
                       "distances to the goal of more than 2^32 states that cannot go back");
    struct move_graph *graph = aligned_alloc(64, sizeof *graph);
    if (graph == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a graph");
    memset(graph, 0, sizeof *graph);
    graph->words = search_words(*search);
    graph->count = (uint32_t)states;
    graph->searchers = searchers;
    graph->turns.control = monitor->control;
    graph->turns.tick = report_pass;
    graph->turns.context = monitor;
    const enum pz_status status = graph_make(graph, search, searchers, error);
    if (status == PZ_OK)
        *out = graph;
    else
        move_graph_free(graph);
    return status;
}

/* ---- distances ---- */

void move_graph_next(struct move_graph *graph)
{
    uint32_t reached = graph->to;
    for (uint32_t i = graph->from[graph->level & 1]; i < graph->to; i++) {
        const _Atomic uint64_t *first = &graph->first[graph->order[i]];
        const uint64_t end = atomic_load_explicit(first + 1, memory_order_relaxed);
        for (uint64_t k = atomic_load_explicit(first, memory_order_relaxed); k < end; k++) {
            const uint32_t source = graph->sources[k];
            if (graph->distances[source] != UNREACHED)
                continue;
            graph->distances[source] = graph->level + 1;
            graph->order[reached++] = source;
        }
    }
    assert(reached <= graph->count);
    graph->level++;
    graph->from[graph->level & 1] = graph->to;
    graph->to = reached;
}

uint32_t move_graph_width(const struct move_graph *graph)
{
    return graph->to - graph->from[graph->level & 1];
}

uint32_t move_graph_dead(const struct move_graph *graph)
{
    return graph->count - graph->to;
}

void move_graph_offer(const struct move_graph *graph, uint32_t level, uint64_t seed, struct bottom_k *sample)
{
    assert(level == graph->level || level + 1 == graph->level);
    const uint32_t end = level == graph->level ? graph->to : graph->from[graph->level & 1];
    for (uint32_t i = graph->from[level & 1]; i < end; i++) {
        const uint64_t *key = graph->keys + (uint64_t)graph->order[i] * graph->words;
        bottom_k_offer(sample, bottom_k_hash(key, seed, graph->words), key, graph->words);
    }
}

bool move_graph_walk(const struct move_graph *graph, uint64_t *at, uint32_t depth, bool complete,
                     uint64_t *key, uint32_t *distance)
{
    for (; *at < graph->count; (*at)++) {
        *distance = graph->distances[*at] == UNREACHED ? depth + 1 : graph->distances[*at];
        if (*distance > depth && !complete)
            continue;
        memcpy(key, graph->keys + (*at)++ * graph->words, graph->words * sizeof *key);
        return true;
    }
    return false;
}
