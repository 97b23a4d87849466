/* SPDX-License-Identifier: MIT */
/*
 * Solves puzzles of texts, which have no lower bound of their own: by pattern databases of abstractions where
 * the question is worth them.
 */
#ifndef SOLVE_BY_PROJECTION_H
#define SOLVE_BY_PROJECTION_H

#include "solve/projected/projected.h"

/* The databases of a search, and the bound by them. */
struct guide {
    struct projected *projected; /* NULL: there are none */
    struct named_bound *named;   /* in their place: bounds that the request names, solve.c's; NULL for none */
    struct solve_bound bound;
};

/* Returns true if the request, by that method, is for by_projection_run. */
bool by_projection_takes(const struct solve_request *request, enum method method);

/* A row of solve_run's table, as is blind, which runs the method without a bound. request->bound is set to
 * that of the guide, which the caller clears, if the search went by it. */
typedef enum pz_status by_projection_blind(const struct solve_request *request, struct control *control,
                                           struct solve_result *result, struct pz_error *error);
enum pz_status by_projection_run(struct solve_request *request, enum method method,
                                 by_projection_blind *blind, struct guide *guide, struct control *control,
                                 struct solve_result *result, struct pz_error *error);
void guide_clear(struct guide *guide); /* a zeroed one is fine */

#endif
