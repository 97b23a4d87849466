/* SPDX-License-Identifier: MIT */
/*
 * The numbers of jobs. A number that was told to anybody is never given out again, not even after a crash
 * that took the job back: `meta/next-job` is raised by a block ahead of need, in the commit of one of the
 * jobs, or before the first one by store_reserve_numbers.
 */
#ifndef STORE_NUMBERS_H
#define STORE_NUMBERS_H

#include "store/engine/operation.h"

/* Within struct store. */
struct job_numbers {
    uint64_t next;             /* guarded by store->change */
    uint64_t block;            /* numbers in it; guarded by store->change, as what follows */
    double asked_at;           /* clock_seconds() */
    uint64_t asked;            /* end of the last block that was asked for; guarded by store->change */
    _Atomic uint64_t reserved; /* numbers below are durably reserved; the writer thread raises it */
};

/* Reads the counter when the store is opened. */
enum pz_status job_numbers_read(struct store *store, struct pz_error *error);
/* Returns the next number and lets the operation that stores its job reserve more where that is due. An
 * operation that takes a number beyond the reserved ones always reserves it. Call it with store->change
 * held. */
uint64_t job_numbers_take(struct store *store, struct operation *operation);
/* Gives back what was reserved and not used, so that only a crash leaves a gap. Call it before the writer
 * stops. */
void job_numbers_close(struct store *store);

#endif
