/* SPDX-License-Identifier: MIT */
/*
 * A search whose planes are coded group by group: everything that it needs, put together within its budget.
 * docs/engines.md has the way. By the thread that owns the search.
 */
#ifndef EXPLORE_DENSE_CODED_H
#define EXPLORE_DENSE_CODED_H

#include "explore/dense/grouped.h"
#include "explore/explore.h"

struct coded;

struct coded_options {
    const struct explore_request *request;
    enum explore_planes planes; /* PLANES_CODED or PLANES_DISK */
    const struct plan *plan;
    const struct kernel *kernel;
    struct team *team;
    struct control *control; /* may be NULL */
};

/* Bytes that a search by such planes takes: those of coded_new, and with all what it codes in memory,
 * estimated from above. */
uint64_t coded_bytes(const struct dense_geometry *geometry, enum explore_planes planes, unsigned threads,
                     bool all);
/* True when planes of the geometry can be coded. */
bool coded_fits(const struct dense_geometry *geometry);

/* Takes what it allocates from the request's budget, then and later; all options must outlive it. */
enum pz_status coded_new(const struct coded_options *options, struct coded **out, struct pz_error *error);
void coded_free(struct coded *coded); /* NULL is fine */
struct grouped *coded_levels(const struct coded *coded);
/* Of the budget now, and of the disk. */
uint64_t coded_memory(const struct coded *coded);
void coded_figures(const struct coded *coded, struct pieces_figures *out);

#endif
