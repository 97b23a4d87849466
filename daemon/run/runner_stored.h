/* SPDX-License-Identifier: MIT */
/* An exploration whose table was stored by an earlier run: the daemon ended before it could say so. */
#ifndef DAEMON_RUNNER_STORED_H
#define DAEMON_RUNNER_STORED_H

#include "daemon/run/runner_options.h"

/* Fills in what the job's own table and its levels say, if they answer all of its question. Returns false if
 * they do not: then it must be explored. Runner's thread. */
bool runner_stored(const struct runner_options *options, struct explore_result *found);

#endif
