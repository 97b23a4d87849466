/* SPDX-License-Identifier: MIT */
/* Breadth-first search from the start until a goal is met: for any space, and any kind of goal. */
#ifndef SOLVE_BFS_H
#define SOLVE_BFS_H

#include "solve/solve_request.h"

/* A row of solve_run's table. */
enum pz_status bfs_run(const struct solve_request *request, struct control *control,
                       struct solve_result *result, struct pz_error *error);

#endif
