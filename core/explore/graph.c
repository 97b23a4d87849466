/* SPDX-License-Identifier: MIT */
#include "explore/graph.h"

#include "explore/key/mix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t NONE = UINT32_MAX;

/* Needed only while the graph grows. */
struct growth {
    struct graph *graph;
    uint32_t depth, most;
    size_t room;      /* for edges */
    uint32_t *places; /* number of the state, by hash with linear probing; NONE where free */
    size_t mask;      /* number of places − 1 */
    void *successors; /* of one state */
    uint8_t *tokens;
};

static enum pz_status graph_failed(struct pz_error *error)
{
    return pz_fail(error, PZ_MEMORY, "no memory for a graph");
}

static enum pz_status growth_init(struct growth *growth, struct pz_error *error)
{
    struct graph *graph = growth->graph;
    const struct pz_space *space = graph->space;
    size_t places = 16;
    while (places < 2 * (size_t)growth->most)
        places *= 2;
    growth->mask = places - 1;
    growth->places = malloc(places * sizeof *growth->places);
    growth->successors = malloc((size_t)space->max_successors * space->state_bytes);
    growth->tokens = malloc(space->max_successors);
    graph->states = malloc((size_t)growth->most * space->state_bytes);
    graph->levels = malloc((size_t)growth->most * sizeof *graph->levels);
    graph->first = calloc((size_t)growth->most + 1, sizeof *graph->first);
    if (growth->places == NULL || growth->successors == NULL || growth->tokens == NULL ||
        graph->states == NULL || graph->levels == NULL || graph->first == NULL)
        return graph_failed(error);
    memset(growth->places, 0xFF, places * sizeof *growth->places);
    return PZ_OK;
}

static void growth_clear(struct growth *growth)
{
    free(growth->places);
    free(growth->successors);
    free(growth->tokens);
}

/* Returns a state's place in the hash table: the one with its number, or the free one for it. */
static uint32_t *graph_slot(const struct growth *growth, const void *state)
{
    const struct graph *graph = growth->graph;
    const unsigned bytes = graph->space->state_bytes;
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state, bytes, key);
    size_t place = key[0] & growth->mask;
    while (growth->places[place] != NONE &&
           memcmp(graph_state(graph, growth->places[place]), state, bytes) != 0)
        place = (place + 1) & growth->mask;
    return &growth->places[place];
}

static void add_state(struct growth *growth, uint32_t *place, const void *state, uint32_t level)
{
    assert(growth->graph->count < growth->most && level <= growth->depth);
    struct graph *graph = growth->graph;
    const unsigned bytes = graph->space->state_bytes;
    *place = graph->count;
    memcpy(graph->states + (size_t)graph->count * bytes, state, bytes);
    graph->levels[graph->count++] = level;
    graph->depth = level;
}

static enum pz_status add_edge(struct growth *growth, uint32_t from, uint32_t to, struct pz_error *error)
{
    assert(from < growth->graph->count && to < growth->graph->count);
    struct graph *graph = growth->graph;
    for (size_t i = graph->first[from]; i < graph->edges; i++)
        if (graph->targets[i] == to)
            return PZ_OK;
    if (graph->edges == growth->room) {
        size_t room = growth->room == 0 ? 1024 : 2 * growth->room;
        uint32_t *targets = realloc(graph->targets, room * sizeof *targets);
        if (targets == NULL)
            return graph_failed(error);
        graph->targets = targets;
        growth->room = room;
    }
    graph->targets[graph->edges++] = to;
    return PZ_OK;
}

/* Adds one successor of a state, and the edge to it. */
static enum pz_status add_successor(struct growth *growth, uint32_t from, const void *successor,
                                    struct pz_error *error)
{
    struct graph *graph = growth->graph;
    uint32_t *place = graph_slot(growth, successor);
    if (*place == NONE && graph->levels[from] == growth->depth) {
        graph->complete = false;
        return PZ_OK;
    }
    if (*place == NONE && graph->count == growth->most)
        return pz_fail(
            error, PZ_TOO_LARGE,
            "more than %u states: it takes a smaller depth= or puzzle, or a larger most=", growth->most);
    if (*place == NONE)
        add_state(growth, place, successor, graph->levels[from] + 1);
    return *place == from ? PZ_OK : add_edge(growth, from, *place, error);
}

static enum pz_status grow_graph(struct growth *growth, const void *root, struct pz_error *error)
{
    struct graph *graph = growth->graph;
    const struct pz_space *space = graph->space;
    enum pz_status status = PZ_OK;
    add_state(growth, graph_slot(growth, root), root, 0);
    for (uint32_t n = 0; n < graph->count && status == PZ_OK; n++) {
        uint64_t state[PZ_STATE_MAX / 8];
        memcpy(state, graph_state(graph, n), space->state_bytes);
        unsigned successors =
            space->puzzle->expand(space, state, PZ_NO_TOKEN, growth->successors, growth->tokens);
        graph->first[n] = graph->edges;
        for (unsigned i = 0; i < successors && status == PZ_OK; i++)
            status = add_successor(
                growth, n, (const uint8_t *)growth->successors + (size_t)i * space->state_bytes, error);
    }
    graph->first[graph->count] = graph->edges;
    return status;
}

enum pz_status graph_init(struct graph *graph, const struct pz_space *space, const void *root, uint32_t depth,
                          uint32_t most, struct pz_error *error)
{
    struct growth growth = {.graph = graph, .depth = depth, .most = most};
    *graph = (struct graph){.space = space, .complete = true};
    if (space->puzzle->expand == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "puzzle %s has no moves that make a graph",
                       space->puzzle->name);
    enum pz_status status = growth_init(&growth, error);
    if (status == PZ_OK)
        status = grow_graph(&growth, root, error);
    growth_clear(&growth);
    if (status != PZ_OK)
        graph_clear(graph);
    return status;
}

void graph_clear(struct graph *graph)
{
    free(graph->states);
    free(graph->levels);
    free(graph->first);
    free(graph->targets);
    *graph = (struct graph){0};
}
