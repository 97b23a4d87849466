/* SPDX-License-Identifier: MIT */
/* The daemon's log writers: key=value lines on stderr, with journald's <N> priorities when journald reads
 * them; under systemd the same lines with the job's number as the field PUZZLED_JOB. */
#ifndef DAEMON_LOG_WRITERS_H
#define DAEMON_LOG_WRITERS_H

#include "base/log.h"

#include <stdbool.h>

/* Installs the one for stderr; before other threads start. A terminal sees no priorities. */
void stderr_log_install(void);

/* Installs the other one, and returns true, if standard error goes to the journal. Called before other
 * threads start. */
bool journal_log_install(void);

#endif
