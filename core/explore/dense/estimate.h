/* SPDX-License-Identifier: MIT */
/* Memory and passes of a dense search, known before it begins. */
#ifndef EXPLORE_DENSE_ESTIMATE_H
#define EXPLORE_DENSE_ESTIMATE_H

#include "explore/dense/index/geometry.h"
#include "explore/explore.h"

/* Returns the kind of planes for the request within limit bytes: what it asks for, or the first that fits;
 * PLANES_AUTO if none does. With PLANES_AUTO a table is made from planes on disk only if the estimate of
 * their scratch space is within request->disk, where that is not 0. */
enum explore_planes dense_planes(const struct dense_geometry *geometry, const struct explore_request *request,
                                 uint64_t limit);

/* Returns PZ_OK if the engine can do all that the request asks, else PZ_UNSUPPORTED with a reason. */
enum pz_status dense_can(const struct explore_request *request, struct pz_error *error);

/* Finds the canonical geometry of a space and a root, and the view that leads to it. view may be NULL. */
struct board_view;
void dense_geometry_of(const struct explore_request *request, struct dense_geometry *geometry,
                       struct board_view *view);

/* Returns out with a text like "12.6G": bytes in powers of 1024, as sizes are given, rounded up to one
 * decimal place. */
enum { DENSE_SIZE_TEXT = 48 };
const char *dense_size_text(uint64_t bytes, char out[DENSE_SIZE_TEXT]);

/* Returns true if engine=auto means this engine: for the whole of a plain sliding space of a size it knows,
 * or for a part of it if the request names a kind of planes; by metric:multi on one machine, and with coded
 * planes only if they have room for its orbits (orbits_fit) and no table is kept. No other engine could
 * finish in less memory, so this engine refuses a budget that is too small, and no other engine is tried. */
bool dense_takes(const struct explore_request *request);

/* Returns PZ_TOO_LARGE, with what would suffice, if it would need more than limit bytes; PZ_UNSUPPORTED if
 * the engine cannot do what is asked for. */
enum pz_status dense_check_memory(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error);

/* Estimates what a search would take. Returns PZ_UNSUPPORTED if the engine cannot do what is asked for. The
 * budget is not looked at. */
enum pz_status dense_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error);

#endif
