/* SPDX-License-Identifier: MIT */
/*
 * The ranked engine: all states of a space that numbers them, with moves that can be undone, in two bits a
 * state and an eighth. docs/engines.md has the how.
 */
#ifndef EXPLORE_RANKED_RANKED_H
#define EXPLORE_RANKED_RANKED_H

#include "explore/explore.h"

/* As in explore.h and explore.c. The table is that of table.h. With a depth no table is made. */
bool ranked_takes(const struct explore_request *request);
enum pz_status ranked_check_memory(const struct explore_request *request, uint64_t limit,
                                   struct pz_error *error);
enum pz_status ranked_run(const struct explore_request *request, struct control *control,
                          const struct explore_sink *sink, struct explore_result *result,
                          struct pz_error *error);
enum pz_status ranked_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                               struct pz_error *error);

#endif
