/* SPDX-License-Identifier: MIT */
/* Plays the solution of an imported job move by move. */
#ifndef DAEMON_IMPORT_PATH_H
#define DAEMON_IMPORT_PATH_H

#include "daemon/jobs/task.h"
#include "protocol/reply.h"

/* Checks the fields of a solved board: the path must lead from the start to a goal in the given number of
 * moves, and nothing may contradict what is known without a search. PZ_STORAGE names the contradiction. Does
 * not check if there is a shorter path. */
enum pz_status import_path_check(const struct job_record *record, const struct task *task,
                                 const struct reply *fields, struct pz_error *error);

#endif
