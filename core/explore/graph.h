/* SPDX-License-Identifier: MIT */
/* A small state space as a graph: every state with its level and its successors, held in memory at once. */
#ifndef EXPLORE_GRAPH_H
#define EXPLORE_GRAPH_H

#include "base/table/state_table.h"
#include "explore/explore.h"

/* States are numbered in the order of a breadth-first search, the root is 0. Read-only once it is made; it
 * must not move. */
struct graph {
    const struct pz_space *space; /* the caller's; must outlive the graph */
    uint32_t count;
    uint32_t depth; /* the last level */
    size_t edges;
    bool complete; /* no state has a successor beyond the depth asked for */
    struct budget budget;
    size_t held; /* taken from it beside the table's bytes */
    struct state_table table;
    uint32_t *levels; /* of each state, in the table */
    size_t
        *first; /* count + 1: the successors of state n are targets[first[n]] … targets[first[n + 1] − 1] */
    uint32_t *targets; /* of the edges: each successor of a state once, and never the state itself */
};

enum { GRAPH_MOVES_MOST = 1 << 21 }; /* of all states together */

/*
 * Explores from root to the given level (EXPLORE_NO_LIMIT for all) on the calling thread, in memory of the
 * budget, NULL for any. Returns PZ_TOO_LARGE if there are more than most states or too many moves,
 * PZ_UNSUPPORTED if the puzzle has no moves, or PZ_MEMORY. On success the caller calls graph_clear.
 */
enum pz_status graph_init(struct graph *graph, const struct pz_space *space, const void *root, uint32_t depth,
                          uint32_t most, struct budget *budget, struct pz_error *error);
void graph_clear(struct graph *graph); /* a zeroed one is fine */

static inline const void *graph_state(const struct graph *graph, uint32_t number)
{
    return state_table_at(&graph->table, number);
}

#endif
