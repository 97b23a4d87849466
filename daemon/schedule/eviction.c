/* SPDX-License-Identifier: MIT */
/* Records in a job's result that its table was evicted. */
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <stdlib.h>

struct eviction {
    struct loop_message message;
    struct scheduler *scheduler;
    uint64_t job;
};

static void deliver_evicted(struct loop_message *message)
{
    struct eviction *eviction = (struct eviction *)message;
    struct scheduler *scheduler = eviction->scheduler;
    struct job *job = jobs_find(scheduler->jobs, eviction->job);
    free(eviction);
    if (job == NULL || !job_state_ended(job->record.state) || job->phase == PHASE_RESTARTING ||
        job->record.facts.evicted)
        return;
    job->record.facts.evicted = true;
    scheduler_write_behind(scheduler, job);
}

void scheduler_note_evicted(void *context, uint64_t job)
{
    struct scheduler *scheduler = ((const struct job *)context)->scheduler;
    struct eviction *eviction = malloc(sizeof *eviction);
    if (eviction == NULL)
        return;
    *eviction = (struct eviction){{.deliver = deliver_evicted}, scheduler, job};
    loop_queue_post(scheduler->options.loop_queue, &eviction->message);
}
