/* SPDX-License-Identifier: MIT */
/*
 * The engine for spaces whose moves have costs (PZ_COSTS): level n holds the states whose cheapest path
 * costs n. It can explore any other space, too. It runs on one thread and keeps all states. It searches from
 * the root: from all goals the striped engine's graph does (engines.c). The contracts are those of explore.h
 * and explorer.h. A level (costs_next):
 *
 *     lowest          the least cost at which a state waits is the level; those that no state has make none
 *     pop             a state whose cost is another one by now is passed over; the others are in the level
 *     expand          each successor is offered the level's cost and the move's, and waits if that is less
 */
#ifndef EXPLORE_COSTS_COSTS_H
#define EXPLORE_COSTS_COSTS_H

#include "explore/run/explorer.h"

bool costs_takes(const struct explore_request *request);
enum pz_status costs_check_memory(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error);
enum pz_status costs_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error);
enum pz_status costs_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error);

#endif
