/* SPDX-License-Identifier: MIT */
/* Sokoban by A*: a short search by the level's own bound, then one by clusters of boxes, too. */
#ifndef SOLVE_BY_CLUSTERS_H
#define SOLVE_BY_CLUSTERS_H

#include "solve/abstraction/abstractions.h"

/* Returns true if the request, by that method, is for by_clusters_run. */
bool by_clusters_takes(const struct solve_request *request, enum method method);
/* Searches. request->bound is set to that of the guide, which the caller clears, if the search went by it. */
enum pz_status by_clusters_run(struct solve_request *request, struct guide *guide, struct control *control,
                               struct solve_result *result, struct pz_error *error);

#endif
