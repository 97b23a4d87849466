/* SPDX-License-Identifier: MIT */
/* Frees the scratch space that ranks keep for a job which will not go on. */
#ifndef DAEMON_CLUSTER_CLEAR_H
#define DAEMON_CLUSTER_CLEAR_H

#include "daemon/jobs/jobs.h"

/* The calls of the command that wait: they run one after the other, on one thread. Loop thread, as all
 * below. */
struct cluster_clears;

struct cluster_clears *cluster_clears_new(void); /* NULL without memory */
/* Drops the calls that have not begun. Does not wait for the one that runs. NULL is fine. */
void cluster_clears_free(struct cluster_clears *clears);

/* Queues a call of the command of [cluster] launch, to remove what the ranks keep of a job's question. Does
 * nothing if the job is not a cluster's or never began, the command has no scratch space, or another job with
 * this question has not ended. Nobody waits for it: what goes wrong is logged. */
void cluster_clear(struct cluster_clears *clears, const char *launch, const struct jobs *jobs,
                   const struct job *job);
/* Called at a start: does the same for the jobs that were cancelled in the last minutes, because the daemon
 * before this one may have ended too early for that. */
void cluster_clear_again(struct cluster_clears *clears, const char *launch, const struct jobs *jobs);
/* Drops the calls for a job that is about to begin, so that its ranks keep their data. */
void cluster_clears_withdraw(struct cluster_clears *clears, const struct job *job);

#endif
