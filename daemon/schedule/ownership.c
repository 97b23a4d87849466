/* SPDX-License-Identifier: MIT */
/* Whose the jobs are that have not ended: what each client has queued and running. */
#include "daemon/schedule/scheduler_internal.h"

void scheduler_own(struct job *job, struct client *client)
{
    if (client == NULL)
        return;
    job->owner = client_hold(client);
    client->queued_jobs++;
}

/* Counts a queued job of its owner's as running. */
void scheduler_owner_runs(const struct job *job)
{
    if (job->owner == NULL)
        return;
    struct client_load *load = run_queue_load(job);
    job->owner->queued_jobs--;
    load->jobs++;
    load->memory += job->task->plan.reserve;
    load->disk += job->task->plan.disk;
}

void scheduler_disown(struct job *job)
{
    if (job->owner == NULL)
        return;
    struct client_load *load = run_queue_load(job);
    if (job->record.state == JOB_RUNNING) {
        load->jobs--;
        load->memory -= job->task->plan.reserve;
        load->disk -= job->task->plan.disk;
    } else {
        job->owner->queued_jobs--;
    }
    client_release(job->owner);
    job->owner = NULL;
}
