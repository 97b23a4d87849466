/* SPDX-License-Identifier: MIT */
/* An exploration whose table an earlier run has stored: the daemon ended before it could record the
 * result. */
#ifndef DAEMON_RUNNER_STORED_H
#define DAEMON_RUNNER_STORED_H

#include "daemon/run/runner_options.h"

/* Fills in the result from the job's own table and its levels, if they answer its whole question. Otherwise
 * returns false: the job must explore. Runner's thread. */
bool runner_stored(const struct runner_options *options, struct explore_result *found);

#endif
