/* SPDX-License-Identifier: MIT */
/* IDA* on any space by the space's own lower bound (heuristic()). One thread, and memory for one path. */
#ifndef SOLVE_OWN_BOUND_H
#define SOLVE_OWN_BOUND_H

#include "solve/solve.h"

/* As a row of solve_run's table. Where there is no solution, and solvable() does not say so, it ends at a
 * limit only. */
enum pz_status own_bound_run(const struct solve_request *request, struct control *control,
                             struct solve_result *result, struct pz_error *error);

#endif
