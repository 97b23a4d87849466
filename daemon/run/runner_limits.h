/* SPDX-License-Identifier: MIT */
/* The limits under which a stopped job ran: a task with wider ones runs again. */
#ifndef DAEMON_RUNNER_LIMITS_H
#define DAEMON_RUNNER_LIMITS_H

#include "daemon/run/runner_options.h"

/* Records the limits that stopped a job. If the system ran out of memory or the disk out of room, the
 * recorded limit is what was used: there may be more next time. */
void runner_limits_note(const struct runner_options *options, enum stop_reason reason,
                        const struct budget *budget, struct job_facts *facts);
/* Does what runner_limits_note does, for an exploration. On a cluster the limit of memory is that of a rank;
 * 0 if the disk is full. */
void runner_limits_note_explored(const struct runner_options *options, const struct explore_result *found,
                                 const struct budget *budget, struct job_facts *facts);

#endif
