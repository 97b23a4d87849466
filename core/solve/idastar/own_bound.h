/* SPDX-License-Identifier: MIT */
/* IDA* on any space by the request's lower bound, or the space's own (heuristic()). One thread, and memory
 * for one path. */
#ifndef SOLVE_OWN_BOUND_H
#define SOLVE_OWN_BOUND_H

#include "solve/solve_request.h"

/* A row of solve_run's table. Where no solution exists and solvable() does not say so, the search may end
 * only at a limit. */
enum pz_status own_bound_run(const struct solve_request *request, struct control *control,
                             struct solve_result *result, struct pz_error *error);

#endif
