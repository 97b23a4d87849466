/* SPDX-License-Identifier: MIT */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <pthread.h>
#include <stdint.h>

/* Returns the seconds of a clock that never jumps. Only differences mean anything. */
double clock_seconds(void);

/* Returns the processor time of the calling thread in seconds. Only differences mean anything. */
double clock_thread_seconds(void);

/* Returns milliseconds since 1970, for records that people read. It may jump: never measure with it. */
uint64_t clock_wall_ms(void);

/* Waits for a condition, for so long at most. The caller holds the lock. */
void clock_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t nanoseconds);

#endif
