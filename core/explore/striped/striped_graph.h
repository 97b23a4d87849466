/* SPDX-License-Identifier: MIT */
/* States with every move between them: a graph for a search from all goals against the direction of the moves
 * (retrograde analysis), where moves cannot be undone or have costs. */
#ifndef STRIPED_STRIPED_GRAPH_H
#define STRIPED_STRIPED_GRAPH_H

#include "base/table/cost_queue.h"
#include "explore/explore.h"
#include "explore/run/monitor.h"
#include "explore/run/turns.h"
#include "explore/striped/search/search.h"

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what threads write has cache lines of its own */
struct move_graph {
    unsigned words;
    unsigned shift; /* turns a key's first word into its place in the directory */
    uint32_t count;
    uint64_t *keys;          /* count × words, ascending */
    uint32_t *directory;     /* the first state from each value of the high bits on, and the count */
    _Atomic uint64_t *first; /* count + 1: where a state's edges begin; at first, how many it has */
    uint32_t *sources;       /* of the edges, by the state that they lead to */
    uint32_t *costs;         /* of the edges, as sources; NULL where each is one */
    uint32_t *distances;
    uint32_t *order;             /* states in the order in which they were reached */
    uint32_t before, begin, to;  /* in order: where the last two levels begin, and where the newest ends */
    uint32_t level;              /* the newest */
    uint64_t bytes;              /* of the budget */
    struct searchers *searchers; /* whose workers expand */
    struct monitor *monitor;
    struct turns turns; /* of a pass: a block of states each */
    bool filling;       /* the pass fills edges in; else it counts them */
    bool has_costs;
    uint32_t *move_costs; /* of one state, by worker */
    struct cost_queue queue;
};

/*
 * Makes the graph of the states of a search that keeps all, frees the search and sets it to NULL; if that is
 * NULL, of all states that have a rank. The newest level is then level 0: the goals, and what reaches them at
 * no cost. Returns PZ_MEMORY if the budget does not hold the graph, PZ_LIMIT at the deadline, PZ_TOO_LARGE
 * for too many states (and leaves the search), PZ_CANCELLED. The searchers must outlive it.
 */
enum pz_status move_graph_new(struct search **search, struct searchers *searchers, struct monitor *monitor,
                              struct move_graph **out, struct pz_error *error);
void move_graph_free(struct move_graph *graph); /* NULL is fine */

/* Makes the next level, of the states whose cheapest path to a goal costs the same; it has no state after the
 * last one. Returns PZ_CANCELLED, or PZ_LIMIT with *limit: that level is beyond depth, or time, memory or
 * costs have ended. The newest level then stays as it was. */
enum pz_status move_graph_next(struct move_graph *graph, uint32_t depth, enum stop_reason *limit);
/* Returns true if the newest level is the last one. The levels that are left may be made for that. */
bool move_graph_exhausted(struct move_graph *graph);
/* Offers the states of the newest level, or of the one before it, to a sample. */
void move_graph_offer(const struct move_graph *graph, uint32_t level, uint64_t seed, struct bottom_k *sample);
/* Returns how many states the newest level has. */
static inline uint32_t move_graph_width(const struct move_graph *graph)
{
    return graph->to - graph->begin;
}

/* Returns how many states are in no level once the last one is made; before it, with costs, 0. */
static inline uint32_t move_graph_dead(const struct move_graph *graph)
{
    return graph->to < graph->queue.reached ? 0 : graph->count - graph->to - graph->queue.far;
}

#endif
