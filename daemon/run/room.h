/* SPDX-License-Identifier: MIT */
/*
 * Room in the database for the tables of a job. Uses of the options: task, job, started_ms, store, submitter,
 * tables, evicted, context. The job's thread; waits for commits.
 */
#ifndef DAEMON_ROOM_H
#define DAEMON_ROOM_H

#include "daemon/run/runner_options.h"

/* Fails if the bytes would not fit even if every table that may go were evicted. Evicts nothing. */
enum pz_status room_check(const struct runner_options *options, uint64_t bytes, struct pz_error *error);
/* Evicts the tables unused for longest until that many more bytes fit, and these to spare. Bytes that fit
 * without that are tried if nothing can be evicted. */
enum pz_status room_make(const struct runner_options *options, uint64_t bytes, uint64_t spare,
                         struct pz_error *error);
/* Evicts for a table that is about to be written, an exploration's also by its submitter's share. */
enum pz_status room_for_all(const struct runner_options *options, uint64_t bytes, struct pz_error *error);

#endif
