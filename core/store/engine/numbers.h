/* SPDX-License-Identifier: MIT */
/*
 * The numbers of jobs. A number that a client has seen is never used again, not even after a crash that lost
 * the job. For that `meta/next-job` is raised ahead of need, by a block of numbers, in the commit of a job,
 * or by store_reserve_numbers before the first job.
 */
#ifndef STORE_NUMBERS_H
#define STORE_NUMBERS_H

#include "store/engine/store_internal.h"

/* Reads the counter when the store is opened. */
enum pz_status job_numbers_read(struct store *store, struct pz_error *error);
/* Returns the next number. If a new block is due, the operation that stores the job also reserves it. An
 * operation that takes a number beyond the reserved ones always reserves it. Call it with store->change
 * held. */
uint64_t job_numbers_take(struct store *store, struct operation *operation);
/* Gives back the reserved numbers that were not used, so that only a crash leaves a gap. Call it before the
 * writer stops. */
void job_numbers_close(struct store *store);

#endif
