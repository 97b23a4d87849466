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

/*
 * An event count (Reed and Kanodia 1979): one thread reads the count, another advances it, and the first
 * waits until the count has moved on. A patient thread polls for about 50 µs before it sleeps: that is what
 * it costs to be put to sleep and woken.
 */

struct event_count {
    _Alignas(64) _Atomic uint32_t count; /* wraps; raised by the advancing thread, read by those that wait */
    _Atomic uint32_t sleepers;           /* raised and lowered by a sleeper, read by the advancing thread */
    pthread_mutex_t lock;                /* of changed; held from raising sleepers until asleep */
    pthread_cond_t changed;              /* count was raised */
};

void event_count_init(struct event_count *event);
/* Call it when no thread waits or advances any more. */
void event_count_end(struct event_count *event);

/* Returns the count to wait from. Read it before you do what makes another thread advance it. */
uint32_t event_count_read(struct event_count *event);
/* Wakes every thread that waits from an earlier count. They see all that was written before. */
void event_count_advance(struct event_count *event);
/* Returns as soon as the count is not `seen` any more. patient: poll before sleeping; set it only where every
 * thread has a processor of its own. */
void event_count_await(struct event_count *event, uint32_t seen, bool patient);

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
