/* SPDX-License-Identifier: MIT */
/* The owners of jobs that have not ended: counts what each client has queued and running. */
#include "daemon/schedule/scheduler_internal.h"

#include <assert.h>

/* A client without a running job takes nothing. */
__attribute__((unused)) static bool load_is_sound(const struct client_load *load)
{
    return load->jobs > 0 || (load->memory == 0 && load->disk == 0);
}

void scheduler_own(struct job *job, struct client *client)
{
    if (client == NULL)
        return;
    assert(job->owner == NULL);
    job->owner = client_hold(client);
    client->queued_jobs++;
}

void scheduler_owner_runs(const struct job *job)
{
    if (job->owner == NULL)
        return;
    struct client_load *load = run_queue_load(job);
    assert(job->owner->queued_jobs > 0 && load_is_sound(load));
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
        const struct question_plan *plan = &job->task->plan;
        assert(load->jobs > 0 && load->memory >= plan->reserve && load->disk >= plan->disk);
        load->jobs--;
        load->memory -= plan->reserve;
        load->disk -= plan->disk;
    } else {
        assert(job->owner->queued_jobs > 0);
        job->owner->queued_jobs--;
    }
    assert(load_is_sound(load));
    client_release(job->owner);
    job->owner = NULL;
}
