/* SPDX-License-Identifier: MIT */
/* Traces a path back to the root of a breadth-first search, by the distances that its set has kept. */
#ifndef SOLVE_PATH_H
#define SOLVE_PATH_H

#include "explore/striped/search/search.h"

struct path_request {
    const struct search *search; /* keeps all states; its levels below the key's are complete */
    const struct pz_space *space;
    const uint64_t *key;
    uint32_t level; /* the key's distance from the root */
    struct control *control;
};

/*
 * Writes a shortest path from the root to the key: level + 1 states in that order. In reversible spaces a
 * state's predecessors are among its successors. In others the states of the level below are expanded until
 * one leads to it, which is about as much work as the search. PZ_OK, PZ_CANCELLED, PZ_LIMIT (deadline),
 * PZ_MEMORY.
 */
enum pz_status path_trace(const struct path_request *request, uint8_t *states, struct pz_error *error);

#endif
