/* SPDX-License-Identifier: MIT */
/* Stopped jobs go on when their question is asked again. */
#include "daemon/jobs/waiters.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct restart {
    struct commit_ack commit;
    struct job_record record; /* of the queued job; the request is its own, the other texts are the job's */
};

/* The queued job is durable; or it could not be stored, and is stopped as before. Nobody could forget the
 * job meanwhile. */
static void deliver_restart(struct loop_message *message)
{
    struct restart *restart = (struct restart *)message;
    struct scheduler *scheduler = restart->commit.scheduler;
    struct job *job = jobs_find(scheduler->jobs, restart->commit.job);
    assert(job != NULL && job->phase == PHASE_RESTARTING && job->task != NULL);
    if (restart->commit.error.code != PZ_OK) {
        scheduler_disown(job);
        job_move(scheduler->jobs, job, PHASE_ENDED, JOB_STOPPED);
        task_free(job->task);
        job->task = NULL;
        free(restart->record.request);
        waiters_fail(job, &restart->commit.error);
    } else {
        free(job->record.request);
        free(job->record.result);
        free(job->record.failure);
        job_move(scheduler->jobs, job, PHASE_WAITING, JOB_QUEUED);
        job->record = restart->record;
        job->record.priority = job->task->priority; /* a client that joined may have raised it */
        job->progress = (struct progress){0};
        waiters_stored(job);
        scheduler_enqueue(scheduler, job);
    }
    free(restart);
}

/* Hands the record of the job as it goes on to the store. The job is stopped until that is durable. */
static enum pz_status store_restart(struct scheduler *scheduler, const struct job *job,
                                    const struct task *task, struct pz_error *error)
{
    struct restart *restart = malloc(sizeof *restart);
    char *request = strdup(task->request);
    const struct store_ack ack = {commit_ack_done, restart};
    if (restart == NULL || request == NULL) {
        free(restart);
        free(request);
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    }
    *restart = (struct restart){
        .commit = {.message.deliver = deliver_restart, .scheduler = scheduler, .job = job->record.id},
        .record = job->record};
    struct job_record *record = &restart->record;
    record->state = JOB_QUEUED;
    record->request = request;
    record->result = record->failure = NULL;
    record->priority = task->priority;
    record->of_tool = task->of_tool;
    record->started_ms = record->finished_ms = 0;
    record->facts = (struct job_facts){0};
    enum pz_status status = store_job_put_async(scheduler->options.store, record, &ack, error);
    if (status != PZ_OK) {
        free(restart);
        free(request);
    }
    return status;
}

void scheduler_go_on(struct scheduler *scheduler, struct job *job, struct task *task,
                     struct pending_reply *pending)
{
    struct pz_error error;
    enum pz_status status = scheduler_may_queue(scheduler, task, pending->client, &error);
    if (status == PZ_OK)
        status = store_restart(scheduler, job, task, &error);
    if (status != PZ_OK) {
        scheduler_refuse(task, pending, &error);
        return;
    }
    job_move(scheduler->jobs, job, PHASE_RESTARTING, JOB_STOPPED);
    job->task = task;
    job->for_lookup = job->for_lookup && pending->intercept != NULL;
    scheduler_own(job, pending->client);
    waiters_add(scheduler->options.base, job, pending, WAITER_SUBMITTED, -1);
}
