/* SPDX-License-Identifier: MIT */
/* The daemon's log writer under systemd: the same lines, with the job's number as the field PUZZLED_JOB. */
#ifndef DAEMON_JOURNAL_LOG_H
#define DAEMON_JOURNAL_LOG_H

#include <stdbool.h>

/* Installs it and returns true if standard error goes to the journal. Called before other threads start. */
bool journal_log_install(void);

#endif
