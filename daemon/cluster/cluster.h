/* SPDX-License-Identifier: MIT */
/*
 * An exploration on the ranks of a cluster: the command of [cluster] launch, which starts puzzled-ranks, runs
 * as a child process and reports what is found on its standard output (ranks/rank_lines.h). The daemon itself
 * knows no MPI.
 */
#ifndef DAEMON_CLUSTER_H
#define DAEMON_CLUSTER_H

#include "daemon/run/runner_options.h"

/* explore_run's contract, for the exploration of the options' task. The ranks keep what they have made, if
 * they have scratch space: when the question of a job that was cut off is asked again, they go on from
 * there. */
enum pz_status cluster_explore(const struct runner_options *options, struct control *control,
                               const struct explore_sink *sink, struct explore_result *result,
                               struct pz_error *error);

#endif
