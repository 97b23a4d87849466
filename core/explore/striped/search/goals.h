/* SPDX-License-Identifier: MIT */
/* All goals among the states that a search has found, and a search that begins with them. */
#ifndef STRIPED_GOALS_H
#define STRIPED_GOALS_H

#include "explore/key/key_list.h"
#include "explore/striped/search/search.h"

/* Makes a search that keeps all, and visits all that the root of the options reaches. Returns PZ_CANCELLED if
 * it is told to; where it meets a limit, *halt says which. */
enum pz_status goals_visit(struct searchers *searchers, const struct search_options *options,
                           struct monitor *monitor, struct search **out, enum halt *halt,
                           struct pz_error *error);
/* Collects the goals among the states of a search that keeps all, in ascending order; *goals is zeroed, and
 * its memory is the budget's. Returns PZ_CANCELLED or PZ_MEMORY. */
enum pz_status goals_collect(struct key_list *goals, const struct search *search,
                             const struct pz_space *space, struct budget *budget,
                             const struct control *control, struct pz_error *error);
/* Makes a search whose level 0 is the goals, which come in ascending order. After a failure the caller frees
 * *out, if it is not NULL. */
enum pz_status goals_search(const struct key_list *goals, struct searchers *searchers,
                            const struct search_options *options, struct search **out,
                            struct pz_error *error);

#endif
