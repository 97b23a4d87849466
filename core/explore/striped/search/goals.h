/* SPDX-License-Identifier: MIT */
/* All goals among the states that a search has found, and a search that begins with them. */
#ifndef STRIPED_GOALS_H
#define STRIPED_GOALS_H

#include "explore/striped/search/search.h"

/* The goals, as keys in ascending order. */
struct goals {
    uint64_t *keys; /* malloc'd; the caller frees them */
    uint64_t count, room;
};

/* Collects the goals among the states of a search that keeps all; *goals is zeroed. Returns PZ_CANCELLED or
 * PZ_MEMORY. */
enum pz_status goals_collect(struct goals *goals, const struct search *search, const struct pz_space *space,
                             const struct control *control, struct pz_error *error);
/* Makes a search whose level 0 is the goals. After a failure the caller frees *out, if it is not NULL. */
enum pz_status goals_search(const struct goals *goals, struct searchers *searchers,
                            const struct search_options *options, struct search **out,
                            struct pz_error *error);

#endif
