/* SPDX-License-Identifier: MIT */
/* Frees the scratch space that ranks keep for a job which will not go on. */
#ifndef DAEMON_CLUSTER_CLEAR_H
#define DAEMON_CLUSTER_CLEAR_H

#include "daemon/jobs/jobs.h"

/* Runs the command of [cluster] launch once more, on a thread of its own, to remove what the ranks keep of a
 * job's question. Does nothing if the job is not a cluster's, the command has no scratch space, or another
 * job with this question has not ended. Nobody waits for it: what goes wrong is logged. Loop thread. */
void cluster_clear(const char *launch, const struct jobs *jobs, const struct job *job);
/* At a start: does so for the jobs that were cancelled in the last minutes. The daemon before this one may
 * have ended before that was done. */
void cluster_clear_again(const char *launch, const struct jobs *jobs);

#endif
