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
    uint64_t moves;      /* looked at */
    uint32_t *lately;    /* of a state: the last one with an edge to it, by its number plus 1 */
    uint8_t *successors; /* of one state */
    uint8_t *tokens;
};

static enum pz_status graph_failed(struct pz_error *error)
{
    return pz_fail(error, PZ_MEMORY, "no memory for a graph");
}

/* Takes bytes beside the table's. */
static bool hold(struct graph *graph, size_t bytes)
{
    const bool taken = budget_take(&graph->budget, bytes);
    graph->held += taken ? bytes : 0;
    return taken;
}

static enum pz_status add_edge(struct growth *growth, uint32_t from, uint32_t to, struct pz_error *error)
{
    struct graph *graph = growth->graph;
    assert(from < graph->count && to < graph->count && graph->count <= growth->most);
    if (growth->lately[to] == from + 1)
        return PZ_OK;
    growth->lately[to] = from + 1;
    if (graph->edges == growth->room) {
        const size_t room = growth->room == 0 ? 1024 : 2 * growth->room;
        uint32_t *targets = hold(graph, (room - growth->room) * sizeof *targets)
                                ? realloc(graph->targets, room * sizeof *targets)
                                : NULL;
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
        growth->moves += successors;
        if (growth->moves > GRAPH_MOVES_MOST)
            return pz_fail(error, PZ_TOO_LARGE, "more than %d moves: it takes a smaller depth= or puzzle",
                           GRAPH_MOVES_MOST);
        for (unsigned i = 0; i < successors && status == PZ_OK; i++)
            status = add_successor(growth, n, growth->successors + (size_t)i * space->state_bytes, error);
    }
    graph->first[graph->count] = graph->edges;
    return status;
}

enum pz_status graph_init(struct graph *graph, const struct pz_space *space, const void *root, uint32_t depth,
                          uint32_t most, struct budget *budget, struct pz_error *error)
{
    const size_t numbers = ((size_t)most + 1) * sizeof *graph->first;
    struct growth growth = {.graph = graph, .depth = depth, .most = most};
    *graph = (struct graph){.space = space, .complete = true};
    if (space->puzzle->expand == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "puzzle %s has no moves that make a graph",
                       space->puzzle->name);
    growth.successors = malloc((size_t)space->max_successors * space->state_bytes);
    growth.tokens = malloc(space->max_successors);
    budget_init(&graph->budget, budget,
                ((uint64_t)most + TABLE_CHUNK) * (space->state_bytes + sizeof *graph->levels) +
                    ((uint64_t)most + LEAST_SLOTS) * SLOTS_BYTES + numbers +
                    2 * GRAPH_MOVES_MOST * sizeof *graph->targets);
    growth.lately = calloc((size_t)most + 1, sizeof *growth.lately);
    if (hold(graph, numbers))
        graph->first = calloc((size_t)most + 1, sizeof *graph->first);
    const bool made =
        growth.successors != NULL && growth.tokens != NULL && graph->first != NULL && growth.lately != NULL &&
        state_table_init(&graph->table, &graph->budget, space->state_bytes, sizeof *graph->levels);
    graph->levels = (uint32_t *)(void *)graph->table.own;
    enum pz_status status = made ? grow_graph(&growth, root, error) : graph_failed(error);
    free(growth.successors);
    free(growth.tokens);
    free(growth.lately);
    if (status != PZ_OK)
        graph_clear(graph);
    return status;
}

void graph_clear(struct graph *graph)
{
    state_table_clear(&graph->table);
    free(graph->first);
    free(graph->targets);
    if (graph->held > 0)
        budget_give(&graph->budget, graph->held);
    *graph = (struct graph){0};
}
