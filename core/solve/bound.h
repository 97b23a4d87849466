/* SPDX-License-Identifier: MIT */
/* The lower bound that a search goes by. */
#ifndef SOLVE_BOUND_H
#define SOLVE_BOUND_H

#include "solve/solve_request.h"

/* bound: NULL for the space's own; 0 where it has none. */
static inline unsigned bound_of(const struct solve_bound *bound, const struct pz_space *space,
                                const void *state)
{
    if (bound != NULL)
        return bound->of(bound->context, state);
    return space->puzzle->heuristic != NULL ? space->puzzle->heuristic(space, state) : 0;
}

#endif
