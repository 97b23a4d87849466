/* SPDX-License-Identifier: MIT */
/*
 * A* (Hart, Nilsson, Raphael 1968) on packed states of any space. The lower bound is the puzzle's own hook,
 * Manhattan distance with linear conflict for sliding puzzles; a puzzle without one is searched by distance
 * alone.
 */
#ifndef SOLVE_ASTAR_H
#define SOLVE_ASTAR_H

#include "solve/solve_request.h"

/* A row of solve_run's table. Memory that the budget refuses ends it as stopped. One thread. */
enum pz_status astar_run(const struct solve_request *request, struct control *control,
                         struct solve_result *result, struct pz_error *error);

#endif
