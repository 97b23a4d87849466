/* SPDX-License-Identifier: MIT */
/* Endings of solvers: they write the outcome into a result. */
#ifndef SOLVE_ENDING_H
#define SOLVE_ENDING_H

#include "explore/striped/search/search.h"
#include "solve/solve_request.h"

/* Takes over the path, malloc'd, of moves + 1 states. */
static inline void ending_solved(struct solve_result *result, uint32_t moves, uint8_t *path)
{
    result->outcome = OUTCOME_DONE;
    result->solvable = PZ_YES;
    result->moves = moves;
    result->path = path;
}

/* A limit was met: no solution is shorter than at_least. */
static inline enum pz_status ending_stopped(struct solve_result *result, enum stop_reason reason,
                                            int64_t at_least)
{
    result->outcome = OUTCOME_STOPPED;
    result->solvable = PZ_UNKNOWN;
    result->reason = reason;
    result->at_least = at_least;
    return PZ_OK;
}

/* The caller stopped it: no solution is shorter than at_least. */
static inline enum pz_status ending_cancelled(struct solve_result *result, int64_t at_least,
                                              struct pz_error *error)
{
    result->at_least = at_least;
    return pz_fail(error, PZ_CANCELLED, "cancelled");
}

/* Ends a search that found no goal. HALT_NONE: everything that can be reached was visited. Otherwise a limit
 * or the caller stopped it. */
static inline enum pz_status ending_without(enum halt halt, int64_t at_least, struct solve_result *result,
                                            struct pz_error *error)
{
    if (halt == HALT_CANCELLED)
        return ending_cancelled(result, at_least, error);
    if (halt != HALT_NONE)
        return ending_stopped(result,
                              halt == HALT_MEMORY ? STOP_MEMORY
                              : halt == HALT_TIME ? STOP_TIME
                                                  : STOP_LEVELS,
                              at_least);
    result->outcome = OUTCOME_DONE;
    result->solvable = PZ_NO;
    result->reason = STOP_NONE;
    return PZ_OK;
}

#endif
