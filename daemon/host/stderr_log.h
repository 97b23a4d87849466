/* SPDX-License-Identifier: MIT */
/* The daemon's log writer: key=value lines on stderr, with journald's <N> priorities when journald reads
 * them. */
#ifndef DAEMON_STDERR_LOG_H
#define DAEMON_STDERR_LOG_H

#include "base/log.h"

/* Installs it; before other threads start. A terminal sees no priorities. */
void stderr_log_install(void);

#endif
