/* SPDX-License-Identifier: MIT */
/* Checks an imported job against its request, and against the levels and the table that came with it. */
#ifndef DAEMON_IMPORT_CHECK_H
#define DAEMON_IMPORT_CHECK_H

#include "daemon/jobs/task.h"
#include "store/store.h"

/*
 * Checks a job's record: its texts are clean, its request is one that a client could send, and makes this
 * kind of job with this puzzle and question; its result is a list of fields that do not contradict each
 * other. Fills in a missing question (puzzled-ranks writes the request alone). PZ_STORAGE names the
 * contradiction; other statuses say why the request cannot be understood here. The check of a struct
 * import_calls.
 */
enum pz_status import_check_job(void *context, struct job_record *job, struct pz_error *error);

/* Checks every exploration of a store into which a dump was read: its result must have the states, depth and
 * end of its levels and its table, and no table may belong to another question. PZ_STORAGE names the first
 * contradiction. */
enum pz_status import_check_found(struct store *store, struct pz_error *error);

#endif
