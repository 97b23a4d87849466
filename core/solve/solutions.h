/* SPDX-License-Identifier: MIT */
/*
 * Counts the shortest solutions of a start, and lists the first of them. A solution is a sequence of states:
 * two moves that lead to the same state are one.
 *
 * Breadth-first heuristic search (Zhou and Hansen, AIJ 170, 2006) with counts. The length of a shortest
 * solution is known. Levels of states are generated from the start. A state is kept if, by a lower bound, it
 * may reach a goal in time. Then, from the last level back, each state gets the number of ways from it to a
 * goal: the sum over its successors in the next level. A walk of that length from the start to a goal is a
 * shortest one, so nothing is counted twice and any admissible bound will do.
 */
#ifndef SOLVE_SOLUTIONS_H
#define SOLVE_SOLUTIONS_H

#include "solve/solve_request.h"

enum { SOLUTIONS_CARRIED_MAX = 32 };

/* A state, and one that leads to it by a move; NULL before the start. The bound may keep bytes with each
 * state: it finds those of `from`, and writes those of the state. */
struct solutions_step {
    const void *from, *state;
    const uint8_t *from_carried;
    uint8_t *carried;
};

/* Returns a lower bound of the moves from the state to a goal. */
typedef unsigned solutions_bound(const void *context, const struct solutions_step *step);

struct solutions_request {
    const struct pz_space *space;
    const void *start;
    int64_t moves;       /* of a shortest solution */
    const uint8_t *path; /* one of them, moves + 1 states, for out->onward; NULL for none */
    unsigned list;       /* solutions to write out, the first ones in the order of the successors */
    struct budget *budget;
    solutions_bound *bound; /* NULL for none */
    const void *context;
    unsigned carried; /* bytes that it keeps with each state, up to SOLUTIONS_CARRIED_MAX */
};

/* PZ_OK, PZ_MEMORY, PZ_LIMIT (the deadline), PZ_CANCELLED. The caller frees out->paths. control may be NULL.
 * Progress has the phase "count". */
enum pz_status solutions_find(const struct solutions_request *request, struct control *control,
                              struct solutions *out, struct pz_error *error);

/* Writes the solutions of a solved request into its result. A limit stops the request: its reason is noted,
 * and its solutions are not known. PZ_OK, PZ_CANCELLED. */
enum pz_status solutions_of_result(const struct solutions_request *request, struct control *control,
                                   struct solve_result *result, struct pz_error *error);

#endif
