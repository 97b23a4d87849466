/* SPDX-License-Identifier: MIT */
/* Records in a job's result that its table was evicted. */
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct eviction {
    struct loop_message message;
    struct scheduler *scheduler;
    uint64_t job;
};

static const char evicted_field[] = " table=evicted";

/* Returns a malloc'd result with the field; NULL without memory. */
static char *with_field(const char *result)
{
    char *longer = NULL;
    return asprintf(&longer, "%s%s", result != NULL ? result : "", evicted_field) < 0 ? NULL : longer;
}

static bool ends_with_field(const char *result)
{
    const size_t length = result != NULL ? strlen(result) : 0;
    const size_t field = sizeof evicted_field - 1;
    return length >= field && strcmp(result + length - field, evicted_field) == 0;
}

static void deliver_evicted(struct loop_message *message)
{
    struct eviction *eviction = (struct eviction *)message;
    struct scheduler *scheduler = eviction->scheduler;
    struct job *job = jobs_find(scheduler->jobs, eviction->job);
    free(eviction);
    if (job == NULL || !job_state_ended(job->record.state) || job->phase == PHASE_RESTARTING ||
        ends_with_field(job->record.result))
        return;
    char *result = with_field(job->record.result);
    if (result == NULL)
        return; /* only the field is missing */
    free(job->record.result);
    job->record.result = result;
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
