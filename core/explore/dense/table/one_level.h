/* SPDX-License-Identifier: MIT */
/* Searches a small puzzle again up to one level, to choose among all states of that level. */
#ifndef EXPLORE_DENSE_ONE_LEVEL_H
#define EXPLORE_DENSE_ONE_LEVEL_H

#include "explore/dense/level/examples.h"

/* Chooses among the states of the level and fills in their number; none beyond the last level. Runs on the
 * calling thread alone. Its planes are taken from no budget: 40 MB for 12 cells. */
enum pz_status one_level_choose(const struct dense_geometry *geometry, uint32_t level,
                                struct examples *examples, struct pz_error *error);

#endif
