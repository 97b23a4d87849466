/* SPDX-License-Identifier: MIT */
/* Searching a small puzzle again up to one level, to choose among all its states. */
#ifndef EXPLORE_DENSE_REPLAY_H
#define EXPLORE_DENSE_REPLAY_H

#include "explore/dense/examples.h"

/* Chooses up to most states of the level, each subset equally likely; *count is 0 beyond the last level. On
 * the calling thread alone; the planes are unaccounted, 40 MB for 12 cells. */
enum pz_status replay_level(const struct dense_geometry *geometry, uint32_t level, unsigned most,
                            uint64_t seed, struct examples_place *out, unsigned *count,
                            struct pz_error *error);

#endif
