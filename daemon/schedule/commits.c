/* SPDX-License-Identifier: MIT */
/* Writes the records of jobs: with an acknowledgement, or behind (no one waits). */
#include "base/log.h"
#include "base/status_word.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <stdlib.h>

struct commit_ack *commit_ack_new(struct scheduler *scheduler, uint64_t job, struct pending_reply *pending,
                                  void (*deliver)(struct loop_message *message))
{
    struct commit_ack *commit = calloc(1, sizeof *commit);
    if (commit != NULL)
        *commit = (struct commit_ack){
            .message.deliver = deliver, .scheduler = scheduler, .pending = pending, .job = job};
    return commit;
}

void commit_ack_done(void *context, enum pz_status status, const struct pz_error *error)
{
    struct commit_ack *commit = context;
    if (status != PZ_OK)
        commit->error = *error;
    commit->error.code = status;
    loop_queue_post(commit->scheduler->options.loop_queue, &commit->message);
}

void commit_log_failure(uint64_t job, const struct pz_error *error)
{
    struct log_quote reason;
    log_event(LOG_LEVEL_ERROR, job, "event=job-not-written code=%s reason=\"%s\"", status_word(error->code),
              log_quote(&reason, error->text));
}

/* Writes the record within a second. A failure is logged, as nobody waits for it. */
void scheduler_write_behind(struct scheduler *scheduler, const struct job *job)
{
    struct pz_error error;
    if (store_job_put_async(scheduler->options.store, &job->record, NULL, &error) != PZ_OK)
        commit_log_failure(job->record.id, &error);
}

/* ---- a job's table was evicted ---- */

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
