/* SPDX-License-Identifier: MIT */
/* How the breadth-first solvers end: what they write into a result. */
#ifndef SOLVE_ENDING_H
#define SOLVE_ENDING_H

#include "explore/striped/search.h"
#include "solve/solve.h"

/* Takes the path, malloc'd, of moves + 1 states. */
static inline void ending_solved(struct solve_result *result, uint32_t moves, uint8_t *path)
{
    result->outcome = OUTCOME_DONE;
    result->solvable = PZ_YES;
    result->moves = moves;
    result->path = path;
}

/* HALT_NONE: everything that can be reached was visited, and no goal was there. Else a limit, or the caller.
 */
static inline enum pz_status ending_without(enum halt halt, struct solve_result *result,
                                            struct pz_error *error)
{
    if (halt == HALT_CANCELLED)
        return pz_fail(error, PZ_CANCELLED, "cancelled");
    result->outcome = halt == HALT_NONE ? OUTCOME_DONE : OUTCOME_STOPPED;
    result->solvable = halt == HALT_NONE ? PZ_NO : PZ_UNKNOWN;
    result->reason = halt == HALT_MEMORY ? STOP_MEMORY
                     : halt == HALT_TIME ? STOP_TIME
                     : halt == HALT_NONE ? STOP_NONE
                                         : STOP_LEVELS;
    return PZ_OK;
}

#endif
