/* SPDX-License-Identifier: MIT */
/* The part of a GRADE after its solution. */
#ifndef DAEMON_RUNNER_GRADE_H
#define DAEMON_RUNNER_GRADE_H

#include "daemon/jobs/task.h"

/* Grades the board that was solved with that request, and appends what is known to the result. Does nothing
 * without a path of states. PZ_OK, PZ_CANCELLED. */
enum pz_status runner_grade(const struct task *task, const struct solve_request *request,
                            const struct solve_result *solved, struct control *control, struct text *result,
                            struct pz_error *error);

#endif
