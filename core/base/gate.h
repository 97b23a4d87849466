/* SPDX-License-Identifier: MIT */
/*
 * Where threads wait for one another for a moment or for hours: who waits looks again and again for some tens
 * of microseconds, about what it costs to be put to sleep and woken, and sleeps after that.
 */
#ifndef BASE_GATE_H
#define BASE_GATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gate {
    _Alignas(64) _Atomic uint32_t opened; /* how often, wrapping; raised by who opens, read by who waits */
    _Atomic uint32_t sleepers;            /* raised and lowered by who sleeps, read by who opens */
    pthread_mutex_t lock;                 /* of changed; held from raising sleepers until asleep */
    pthread_cond_t changed;               /* opened was raised */
};

void gate_init(struct gate *gate);
/* When nobody waits or opens any more. */
void gate_end(struct gate *gate);

/* To be read before whatever makes another thread open the gate. */
uint32_t gate_seen(struct gate *gate);
/* Lets everybody pass who has read gate_seen() before. What was written before is visible to them. */
void gate_open(struct gate *gate);
/* Returns when the gate has been opened since gate_seen() gave seen. patient: look for a while before
 * sleeping, which is for threads that have a processor each. */
void gate_pass(struct gate *gate, uint32_t seen, bool patient);

#endif
