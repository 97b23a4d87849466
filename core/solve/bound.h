/* SPDX-License-Identifier: MIT */
/* The lower bound that a search goes by. */
#ifndef SOLVE_BOUND_H
#define SOLVE_BOUND_H

#include "solve/solve_request.h"

#include <math.h>

/* bound: NULL for the space's own; 0 where it has none. */
static inline unsigned bound_of(const struct solve_bound *bound, const struct pz_space *space,
                                const void *state)
{
    if (bound != NULL)
        return bound->of(bound->context, state);
    return space->puzzle->heuristic != NULL ? space->puzzle->heuristic(space, state) : 0;
}

/* Returns what a search goes by: the moves to a state and the bound of those from it, by the weight. */
static inline uint64_t bound_weighted(const struct solve_request *request, uint64_t moves, unsigned bound)
{
    if (request->weight <= 1)
        return moves + bound;
    return isinf(request->weight) ? bound : moves + (uint64_t)(request->weight * bound);
}

/* Notes what was proven of a path: its moves, or costs, and a number than which none is less. */
static inline void bound_note_proven(const struct solve_request *request, int64_t length, int64_t at_least,
                                     struct solve_result *result)
{
    if (request->weight <= 1 || at_least >= length)
        return;
    result->bound =
        isinf(request->weight) && at_least > 0 ? (double)length / (double)at_least : request->weight;
    result->at_least = at_least;
}

#endif
