/* SPDX-License-Identifier: MIT */
/* Traces a path back to the root of a breadth-first search, by the distances that its set has kept. */
#ifndef SOLVE_PATH_H
#define SOLVE_PATH_H

#include "explore/striped/search.h"

/*
 * Writes a shortest path from root to key, level + 1 states in that order, to states. level is the key's
 * distance, and the levels below are complete. The search keeps all states. In reversible spaces a state's
 * predecessors are among its successors; in others the states of the level below are expanded until one leads
 * to it: about as much work as the search. PZ_OK, PZ_CANCELLED, PZ_LIMIT (deadline), PZ_MEMORY.
 */
enum pz_status path_trace(const struct search *search, const struct pz_space *space, struct control *control,
                          const uint64_t *key, uint32_t level, uint8_t *states, struct pz_error *error);

#endif
