/* SPDX-License-Identifier: MIT */
/*
 * The states that a search found, with the edges reversed. A breadth-first search from all goals along them
 * gives each state's distance to the nearest goal, also if moves are not reversible.
 *
 * States are numbered in the order of their keys. Keys are as good as random, so a directory by their high
 * bits leads to within a state or two of each. One pass counts the edges, another fills them in; each expands
 * all states, on all threads.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "explore/striped/search/search_cursor.h"
#include "explore/striped/striped_parts.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_STATES = 1024, UNREACHED = UINT16_MAX };

struct move_graph {
    unsigned words;
    unsigned shift; /* turns a key's first word into its place in the directory */
    uint32_t count;
    uint32_t depth;          /* the last level */
    uint64_t *keys;          /* count × words, ascending */
    uint32_t *directory;     /* the first state from each value of the high bits on, and the count */
    _Atomic uint64_t *first; /* count + 1: where a state's edges begin; at first, how many it has */
    uint32_t *sources;       /* of the edges, by the state that they lead to */
    uint16_t *distances;
    uint32_t *order;             /* states in the order in which they were reached */
    uint64_t bytes;              /* of the budget */
    struct striped *striped;     /* this and the rest: for a pass */
    _Atomic uint32_t next_block; /* to expand; members count it up */
    bool filling;                /* the pass fills edges in; else it counts them */
};

/* ---- making ---- */

static void *graph_take(struct move_graph *graph, uint64_t count, size_t size)
{
    struct budget *budget = graph->striped->request->budget;
    const uint64_t bytes = (count + 1) * size;
    if (!budget_take(budget, bytes))
        return NULL;
    graph->bytes += bytes;
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
        budget_starve(budget);
    return memory;
}

void graph_free(struct striped *striped)
{
    struct move_graph *graph = striped->graph;
    if (graph == NULL)
        return;
    budget_give(striped->request->budget, graph->bytes);
    free(graph->keys);
    free(graph->directory);
    free(graph->first);
    free(graph->sources);
    free(graph->distances);
    free(graph->order);
    free(graph);
    striped->graph = NULL;
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

static void add_edges(struct move_graph *graph, const struct crew_member *member, uint32_t from,
                      unsigned count)
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
static void expand_block(struct move_graph *graph, struct crew_member *member, uint32_t from, uint32_t to)
{
    const struct pz_space *space = graph->striped->request->space;
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

static bool is_late(const struct control *control)
{
    return control->deadline > 0 && clock_seconds() >= control->deadline;
}

static void pass_member(void *context, unsigned number)
{
    struct move_graph *graph = context;
    struct striped *striped = graph->striped;
    const uint32_t blocks = blocks_of(graph);
    while (!control_stopped(striped->control) && !is_late(striped->control)) {
        uint32_t block = atomic_fetch_add_explicit(&graph->next_block, 1, memory_order_relaxed);
        if (block >= blocks)
            return;
        uint32_t from = block * BLOCK_STATES;
        uint32_t to = block + 1 < blocks ? from + BLOCK_STATES : graph->count;
        expand_block(graph, &striped->crew.members[number], from, to);
        if (number == 0)
            striped_report_pass(striped, "edges", from);
    }
}

/* Expands all states. Returns PZ_LIMIT if time is over before the last one. */
static enum pz_status run_pass(struct move_graph *graph, struct pz_error *error)
{
    struct crew *crew = &graph->striped->crew;
    struct team *team = graph->count > BLOCK_STATES ? crew_team(crew) : NULL;
    atomic_store_explicit(&graph->next_block, 0, memory_order_relaxed);
    if (team != NULL)
        team_run(team, pass_member, graph);
    else
        pass_member(graph, 0);
    if (control_stopped(graph->striped->control))
        return pz_fail(error, PZ_CANCELLED, "cancelled while the edges were gathered");
    const uint32_t taken = atomic_load_explicit(&graph->next_block, memory_order_relaxed);
    return taken >= blocks_of(graph) ? PZ_OK : PZ_LIMIT;
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
    if (graph->sources == NULL)
        return PZ_TOO_LARGE;
    graph->filling = true;
    return run_pass(graph, error);
}

static enum pz_status graph_make(struct striped *striped, struct move_graph *graph, struct pz_error *error)
{
    bool taken = take_states(graph, striped->search);
    search_free(striped->search);
    striped->search = NULL;
    striped->result->states = graph->count; /* for reports */
    return taken ? make_edges(graph, error) : PZ_TOO_LARGE;
}

enum pz_status graph_new(struct striped *striped, struct pz_error *error)
{
    const uint64_t states = search_states(striped->search);
    if (states >= UINT32_MAX)
        return pz_fail(error, PZ_TOO_LARGE,
                       "distances to the goal of more than 2^32 states that cannot go back");
    struct move_graph *graph = calloc(1, sizeof *graph);
    if (graph == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a graph");
    *graph = (struct move_graph){
        .words = search_words(striped->search), .count = (uint32_t)states, .striped = striped};
    striped->graph = graph;
    enum pz_status status = graph_make(striped, graph, error);
    striped->result->states = 0;
    if (status != PZ_TOO_LARGE && status != PZ_LIMIT)
        return status;
    graph_free(striped);
    striped->result->outcome = OUTCOME_STOPPED;
    striped->result->reason = status == PZ_LIMIT ? STOP_TIME : STOP_MEMORY;
    return PZ_OK;
}

/* ---- distances ---- */

/* Reaches the states that have a move to one in order[from … to). Returns how many are reached in all. */
static uint32_t reach_level(struct move_graph *graph, uint32_t from, uint32_t to, uint16_t level)
{
    uint32_t reached = to;
    for (uint32_t i = from; i < to; i++) {
        const _Atomic uint64_t *first = &graph->first[graph->order[i]];
        const uint64_t end = atomic_load_explicit(first + 1, memory_order_relaxed);
        for (uint64_t k = atomic_load_explicit(first, memory_order_relaxed); k < end; k++) {
            uint32_t source = graph->sources[k];
            if (graph->distances[source] != UNREACHED)
                continue;
            graph->distances[source] = level;
            graph->order[reached++] = source;
        }
    }
    return reached;
}

/* Hands a level, order[from … to), and some of its states to the sink. */
static enum pz_status give_graph_level(struct striped *striped, uint32_t level, uint32_t from, uint32_t to,
                                       bool last, struct pz_error *error)
{
    const struct move_graph *graph = striped->graph;
    const struct explore_sink *sink = striped->sink;
    enum pz_status status = PZ_OK;
    if (sink->level != NULL)
        status = sink->level(sink->context, level, to - from, error);
    if (status != PZ_OK || sink->examples == NULL)
        return status;
    striped->sample.limit = last ? EXPLORE_DEEPEST_MAX : EXPLORE_EXAMPLES;
    bottom_k_empty(&striped->sample);
    for (uint32_t i = from; i < to; i++) {
        const uint64_t *key = graph->keys + (uint64_t)graph->order[i] * graph->words;
        bottom_k_offer(&striped->sample, bottom_k_hash(key, striped->request->seed, graph->words), key,
                       graph->words);
    }
    return striped_give_examples(striped, level, error);
}

enum pz_status graph_run_levels(struct striped *striped, struct pz_error *error)
{
    struct move_graph *graph = striped->graph;
    struct explore_result *result = striped->result;
    enum pz_status status = PZ_OK;
    uint32_t from = 0, to = 0, level = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->distances[i] == 0)
            graph->order[to++] = i;
    for (;; level++) {
        const uint32_t end =
            level < EXPLORE_LEVEL_MAX ? reach_level(graph, from, to, (uint16_t)(level + 1)) : to;
        const bool wanted = level <= striped->request->depth;
        const bool last = end == to || level == striped->request->depth;
        if (wanted)
            status = give_graph_level(striped, level, from, to, last, error);
        if (wanted) {
            result->depth = level;
            result->states = to;
        }
        if (end == to || status != PZ_OK)
            break;
        from = to;
        to = end;
    }
    result->dead = graph->count - to;
    result->reason = level > striped->request->depth ? STOP_DEPTH
                     : level == EXPLORE_LEVEL_MAX    ? STOP_LEVELS
                                                     : STOP_NONE;
    result->complete = result->reason == STOP_NONE;
    result->outcome = result->complete ? OUTCOME_DONE : OUTCOME_STOPPED;
    return status;
}

bool graph_next(const struct striped *striped, uint64_t *at, uint64_t *key, uint32_t *distance)
{
    const struct move_graph *graph = striped->graph;
    const uint32_t depth = striped->result->depth;
    for (; *at < graph->count; (*at)++) {
        *distance = graph->distances[*at] == UNREACHED ? depth + 1 : graph->distances[*at];
        if (*distance > depth && !striped->result->complete)
            continue;
        memcpy(key, graph->keys + (*at)++ * graph->words, graph->words * sizeof *key);
        return true;
    }
    return false;
}
