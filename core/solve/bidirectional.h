/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search from both ends (Pohl 1971), level by level, always the side whose frontier is smaller.
 * Needs reversible moves and one goal; solve_run has checked both.
 */
#ifndef SOLVE_BIDIRECTIONAL_H
#define SOLVE_BIDIRECTIONAL_H

#include "solve/solve_request.h"

/* A row of solve_run's table. */
enum pz_status bidirectional_run(const struct solve_request *request, struct control *control,
                                 struct solve_result *result, struct pz_error *error);

#endif
