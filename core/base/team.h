/* SPDX-License-Identifier: MIT */
/*
 * A team of threads that work in step: every member runs the same function, and members meet at a
 * barrier. The thread that owns the team is member 0, so a team of one starts no thread at all. Where there
 * is a processor for each member, one that waits for others is awake for some tens of microseconds before it
 * sleeps.
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include "puzzled/status.h"

enum { TEAM_MAX = 64 };

struct team;

/* member counts from 0. */
typedef void team_function(void *context, unsigned member);

/* Starts the other size - 1 threads (1 <= size <= TEAM_MAX). They run at low scheduling priority, so that
 * what answers requests goes first. Fails with PZ_MEMORY when the system has no threads left. */
enum pz_status team_new(unsigned size, struct team **out, struct pz_error *error);
/* Ends and joins them; by the owner, outside team_run. NULL is fine. */
void team_free(struct team *team);
unsigned team_size(const struct team *team);

/* Runs function on every member and returns when all have returned. By the owner only. What the members
 * wrote is visible to the owner afterwards, and what the owner wrote before is visible to them. */
void team_run(struct team *team, team_function *function, void *context);

/* Waits for all members; within team_run, by every member the same number of times. Returns true on
 * exactly one of them, for work that is to be done once. */
bool team_barrier(struct team *team);

#endif
