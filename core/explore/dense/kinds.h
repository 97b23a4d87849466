/* SPDX-License-Identifier: MIT */
/* The kinds of planes that a dense search may have. */
#ifndef EXPLORE_DENSE_KINDS_H
#define EXPLORE_DENSE_KINDS_H

#include "explore/dense/level/dense_levels.h"

const struct levels_kind *levels_kind(enum explore_planes planes); /* not of PLANES_AUTO */
/* Returns the bytes of memory that a search with such planes takes. Coded bytes are estimated from above. */
uint64_t levels_bytes(const struct dense_geometry *geometry, const struct explore_request *request,
                      enum explore_planes planes);
/* Returns the bytes of them that may lie in scratch space instead. */
uint64_t levels_packets(const struct dense_geometry *geometry, const struct explore_request *request,
                        enum explore_planes planes);

#endif
