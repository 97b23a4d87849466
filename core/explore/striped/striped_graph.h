/* SPDX-License-Identifier: MIT */
/* The states that a search found, with every edge between them: a graph for a search from all goals, against
 * the direction of the edges. */
#ifndef STRIPED_STRIPED_GRAPH_H
#define STRIPED_STRIPED_GRAPH_H

#include "explore/explore.h"
#include "explore/run/monitor.h"
#include "explore/striped/search/search.h"

struct move_graph;

/*
 * Makes the graph of the states of a search that keeps all, frees the search and sets it to NULL. The newest
 * level is then level 0, all goals. Returns PZ_MEMORY if the budget does not hold the graph, PZ_LIMIT at the
 * deadline, PZ_TOO_LARGE for too many states (and leaves the search), PZ_CANCELLED. The searchers must
 * outlive it.
 */
enum pz_status move_graph_new(struct search **search, struct searchers *searchers, struct monitor *monitor,
                              struct move_graph **out, struct pz_error *error);
void move_graph_free(struct move_graph *graph); /* NULL is fine */

/* Makes the next level: the states that have a move to one of the newest. */
void move_graph_next(struct move_graph *graph);
/* Return how many states the newest level has, and how many are in no level. */
uint32_t move_graph_width(const struct move_graph *graph);
uint32_t move_graph_dead(const struct move_graph *graph);
/* Offers the states of the newest level, or of the one before it, to a sample. */
void move_graph_offer(const struct move_graph *graph, uint32_t level, uint64_t seed, struct bottom_k *sample);
/* Moves *at to the next state of the levels up to depth, in ascending order of the keys; with complete also
 * to dead ones, whose distance is depth + 1. Returns false at the end. */
bool move_graph_walk(const struct move_graph *graph, uint64_t *at, uint32_t depth, bool complete,
                     uint64_t *key, uint32_t *distance);

#endif
