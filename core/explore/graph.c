/* SPDX-License-Identifier: MIT */
#include "explore/graph.h"

#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>

/* The table's measures: it grows by so many states at most; bytes of a state's number, while a table of
 * numbers becomes a larger one. */
enum { TABLE_CHUNK = 1 << 15, SLOTS_BYTES = 24, LEAST_SLOTS = 1 << 12 };

/* Needed only while the graph grows. */
struct growth {
    struct graph *graph;
    uint32_t depth, most;
    size_t room;         /* for edges */
    uint8_t *successors; /* of one state */
    uint8_t *tokens;
};

static enum pz_status graph_failed(struct pz_error *error)
{
    return pz_fail(error, PZ_MEMORY, "no memory for a graph");
}

static enum pz_status add_edge(struct growth *growth, uint32_t from, uint32_t to, struct pz_error *error)
{
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
    uint32_t *slot = state_table_slot(&graph->table, successor);
    uint32_t number = *slot - 1;
    if (*slot == 0 && graph->levels[from] == growth->depth) {
        graph->complete = false;
        return PZ_OK;
    }
    if (*slot == 0 && graph->count == growth->most)
        return pz_fail(
            error, PZ_TOO_LARGE,
            "more than %u states: it takes a smaller depth= or puzzle, or a larger most=", growth->most);
    if (*slot == 0) {
        number = state_table_put(&graph->table, slot, successor);
        if (number == STATE_TABLE_NONE)
            return graph_failed(error);
        graph->levels[number] = graph->depth = graph->levels[from] + 1;
        graph->count = graph->table.count;
        assert(graph->count <= growth->most);
    }
    return number == from ? PZ_OK : add_edge(growth, from, number, error);
}

static enum pz_status grow_graph(struct growth *growth, const void *root, struct pz_error *error)
{
    struct graph *graph = growth->graph;
    const struct pz_space *space = graph->space;
    enum pz_status status = state_table_add(&graph->table, root) == 0 ? PZ_OK : graph_failed(error);
    graph->count = 1;
    for (uint32_t n = 0; n < graph->count && status == PZ_OK; n++) {
        unsigned successors = space->puzzle->expand(space, graph_state(graph, n), PZ_NO_TOKEN,
                                                    growth->successors, growth->tokens);
        graph->first[n] = graph->edges;
        for (unsigned i = 0; i < successors && status == PZ_OK; i++)
            status = add_successor(growth, n, growth->successors + (size_t)i * space->state_bytes, error);
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
    growth.successors = malloc((size_t)space->max_successors * space->state_bytes);
    growth.tokens = malloc(space->max_successors);
    graph->first = calloc((size_t)most + 1, sizeof *graph->first);
    budget_init(&graph->budget, NULL,
                ((uint64_t)most + TABLE_CHUNK) * (space->state_bytes + sizeof *graph->levels) +
                    ((uint64_t)most + LEAST_SLOTS) * SLOTS_BYTES);
    const bool made =
        growth.successors != NULL && growth.tokens != NULL && graph->first != NULL &&
        state_table_init(&graph->table, &graph->budget, space->state_bytes, sizeof *graph->levels);
    graph->levels = (uint32_t *)(void *)graph->table.own;
    enum pz_status status = made ? grow_graph(&growth, root, error) : graph_failed(error);
    free(growth.successors);
    free(growth.tokens);
    if (status != PZ_OK)
        graph_clear(graph);
    return status;
}

void graph_clear(struct graph *graph)
{
    state_table_clear(&graph->table);
    free(graph->first);
    free(graph->targets);
    *graph = (struct graph){0};
}
