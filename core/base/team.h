/* SPDX-License-Identifier: MIT */
/*
 * A team of threads that work in step (OpenMP's word): every worker runs the same function, and workers meet
 * at a barrier. The thread that owns the team is worker 0, so a team of one starts no thread. Where every
 * worker has a processor of its own, a waiting worker polls for about 50 µs before it sleeps.
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include "puzzled/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { TEAM_MAX = 64 };

struct team;

/* worker: the worker's number, from 0. */
typedef void team_function(void *context, unsigned worker);

/* Starts the other size - 1 threads (1 <= size <= TEAM_MAX). They run at low priority, so that threads that
 * answer requests go first. Returns PZ_MEMORY when the system has no threads left. */
enum pz_status team_new(unsigned size, struct team **out, struct pz_error *error);
/* Ends and joins the threads; the owner calls it, outside team_run. NULL is fine. */
void team_free(struct team *team);
unsigned team_size(const struct team *team);

/* Runs the function on every worker and returns when all have returned. Only the owner calls it. Workers see
 * what the owner wrote before; afterwards the owner sees what they wrote. */
void team_run(struct team *team, team_function *function, void *context);

/* Waits for all workers. Within team_run, every worker calls it equally often. Returns true on exactly one of
 * them, for work that is to be done once. */
bool team_barrier(struct team *team);

#endif
