/* SPDX-License-Identifier: MIT */
/*
 * The numbers of jobs. A number that was told to anybody is never given out again, not even after a crash
 * that took the job back: `meta/next-job` is raised by a block ahead of need, in the commit of one of the
 * jobs, or before the first one by store_reserve_numbers.
 */
#ifndef STORE_NUMBERS_H
#define STORE_NUMBERS_H

#include "store/engine/store_internal.h"

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
