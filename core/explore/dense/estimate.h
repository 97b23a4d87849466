/* SPDX-License-Identifier: MIT */
/* Memory and passes of a dense search, known before it begins. */
#ifndef EXPLORE_DENSE_ESTIMATE_H
#define EXPLORE_DENSE_ESTIMATE_H

#include "explore/dense/geometry.h"
#include "explore/explore.h"

/* The kind of planes for the request within limit bytes: what it asks for, or the first that fits.
 * PLANES_AUTO when none does. */
enum explore_planes dense_planes(const struct dense_geometry *geometry, const struct explore_request *request,
                                 uint64_t limit);

/* PZ_UNSUPPORTED with a reason when the space is none of this engine's. */
enum pz_status dense_knows(const struct pz_space *space, struct pz_error *error);
/* As above, for what is asked of the space. */
enum pz_status dense_can(const struct explore_request *request, struct pz_error *error);

/* The canonical geometry of a space and a root. view may be NULL. */
struct view;
void dense_geometry_of(const struct explore_request *request, struct dense_geometry *geometry,
                       struct view *view);

/* "12.6G": bytes in powers of 1000 with one decimal place. */
enum { DENSE_SIZE_TEXT = 16 };
const char *dense_size_text(uint64_t bytes, char out[DENSE_SIZE_TEXT]);

#endif
