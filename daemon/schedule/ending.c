/* SPDX-License-Identifier: MIT */
/* The end of jobs: their records, their checkpoints, and their waiters. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status_word.h"
#include "daemon/cluster/cluster_clear.h"
#include "daemon/jobs/waiters.h"
#include "daemon/run/scratch.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the records of jobs: with an acknowledgement, or behind (no one waits) ---- */

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

static void commit_log_failure(uint64_t job, const struct pz_error *error)
{
    struct log_quote reason;
    log_event(LOG_LEVEL_ERROR, job, "event=job-not-written code=%s reason=\"%s\"", status_word(error->code),
              log_quote(&reason, error->text));
}

void scheduler_write_behind(struct scheduler *scheduler, struct job *job)
{
    struct pz_error error;
    job->rewrite = job->phase == PHASE_ADDING || job->phase == PHASE_RESTARTING;
    if (job->rewrite)
        return;
    if (store_job_put_async(scheduler->options.store, &job->record, NULL, &error) != PZ_OK)
        commit_log_failure(job->record.id, &error);
}

/* ---- the end ---- */

/* Removes the checkpoint. This is queued behind the record of the end, so the job keeps its checkpoint until
 * its end is durable. */
static void drop_checkpoint(struct scheduler *scheduler, const struct job *job)
{
    struct pz_error error;
    if (checkpoint_remove_async(scheduler->options.store, job->record.id, &error) != PZ_OK)
        log_event_text(LOG_LEVEL_ERROR, job->record.id, "event=checkpoint-not-removed reason", error.text);
}

/* The end is durable, or could not be written: the waiters are answered in either case. */
static void deliver_ended(struct loop_message *message)
{
    struct commit_ack *commit = (struct commit_ack *)message;
    struct scheduler *scheduler = commit->scheduler;
    struct job *job = jobs_find(scheduler->jobs, commit->job);
    if (commit->error.code != PZ_OK)
        commit_log_failure(commit->job, &commit->error);
    /* Else it was forgotten, which told all that waited; where the store refused that, too, it is there
     * again. */
    if (job != NULL && job->phase == PHASE_ENDING) {
        job_move(scheduler->jobs, job, PHASE_ENDED, job->record.state);
        job_hold(job);
        waiters_ended(job);
        /* The lookups no longer wait. Not while stopping, when the workers may be gone. */
        if (!job->removed && scheduler_may_drop(scheduler, job) && !scheduler->stopping)
            (void)scheduler_forget(scheduler, job, NULL);
        job_release(job);
    }
    free(commit);
    scheduler_prune(scheduler);
}

/* Writes the record of an ended job. Returns true if deliver_ended will follow. */
static bool save_end(struct scheduler *scheduler, const struct job *job)
{
    struct pz_error error = {.code = PZ_MEMORY, .text = "no memory"};
    struct commit_ack *commit = commit_ack_new(scheduler, job->record.id, NULL, deliver_ended);
    const struct store_ack ack = {commit_ack_done, commit};
    if (commit != NULL && store_job_put_async(scheduler->options.store, &job->record, &ack, &error) == PZ_OK)
        return true;
    commit_log_failure(job->record.id, &error);
    free(commit);
    return false;
}

/* A run that ends before it has told a level has found what the one before it left. */
static void note_earlier_levels(struct scheduler *scheduler, const struct job *job, struct job_facts *facts)
{
    struct store_level *levels = NULL;
    uint32_t count = 0;
    if (job->record.kind != JOB_EXPLORE || facts->levels > 0 ||
        store_levels(scheduler->options.store, job->record.id, &levels, &count, NULL) != PZ_OK)
        return;
    for (uint32_t i = 0; i < count; i++)
        facts->states += levels[i].states;
    facts->levels = count > 0 ? levels[count - 1].level + 1 : 0;
    free(levels);
}

void scheduler_finish(struct scheduler *scheduler, struct job *job, enum job_state state,
                      struct job_answer *answer)
{
    scheduler_disown(job);
    suspect_end(scheduler, job);
    job_move(scheduler->jobs, job, PHASE_ENDING, state);
    job->record.finished_ms = clock_wall_ms();
    job->ended = clock_seconds();
    free(job->record.result);
    job->record.result = text_take(&answer->rest);
    job->record.facts = answer->facts;
    if (state == JOB_FAILED) {
        assert(answer->error.code != PZ_OK);
        free(job->record.failure);
        job->record.facts.failure = answer->error.code;
        job->record.failure = strdup(answer->error.text);
    }
    if (state == JOB_CANCELLED)
        note_earlier_levels(scheduler, job, &job->record.facts);
    if (state == JOB_CANCELLED)
        cluster_clear(scheduler->clears, scheduler->options.config->launch, scheduler->jobs, job);
    const bool goes_on = job_may_go_on(job);
    const bool follows = save_end(scheduler, job);
    if (follows && !goes_on)
        drop_checkpoint(scheduler, job);
    task_free(job->task);
    job->task = NULL;
    if (scheduler->options.scratch != NULL && !goes_on)
        scratch_end(scheduler->options.scratch, job->record.id);
    if (follows)
        return;
    job_move(scheduler->jobs, job, PHASE_ENDED, state);
    waiters_ended(job); /* their answers may forget the job */
}

void scheduler_drop(struct scheduler *scheduler, struct job *job, const struct pz_error *error)
{
    struct job_answer answer = {.error = *error};
    scheduler_finish(scheduler, job, JOB_FAILED, &answer);
}

/* ---- a job's table was evicted ---- */

/* Returns true if a job has lost the table that another had made: its own, or one that it found stored. */
static bool has_lost_table(const struct job *job, const struct job *maker)
{
    const struct job_record *record = &job->record;
    const bool shares = record->facts.table_levels > 0 && strcmp(record->table, maker->record.table) == 0;
    return (job == maker || shares) && job_state_ended(record->state) && job->phase != PHASE_RESTARTING &&
           !record->facts.evicted;
}

static void deliver_evicted(struct loop_message *message)
{
    struct commit_ack *commit = (struct commit_ack *)message;
    struct scheduler *scheduler = commit->scheduler;
    const struct job *maker = jobs_find(scheduler->jobs, commit->job);
    free(commit);
    for (struct job *job = maker != NULL ? jobs_next(scheduler->jobs, 0) : NULL; job != NULL;
         job = jobs_next(scheduler->jobs, job->record.id)) {
        if (!has_lost_table(job, maker))
            continue;
        job->record.facts.evicted = true;
        scheduler_write_behind(scheduler, job);
    }
}

void scheduler_note_evicted(void *context, uint64_t job)
{
    struct scheduler *scheduler = ((const struct job *)context)->scheduler;
    struct commit_ack *commit = commit_ack_new(scheduler, job, NULL, deliver_evicted);
    if (commit != NULL)
        loop_queue_post(scheduler->options.loop_queue, &commit->message);
}
