/* SPDX-License-Identifier: MIT */
/*
 * Levels of a graph from all goals, along the reversed edges: breadth-first where each move costs one, else
 * Dijkstra's algorithm with a stack for each cost. A state's cost is final when it is popped at that cost; an
 * entry that a cheaper way has made stale is skipped. Costs that no state has make no level.
 */
#include "explore/striped/striped_graph.h"

#include <assert.h>
#include <string.h>

enum { POLL_STATES = 1024 /* between two looks at the control */ };
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
enum pz_status move_graph_begin(struct move_graph *graph)
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

bool move_graph_walk(const struct move_graph *graph, uint64_t *at, uint32_t depth, bool complete,
                     uint64_t *key, uint32_t *distance)
{
    assert(depth <= EXPLORE_COST_MAX && *at <= graph->count);
    for (; *at < graph->count; (*at)++) {
        *distance = graph->distances[*at] == COST_UNREACHED ? depth + 1 : graph->distances[*at];
        if (*distance > depth && !complete)
            continue;
        memcpy(key, graph->keys + (*at)++ * graph->words, graph->words * sizeof *key);
        return true;
    }
    return false;
}
