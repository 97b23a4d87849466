/* SPDX-License-Identifier: MIT */
/* The speed at which this machine has explored sliding puzzles, from the results of ended jobs. Loop thread.
 */
#ifndef DAEMON_MEASURED_H
#define DAEMON_MEASURED_H

#include "daemon/jobs/jobs.h"
#include "explore/explore.h"

/* Seconds of search for a state, by the largest complete exploration with each kind of planes; 0 where none
 * had a hundred million states. */
struct measured {
    double seconds[PLANES_COUNT];
};
void measured_find(const struct jobs *jobs, struct measured *out);

#endif
