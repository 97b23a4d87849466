/* SPDX-License-Identifier: MIT */
/*
 * An event count (Reed and Kanodia 1979): one thread reads the count, another advances it, and the first
 * waits until the count has moved on. A patient thread polls for about 50 µs before it sleeps: that is what
 * it costs to be put to sleep and woken.
 */
#ifndef BASE_EVENT_COUNT_H
#define BASE_EVENT_COUNT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
