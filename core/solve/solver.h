/* SPDX-License-Identifier: MIT */
/* The solvers, which are the rows of solve_run's table, and what they share: bounds, endings, paths. */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "explore/striped/search/search.h"
#include "solve/solve_request.h"

#include <math.h>

/* ---- endings: they write the outcome into a result ---- */

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

/* ---- the lower bound that a search goes by ---- */

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

/* ---- the path back to the root of a breadth-first search, by the distances that its set has kept ---- */

struct path_request {
    const struct search *search; /* keeps all states; its levels below the key's are complete */
    const struct pz_space *space;
    const uint64_t *key;
    uint32_t level; /* the key's distance from the root */
    struct control *control;
    struct budget *budget; /* as much of it as is free may be used beside what was taken */
};

/*
 * Writes a shortest path from the root to the key: level + 1 states in that order. In reversible spaces a
 * state's predecessors are among its successors. In others the states of the level below are expanded until
 * one leads to it, which is about as much work as the search. PZ_OK, PZ_CANCELLED, PZ_LIMIT (deadline),
 * PZ_MEMORY.
 */
enum pz_status path_trace(const struct path_request *request, uint8_t *states, struct pz_error *error);

/* ---- the rows of solve_run's table ---- */

typedef enum pz_status solver(const struct solve_request *request, struct control *control,
                              struct solve_result *result, struct pz_error *error);

/* A* (Hart, Nilsson, Raphael 1968) on packed states of any space, by the request's lower bound or the
 * puzzle's own; without one, by distance alone. Memory that the budget refuses ends it as stopped. One
 * thread. */
solver astar_run;
/* Breadth-first search from the start until a goal is met: for any space, and any kind of goal. */
solver bfs_run;
/* Breadth-first search from both ends (Pohl 1971), level by level, always the side whose frontier is smaller.
 * Needs reversible moves and one goal; solve_run has checked both. */
solver bidirectional_run;
/* IDA* on any space by the request's lower bound, or the space's own (heuristic()). One thread, and memory
 * for one path. Where no solution exists and solvable() does not say so, the search may end only at a
 * limit. */
solver own_bound_run;

/* The partition text that asks for no database. */
#define IDASTAR_MANHATTAN "manhattan"
/* IDA* (Korf 1985) for plain sliding puzzles, any size (by metric=multi those of multi_takes), any goal:
 * with additive pattern databases where they
 * are stored or can be built within the budget, with Manhattan distance otherwise. The start is solvable and
 * not the goal. Without request->partition, databases are loaded or built only after a short search without
 * any has failed, and never for boards of up to 9 cells. If the best databases do not fit the budget, smaller
 * ones are taken, and in the end none. */
solver idastar_run;

#endif
