/* SPDX-License-Identifier: MIT */
/*
 * Forgets the oldest ended jobs when there are more than `kept-jobs`. A pinned table keeps its job: a worker
 * looks up which jobs have one. Then the loop forgets a few jobs at a time, between its other work.
 */
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <assert.h>
#include <stdlib.h>

enum { SLICE = 64 };

struct pruning {
    struct work_item item;
    struct scheduler *scheduler;
    uint64_t *pinned; /* jobs with a pinned table */
    size_t count, room;
    bool failed; /* then pinned lacks some, and no job is forgotten */
};

/* ---- on a worker ---- */

static bool note_pinned(void *context, const struct table_record *table)
{
    struct pruning *pruning = context;
    if (!table->pinned || table->job == 0)
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

static void pruning_work(struct work_item *item, void *member)
{
    struct pruning *pruning = (struct pruning *)item;
    (void)member;
    /* PZ_STORAGE: a damaged table is passed over, and its job may go. */
    const enum pz_status status = store_tables(pruning->scheduler->options.store, note_pinned, pruning, NULL);
    pruning->failed |= status != PZ_OK && status != PZ_STORAGE;
}

/* ---- on the loop ---- */

static size_t ended_count(const struct jobs *jobs)
{
    return jobs_in_state(jobs, JOB_DONE) + jobs_in_state(jobs, JOB_STOPPED) +
           jobs_in_state(jobs, JOB_FAILED) + jobs_in_state(jobs, JOB_CANCELLED);
}

static bool is_pinned(const struct pruning *pruning, uint64_t job)
{
    for (size_t i = 0; i < pruning->count; i++)
        if (pruning->pinned[i] == job)
            return true;
    return false;
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

/* Collects the oldest jobs that may go, those that leave no table first. */
static size_t collect_victims(const struct pruning *pruning, size_t most, uint64_t victims[SLICE])
{
    const struct jobs *jobs = pruning->scheduler->jobs;
    size_t count = 0;
    for (int solves = 1; solves >= 0; solves--)
        for (struct job *job = jobs_next(jobs, 0); job != NULL && count < most;
             job = jobs_next(jobs, job->record.id))
            if ((job->record.kind == JOB_SOLVE) == (solves == 1) && may_go(pruning, job))
                victims[count++] = job->record.id;
    return count;
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
