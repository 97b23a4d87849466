/* SPDX-License-Identifier: MIT */
/*
 * Searches by a lower bound that is made for the question: those that the request names, clusters of boxes
 * for Sokoban, databases of abstractions for texts, which have no bound of their own. What takes seconds to
 * make comes after a first search in little memory, which ends most questions.
 */
#ifndef SOLVE_GUIDED_H
#define SOLVE_GUIDED_H

#include "solve/abstraction/abstractions.h"
#include "solve/bounds/named_bound.h"
#include "solve/solver.h"

/* The bound, and what it is made of: one of these at the most. */
struct guide {
    struct named_bound *named;
    struct sokoban_clusters *clusters;
    struct abstractions *abstractions;
    struct solve_bound bound; /* by one of the last two */
};

/* Returns true if the request, by that method, is for guided_run. */
bool guided_takes(const struct solve_request *request, enum method method);
/* Searches by the method; blind runs it by the request's bound, or without. request->bound is set to that of
 * the guide, a zeroed one, if the search went by it: the caller clears the guide when it no longer asks. */
enum pz_status guided_run(struct solve_request *request, enum method method, solver *blind,
                          struct guide *guide, struct control *control, struct solve_result *result,
                          struct pz_error *error);
void guide_clear(struct guide *guide);

#endif
