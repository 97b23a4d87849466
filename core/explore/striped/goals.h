/* SPDX-License-Identifier: MIT */
/*
 * All goals, for a search that begins with them: among the states that a search has found, or, where the
 * space has a ranking function and moves can be undone, among all states that have a rank. In the latter
 * case, as in the ranked engine, a state that has a rank and reaches no goal is dead; the root may reach only
 * a part of these states.
 */
#ifndef STRIPED_GOALS_H
#define STRIPED_GOALS_H

#include "explore/explore.h"
#include "explore/key/key_list.h"
#include "explore/run/monitor.h"
#include "explore/striped/search/search.h"
#include "explore/striped/state_walk.h"

/* ---- among the states that a search has found ---- */

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

/* ---- among the states that have a rank ---- */

/* Returns true if the request is from goals, in such a space. */
bool numbered_suits(const struct explore_request *request);
/* Collects all goals, in ascending order of their keys; *goals is zeroed, and its memory is the budget's.
 * Returns PZ_CANCELLED, PZ_LIMIT or PZ_MEMORY. */
enum pz_status numbered_goals(const struct explore_request *request, struct monitor *monitor,
                              struct key_list *goals, struct pz_error *error);
/* The dead states, made at the first call of numbered_walk; zeroed before. */
struct numbered {
    struct key_list dead; /* in ascending order */
    bool known;
};

/* Adds the dead states, if there are any, to what is walked through. The search is complete. Returns
 * PZ_CANCELLED or PZ_MEMORY, or what state_walk_status does. */
enum pz_status numbered_walk(struct numbered *numbered, const struct explore_request *request,
                             struct monitor *monitor, struct walked *walked, struct pz_error *error);
/* Returns how many states are dead, after a complete search that has found so many others. */
uint64_t numbered_dead(const struct explore_request *request, uint64_t states);
void numbered_clear(struct numbered *numbered, struct budget *budget);

#endif
