/* SPDX-License-Identifier: MIT */
/*
 * What a long SOLVE leaves behind: the length below which it has found that there is no solution, as the job's
 * checkpoint, so that a search that was cut off goes on from there. The search's thread.
 */
#ifndef DAEMON_RUNNER_BOUND_H
#define DAEMON_RUNNER_BOUND_H

#include "explore/control.h"

#include <stdint.h>

struct store;

struct runner_bound {
    struct store *store;
    uint64_t job;
    uint32_t saved;
    double saved_at;  /* clock_seconds() */
    uint64_t made_ms; /* when it was saved, by the wall clock; 0 when there is none */
};

/* Reads what an earlier run of the job left; bound->saved is 0 when there is nothing, or it is damaged. */
void runner_bound_open(struct runner_bound *bound, struct store *store, uint64_t job);
/* Saves a bound that has risen, but not more often than every few seconds: one commit. */
void runner_bound_note(struct runner_bound *bound, const struct progress *progress);

#endif
