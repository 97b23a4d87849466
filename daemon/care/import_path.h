/* SPDX-License-Identifier: MIT */
/* The solution that an imported job tells, played move by move. */
#ifndef DAEMON_IMPORT_PATH_H
#define DAEMON_IMPORT_PATH_H

#include "daemon/jobs/task.h"
#include "protocol/reply.h"

/* Checks the fields of a solved board: a path must lead from the start to a goal in as many moves as are
 * told, and neither contradict what is known without a search. PZ_STORAGE names the contradiction. Says
 * nothing of whether there is a shorter path. */
enum pz_status import_path_check(uint64_t job, const struct task *task, const struct reply *fields,
                                 struct pz_error *error);

#endif
