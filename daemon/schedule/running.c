/* SPDX-License-Identifier: MIT */
/* Running jobs: their start, their end, and the acknowledgements of their records. */
#include "daemon/schedule/scheduler.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status_word.h"
#include "daemon/cluster/cluster_clear.h"
#include "daemon/jobs/waiters.h"
#include "daemon/net/pending_reply.h"
#include "daemon/run/runner.h"
#include "daemon/run/scratch.h"
#include "daemon/schedule/scheduler_internal.h"
#include "store/pattern/patterns.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct pz_error scheduler_stops = {.code = PZ_SHUTTING_DOWN, .text = "the daemon is stopping"};

static void start_ready_of_all(struct scheduler *scheduler);

/* ---- budgets ---- */

static void set_budgets(struct scheduler *scheduler)
{
    budget_set_limit(&scheduler->budget, scheduler->options.config->memory);
    budget_set_limit(&scheduler->queues[RUN_QUEUE_EXPLORE].budget, run_queue_memory(scheduler, JOB_EXPLORE));
    budget_set_limit(&scheduler->queues[RUN_QUEUE_SOLVE].budget, run_queue_memory(scheduler, JOB_SOLVE));
}

void scheduler_memory(const struct scheduler *scheduler, uint64_t *used, uint64_t *limit)
{
    *used = atomic_load_explicit(&scheduler->budget.used, memory_order_relaxed);
    *limit = atomic_load_explicit(&scheduler->budget.limit, memory_order_relaxed);
}

/* ---- running ---- */

static void on_progress(void *context, const struct progress *progress)
{
    struct job *job = context;
    struct scheduler *scheduler = job->scheduler;
    job->progress = *progress;
    waiters_progress(job);
    if (suspect_is_cleared(scheduler, job))
        start_ready_of_all(scheduler);
}

/* Logs an event of a job that ran. reason may be NULL. A tool that gives its jobs little memory, as make
 * does, goes on without those that need more: nothing is wrong. */
static void log_job(const struct job *job, const char *name, const struct runner_outcome *outcome,
                    const char *reason)
{
    struct log_quote request, quote;
    const bool wrong = reason != NULL && !(job->record.of_tool && outcome->answer.error.code == PZ_MEMORY);
    log_event(wrong ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO, job->record.id,
              "event=%s kind=%s puzzle=%.200s states=%" PRIu64 " seconds=%.3f client=%s request=\"%s\"%s%s%s",
              name, job_kind_word(job->record.kind), job->record.puzzle, outcome->states,
              clock_seconds() - job->began, job->record.submitter, log_quote(&request, job->record.request),
              reason != NULL ? " reason=\"" : "", log_quote(&quote, reason), reason != NULL ? "\"" : "");
}

static void log_end(const struct job *job, const struct runner_outcome *outcome)
{
    char name[64];
    (void)snprintf(name, sizeof name, "job-ended state=%s", job_state_word(outcome->state));
    log_job(job, name, outcome, outcome->state == JOB_FAILED ? outcome->answer.error.text : NULL);
}

void scheduler_say_idle(const struct scheduler *scheduler)
{
    if (scheduler->queues[RUN_QUEUE_EXPLORE].running + scheduler->queues[RUN_QUEUE_SOLVE].running +
            scheduler->attempts ==
        0)
        scheduler->options.idle(scheduler->options.context);
}

static void on_runner_end(void *context)
{
    struct job *job = context;
    struct scheduler *scheduler = job->scheduler;
    struct run_queue *queue = scheduler_run_queue(scheduler, job->record.kind);
    struct runner *runner = job->runner;
    struct runner_outcome *outcome = runner_outcome(runner);
    run_queue_end(queue, job);
    job->runner = NULL;
    metrics_add(&scheduler->options.metrics->states_explored, outcome->states);
    if (scheduler->stopping && outcome->state == JOB_CANCELLED && job->phase == PHASE_RUNNING) {
        log_job(job, "job-interrupted", outcome, NULL);
        scheduler_disown(job);
        job_move(scheduler->jobs, job, PHASE_WAITING, JOB_QUEUED);
        scheduler_write_behind(scheduler, job);
    } else {
        log_end(job, outcome);
        scheduler_finish(scheduler, job, outcome->state, &outcome->answer);
    }
    runner_free(runner);
    scheduler->options.changed(scheduler->options.context);
    if (!scheduler->stopping)
        start_ready_of_all(scheduler);
    else
        scheduler_say_idle(scheduler);
}

/* Begins a job that has left its queue. */
static void start(struct scheduler *scheduler, struct run_queue *queue, struct job *job)
{
    const struct config *config = scheduler->options.config;
    struct pz_error error = {0};
    job->record.started_ms = clock_wall_ms();
    struct runner_options options = {
        .task = job->task,
        .job = job->record.id,
        .started_ms = job->record.started_ms,
        .store = scheduler->options.store,
        .patterns = scheduler->patterns,
        .parent = scheduler_budget(scheduler, job->record.kind, job->owner),
        .memory = job->task->plan.memory,
        .threads = job->task->plan.request.threads,
        .stripes = (unsigned)config->stripes,
        .launch = config->launch,
        .scratch = scheduler->options.scratch,
        .disk = config_disk_of_job(config),
        .submitter = job->record.submitter,
        .tables = config->tables_per_client,
        .checkpoint_interval = config->checkpoint_interval,
        .checkpoint_share = (double)config->checkpoint_share / 100,
        .checkpoint_at_stop = config->checkpoint_at_stop,
        .loop_queue = scheduler->options.loop_queue,
        .evicted = scheduler_note_evicted,
        .progressed = on_progress,
        .ended = on_runner_end,
        .context = job,
    };
    (void)snprintf(options.kernel, sizeof options.kernel, "%s", config->kernel); /* a reload frees it */
    scheduler_owner_runs(job);
    job_move(scheduler->jobs, job, PHASE_RUNNING, JOB_RUNNING);
    job->began = clock_seconds();
    suspect_begin(scheduler, job);
    if (job->task->plan.request.cluster)
        cluster_clears_withdraw(scheduler->clears, job);
    scheduler_write_behind(scheduler, job); /* the runner waits until the record is durable */
    if (runner_start(&options, &job->runner, &error) != PZ_OK) {
        scheduler_drop(scheduler, job, &error);
        return;
    }
    run_queue_begin(queue, job);
    metrics_add(&scheduler->options.metrics->jobs_begun, 1);
    waiters_progress(job);
    scheduler->options.changed(scheduler->options.context);
}

static void start_ready(struct scheduler *scheduler, struct run_queue *queue)
{
    struct job *job = NULL;
    while (!scheduler->stopping && (job = run_queue_take(scheduler, queue)) != NULL)
        start(scheduler, queue, job);
}

static void start_ready_of_all(struct scheduler *scheduler)
{
    for (unsigned i = 0; i < RUN_QUEUE_COUNT; i++)
        start_ready(scheduler, &scheduler->queues[i]);
}

void scheduler_start_ready(struct scheduler *scheduler, enum job_kind kind)
{
    start_ready(scheduler, scheduler_run_queue(scheduler, kind));
}

void scheduler_enqueue(struct scheduler *scheduler, struct job *job)
{
    struct run_queue *queue = scheduler_run_queue(scheduler, job->record.kind);
    assert(job->phase == PHASE_WAITING && job->task != NULL);
    job->entry.owner = job->owner;
    job->entry.priority = job->record.priority;
    fair_queue_push(&queue->queued, &job->entry);
    start_ready(scheduler, queue);
}

/* Returns true if a client has no job in the queue, and the queued job's owner has others. */
static bool is_sooner_with(const struct run_queue *queue, const struct job *job, const struct client *client)
{
    const long number = queue - job->scheduler->queues;
    return job->record.state == JOB_QUEUED && job->owner != NULL &&
           client->queued_jobs + client->running[number].jobs == 0 &&
           job->owner->queued_jobs + job->owner->running[number].jobs > 1;
}

void scheduler_hurry(struct scheduler *scheduler, struct job *job, int priority, struct client *client)
{
    if (job->phase == PHASE_RESTARTING && priority > job->task->priority) {
        job->task->priority = priority;
        job->rewrite = true;
    }
    const bool raises = !job_state_ended(job->record.state) && priority > job->record.priority;
    struct run_queue *queue = scheduler_run_queue(scheduler, job->record.kind);
    const bool moves = is_sooner_with(queue, job, client);
    if (!raises && !moves)
        return;
    const bool waits = fair_queue_remove(&queue->queued, &job->entry);
    if (moves) {
        scheduler_disown(job);
        scheduler_own(job, client);
    }
    if (raises) {
        job->record.priority = priority;
        scheduler_write_behind(scheduler, job);
    }
    if (waits)
        scheduler_enqueue(scheduler, job);
}

/* ---- cancel ---- */

void scheduler_end(struct scheduler *scheduler, struct job *job)
{
    if (job->phase == PHASE_RESTARTING) {
        job->cancelled = true;
    } else if (job->record.state == JOB_QUEUED) {
        (void)fair_queue_remove(&scheduler_run_queue(scheduler, job->record.kind)->queued, &job->entry);
        scheduler_finish(scheduler, job, JOB_CANCELLED, &(struct job_answer){0});
        start_ready_of_all(scheduler); /* some may have waited behind it */
    } else if (job->phase == PHASE_RUNNING) {
        job_move(scheduler->jobs, job, PHASE_CANCELLING, JOB_RUNNING);
        runner_cancel(job->runner);
    }
}

void scheduler_cancel(struct scheduler *scheduler, struct job *job, struct pending_reply *pending)
{
    job_hold(job); /* its other waiters may forget it */
    scheduler_end(scheduler, job);
    job_release(job);
    waiters_add(scheduler->options.base, job, pending, WAITER_END, -1);
}

/* ---- the whole ---- */

const struct jobs *scheduler_jobs(const struct scheduler *scheduler)
{
    return scheduler->jobs;
}

/* Makes the plans of waiting jobs again, by the new limits. A job that the new limits refuse keeps its old
 * plan. */
static void plan_again(struct scheduler *scheduler)
{
    for (struct job *job = jobs_next(scheduler->jobs, 0); job != NULL;
         job = jobs_next(scheduler->jobs, job->record.id))
        if (job->record.state == JOB_QUEUED && job->task != NULL) {
            job->planning++;
            if (!scheduler->options.prepare(scheduler->options.context, job->record.id, job->record.request))
                job->planning--;
        }
}

void scheduler_reload(struct scheduler *scheduler)
{
    set_budgets(scheduler);
    plan_again(scheduler);
    start_ready_of_all(scheduler);
    scheduler_prune(scheduler);
}

void scheduler_stop(struct scheduler *scheduler)
{
    scheduler->stopping = true;
    atomic_store_explicit(&scheduler->no_attempts, true, memory_order_relaxed);
    for (struct job *job = jobs_next(scheduler->jobs, 0); job != NULL;
         job = jobs_next(scheduler->jobs, job->record.id)) {
        if (job->phase != PHASE_ADDING &&
            job->phase != PHASE_RESTARTING) /* else its commit still answers the submission */
            waiters_fail(job, &scheduler_stops);
        if (job->runner != NULL) {
            suspect_end(scheduler, job); /* also if it does not stop in time */
            scheduler_write_behind(scheduler, job);
            if (job->phase == PHASE_RUNNING)
                runner_interrupt(job->runner);
        }
    }
    scheduler_say_idle(scheduler);
}

enum pz_status scheduler_new(const struct scheduler_options *options, struct scheduler **out,
                             struct pz_error *error)
{
    struct scheduler *scheduler = calloc(1, sizeof *scheduler);
    struct jobs *jobs = jobs_new();
    struct cluster_clears *clears = cluster_clears_new();
    if (scheduler == NULL || jobs == NULL || clears == NULL) {
        free(scheduler);
        jobs_free(jobs);
        cluster_clears_free(clears);
        return pz_fail(error, PZ_MEMORY, "no memory for the scheduler");
    }
    scheduler->options = *options;
    scheduler->jobs = jobs;
    scheduler->clears = clears;
    budget_init(&scheduler->budget, NULL, 0);
    for (unsigned i = 0; i < RUN_QUEUE_COUNT; i++)
        budget_init(&scheduler->queues[i].budget, &scheduler->budget, 0);
    set_budgets(scheduler);
    enum pz_status status =
        patterns_new(options->store, run_queue_memory(scheduler, JOB_SOLVE),
                     &scheduler->queues[RUN_QUEUE_SOLVE].budget, &scheduler->patterns, error);
    if (status != PZ_OK) {
        scheduler_free(scheduler);
        return status;
    }
    scheduler->preload =
        preload_start(options->store, scheduler->patterns, run_queue_memory(scheduler, JOB_SOLVE));
    *out = scheduler;
    return PZ_OK;
}

void scheduler_end_preload(struct scheduler *scheduler)
{
    preload_stop(scheduler->preload);
    scheduler->preload = NULL;
}

void scheduler_free(struct scheduler *scheduler)
{
    if (scheduler == NULL)
        return;
    assert(scheduler->queues[RUN_QUEUE_EXPLORE].running + scheduler->queues[RUN_QUEUE_SOLVE].running == 0);
    for (struct job *job = jobs_next(scheduler->jobs, 0); job != NULL;
         job = jobs_next(scheduler->jobs, job->record.id))
        scheduler_disown(job);
    scheduler_end_preload(scheduler);
    patterns_free(scheduler->patterns);
    cluster_clears_free(scheduler->clears);
    jobs_free(scheduler->jobs);
    free(scheduler);
}
