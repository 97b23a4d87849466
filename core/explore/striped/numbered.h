/* SPDX-License-Identifier: MIT */
/*
 * Searches from goals in spaces that have a ranking function and whose moves can be undone. As in the ranked
 * engine, they start from all goals that have a number, and a numbered state that reaches no goal is dead.
 * The root may reach only a part of these states.
 */
#ifndef STRIPED_NUMBERED_H
#define STRIPED_NUMBERED_H

#include "explore/explore.h"
#include "explore/key/key_list.h"
#include "explore/run/monitor.h"
#include "explore/striped/state_walk.h"

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
