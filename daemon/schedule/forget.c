/* SPDX-License-Identifier: MIT */
/* Forgets a job: it leaves the list at once. A worker removes its records from the store, since a job may
 * have tens of thousands of levels. */
#include "base/log.h"
#include "daemon/cluster/cluster_clear.h"
#include "daemon/jobs/waiters.h"
#include "daemon/net/pending_reply.h"
#include "daemon/run/scratch.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct forgetting {
    struct work_item item;
    struct store *store;
    struct commit_ack *commit; /* NULL once the store has it */
    uint64_t job, heir;
};

/* ---- the end: the removal is durable, or has failed ---- */

/* A job that the store could not remove is there again, so that it can be forgotten once there is room. Of
 * those that nobody asked to forget only one whose table was pinned meanwhile: others would be tried again
 * and again. */
static void let_go(struct commit_ack *commit)
{
    struct job *job = commit->forgotten;
    const enum pz_status code = commit->error.code;
    if (job == NULL)
        return;
    const bool stays = commit->pending == NULL ? code == PZ_BUSY : code != PZ_OK && code != PZ_NO_SUCH_JOB;
    if (stays && job->removed)
        jobs_put_back(commit->scheduler->jobs, job);
    job_release(job);
}

static void deliver_forgotten(struct loop_message *message)
{
    struct commit_ack *commit = (struct commit_ack *)message;
    struct text out = {0};
    let_go(commit);
    if (commit->pending != NULL && pending_reply_hand_over(commit->pending, NULL, &commit->error)) {
        /* a lookup goes on */
    } else if (commit->pending != NULL && commit->error.code != PZ_OK) {
        pending_reply_fail(commit->pending, &commit->error);
    } else if (commit->pending != NULL) {
        reply_ok(&out, pending_reply_tag(commit->pending));
        text_format(&out, " job=%" PRIu64 " forgotten=yes", commit->job);
        reply_line_end(&out);
        pending_reply_finish(commit->pending, &out, PZ_OK);
    } else if (commit->error.code != PZ_OK) {
        log_event_text(LOG_LEVEL_ERROR, commit->job, "event=job-not-removed reason", commit->error.text);
    }
    free(commit);
}

/* ---- on a worker ---- */

static void forgetting_work(struct work_item *item, void *worker)
{
    struct forgetting *forgetting = (struct forgetting *)item;
    struct commit_ack *commit = forgetting->commit;
    const struct store_ack ack = {commit_ack_done, commit};
    struct pz_error error = {0};
    (void)worker;
    const bool pruned = commit->pending == NULL; /* nobody asked for it */
    /* The commit is the store's unless it refuses. Its message may be delivered before this returns. */
    forgetting->commit = NULL;
    if (store_job_forget_async(forgetting->store, forgetting->job, forgetting->heir, pruned, &ack, &error) ==
        PZ_OK)
        return;
    commit->error = error;
    forgetting->commit = commit;
}

static void deliver_forgetting(struct loop_message *message)
{
    struct forgetting *forgetting = (struct forgetting *)message;
    if (forgetting->commit != NULL)
        deliver_forgotten(&forgetting->commit->message);
    free(forgetting);
}

/* ---- on the loop ---- */

/* Returns another exploration whose result names the job's table, with the same depth; 0 if there is none.
 * If the job failed after its table was stored, its result does not name the depth; then it returns the
 * exploration with the most levels. A job with fewer levels finds its table gone when it is asked again, and
 * runs again. */
static uint64_t find_heir(const struct jobs *jobs, const struct job *job)
{
    const struct job_record *own = &job->record;
    uint64_t heir = 0;
    uint32_t most = 0;
    if (own->kind != JOB_EXPLORE)
        return 0;
    for (const struct job *other = jobs_previous(jobs, UINT64_MAX); other != NULL;
         other = jobs_previous(jobs, other->record.id)) {
        const struct job_record *record = &other->record;
        if (other != job && other->phase != PHASE_ADDING && record->kind == JOB_EXPLORE &&
            job_state_ended(record->state) && record->facts.table_levels > most &&
            (own->facts.table_levels == 0 || record->facts.table_levels == own->facts.table_levels) &&
            strcmp(record->table, own->table) == 0) {
            heir = record->id;
            most = record->facts.table_levels;
        }
    }
    return heir;
}

bool scheduler_may_drop(const struct scheduler *scheduler, const struct job *job)
{
    uint32_t levels = 0; /* of other jobs' tables */
    if (!job->for_lookup || job->record.state != JOB_STOPPED)
        return false;
    for (const struct job *other = jobs_next(scheduler->jobs, 0); other != NULL;
         other = jobs_next(scheduler->jobs, other->record.id)) {
        const struct job_facts *facts = &other->record.facts;
        if (other != job && facts->table_levels > levels && !facts->evicted &&
            strcmp(other->record.table, job->record.table) == 0)
            levels = facts->table_levels;
    }
    return levels == 0 || levels >= job->record.facts.table_levels;
}

bool scheduler_forget(struct scheduler *scheduler, struct job *job, struct pending_reply *pending)
{
    assert(job_state_ended(job->record.state) && job->phase != PHASE_RESTARTING);
    assert(pending != NULL || !scheduler->stopping); /* the clients go before the workers */
    struct forgetting *forgetting = calloc(1, sizeof *forgetting);
    struct commit_ack *commit = commit_ack_new(scheduler, job->record.id, pending, deliver_forgotten);
    if (forgetting == NULL || commit == NULL) {
        const struct pz_error error = {.code = PZ_MEMORY, .text = "no memory to forget a job"};
        free(forgetting);
        free(commit);
        if (pending != NULL)
            pending_reply_fail(pending, &error);
        return false;
    }
    *forgetting =
        (struct forgetting){.item = {.message.deliver = deliver_forgetting, .work = forgetting_work},
                            .store = scheduler->options.store,
                            .commit = commit,
                            .job = job->record.id,
                            .heir = find_heir(scheduler->jobs, job)};
    if (job->phase == PHASE_ENDING)
        job_move(scheduler->jobs, job, PHASE_ENDED, job->record.state);
    if (job->record.state == JOB_STOPPED || job->record.state == JOB_FAILED)
        cluster_clear(scheduler->clears, scheduler->options.config->launch, scheduler->jobs, job);
    job_hold(job);
    waiters_ended(job); /* some may wait for the commit of its end, and forget it, too */
    if (job->removed) {
        job_release(job);
    } else {
        if (scheduler->options.scratch != NULL)
            scratch_end(scheduler->options.scratch, job->record.id);
        jobs_remove(scheduler->jobs, job);
        commit->forgotten = job;
    }
    thread_pool_submit(scheduler->options.lookups, &forgetting->item,
                       pending != NULL ? pending->client : NULL);
    return true;
}

/* ---- pruning ---- */

/*
 * Forgets the oldest ended jobs when there are more than `kept-jobs`. A pinned table keeps its job: a worker
 * looks up which jobs have one. Then the loop forgets a few jobs at a time, between its other work.
 */

enum { SLICE = 64 };

struct pruning {
    struct work_item item;
    struct scheduler *scheduler;
    uint64_t *pinned; /* jobs with a pinned table */
    size_t count, room;
    bool failed; /* then pinned lacks some, and no job is forgotten; that of a damaged record may go */
};

static bool is_pinned(const struct pruning *pruning, uint64_t job)
{
    for (size_t i = 0; i < pruning->count; i++)
        if (pruning->pinned[i] == job)
            return true;
    return false;
}

static bool note_pinned(void *context, const struct table_record *table)
{
    struct pruning *pruning = context;
    if (!table->pinned || table->job == 0 || is_pinned(pruning, table->job))
        return true;
    if (pruning->count == pruning->room) {
        const size_t room = pruning->room * 2 + 16;
        uint64_t *grown = reallocarray(pruning->pinned, room, sizeof *grown);
        pruning->failed = grown == NULL;
        if (grown == NULL)
            return false;
        pruning->pinned = grown;
        pruning->room = room;
    }
    pruning->pinned[pruning->count++] = table->job;
    return true;
}

static void pruning_work(struct work_item *item, void *worker)
{
    struct pruning *pruning = (struct pruning *)item;
    (void)worker;
    pruning->failed |=
        store_tables(pruning->scheduler->options.store, note_pinned, pruning, NULL, NULL) != PZ_OK;
}

static size_t ended_count(const struct jobs *jobs)
{
    return jobs_in_state(jobs, JOB_DONE) + jobs_in_state(jobs, JOB_STOPPED) +
           jobs_in_state(jobs, JOB_FAILED) + jobs_in_state(jobs, JOB_CANCELLED);
}

/* Returns true for a job whose end is durable and whose table is not pinned. */
static bool may_go(const struct pruning *pruning, const struct job *job)
{
    return job->phase == PHASE_ENDED &&
           (job->record.kind == JOB_SOLVE || !is_pinned(pruning, job->record.id));
}

static size_t pinned_count(const struct pruning *pruning)
{
    const struct jobs *jobs = pruning->scheduler->jobs;
    size_t count = 0;
    for (size_t i = 0; i < pruning->count; i++)
        count += jobs_find(jobs, pruning->pinned[i]) != NULL;
    return count;
}

/* Collects the oldest searches, or other jobs, of those up to a number. Returns how many. */
static size_t collect(const struct pruning *pruning, bool searches, uint64_t last, size_t most,
                      uint64_t *victims)
{
    const struct jobs *jobs = pruning->scheduler->jobs;
    size_t count = 0;
    for (struct job *job = jobs_next(jobs, 0); job != NULL && job->record.id <= last && count < most;
         job = jobs_next(jobs, job->record.id))
        if ((job->record.kind == JOB_SOLVE) == searches && may_go(pruning, job))
            victims[count++] = job->record.id;
    return count;
}

/* Collects the oldest jobs that may go: searches, which leave no table, but for the newest, which their
 * clients may not have read yet; then other jobs; where there are none, searches after all. */
static size_t collect_victims(const struct pruning *pruning, size_t most, uint64_t victims[SLICE])
{
    const struct scheduler *scheduler = pruning->scheduler;
    const struct job *latest = jobs_previous(scheduler->jobs, UINT64_MAX);
    const uint64_t newest = scheduler->options.config->kept_jobs / 8 + 1;
    const uint64_t old = latest != NULL && latest->record.id > newest ? latest->record.id - newest : 0;
    size_t count = collect(pruning, true, old, most, victims);
    count += collect(pruning, false, UINT64_MAX, most - count, victims + count);
    return count > 0 ? count : collect(pruning, true, UINT64_MAX, most, victims);
}

static void deliver_pruning(struct loop_message *message)
{
    struct pruning *pruning = (struct pruning *)message;
    struct scheduler *scheduler = pruning->scheduler;
    const size_t ended = ended_count(scheduler->jobs);
    const size_t kept = scheduler->options.config->kept_jobs + pinned_count(pruning);
    size_t over = ended > kept && !pruning->failed && !scheduler->stopping ? ended - kept : 0;
    uint64_t victims[SLICE];
    const size_t chosen = collect_victims(pruning, over < SLICE ? over : SLICE, victims);
    size_t forgotten = 0;
    while (forgotten < chosen &&
           scheduler_forget(scheduler, jobs_find(scheduler->jobs, victims[forgotten]), NULL))
        forgotten++;
    free(pruning->pinned);
    free(pruning);
    assert(scheduler->pruning && forgotten <= chosen && chosen <= SLICE);
    scheduler->pruning = false;
    if (forgotten == SLICE)
        scheduler_prune(scheduler);
}

void scheduler_prune(struct scheduler *scheduler)
{
    /* Not while stopping, when the workers may be gone: the next start's first job prunes. */
    if (scheduler->stopping || scheduler->pruning ||
        ended_count(scheduler->jobs) <= scheduler->options.config->kept_jobs)
        return;
    struct pruning *pruning = calloc(1, sizeof *pruning);
    if (pruning == NULL)
        return; /* next time */
    pruning->item = (struct work_item){.message.deliver = deliver_pruning, .work = pruning_work};
    pruning->scheduler = scheduler;
    scheduler->pruning = true;
    thread_pool_submit(scheduler->options.lookups, &pruning->item, NULL);
}
