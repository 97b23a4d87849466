/* SPDX-License-Identifier: MIT */
/* Decides what a job takes when it runs, and which of those that wait may begin. */
#include "clients.h"
#include "scheduler_parts.h"

#include <stddef.h>

/* ---- what a job takes ---- */

struct run_queue *scheduler_run_queue(struct scheduler *scheduler, enum job_kind kind)
{
    return &scheduler->queues[kind == JOB_SOLVE ? RUN_QUEUE_SOLVE : RUN_QUEUE_EXPLORE];
}

uint64_t run_queue_memory(const struct scheduler *scheduler, enum job_kind kind)
{
    uint64_t quarter = scheduler->options.config->memory / 4;
    return kind == JOB_SOLVE ? quarter : 3 * quarter;
}

unsigned scheduler_threads(const struct scheduler *scheduler, const struct task *task)
{
    unsigned most = (unsigned)scheduler->options.config->threads;
    return task->threads > 0 && task->threads < most ? task->threads : most;
}

/* An exploration without a limit of its own gets as much of its queue's memory as of its threads. A search
 * may take what its queue has left. */
uint64_t scheduler_memory_of(const struct scheduler *scheduler, const struct task *task)
{
    uint64_t all = run_queue_memory(scheduler, task->kind);
    if (task->memory > 0)
        return task->memory;
    if (task->kind == JOB_SOLVE)
        return all;
    return all / scheduler->options.config->threads * scheduler_threads(scheduler, task);
}

uint64_t scheduler_need_of(const struct scheduler *scheduler, const struct task *task)
{
    struct explore_request request;
    struct explore_estimate estimate = {0};
    struct pz_error error;
    if (task->kind != JOB_EXPLORE)
        return 0;
    task_explore_request(task, &request);
    request.threads = scheduler_threads(scheduler, task);
    if (request.engine == ENGINE_AUTO)
        request.engine = scheduler->options.config->engine;
    return explore_plan_ahead(&request, &estimate, &error) == PZ_OK ? estimate.bytes : 0;
}

/* ---- which may begin ---- */

unsigned *run_queue_count(const struct job *job)
{
    const unsigned number = job->record.kind == JOB_SOLVE ? RUN_QUEUE_SOLVE : RUN_QUEUE_EXPLORE;
    return &job->owner->running_jobs[number];
}

/* Notes what a job takes when it runs. */
static void measure(const struct scheduler *scheduler, struct job *job)
{
    const uint64_t most = scheduler_memory_of(scheduler, job->task);
    const uint64_t need = scheduler_need_of(scheduler, job->task);
    job->threads = scheduler_threads(scheduler, job->task);
    job->memory = need > 0 && need < most ? need : most;
}

/* Returns true if the job needs little and that is free, whatever has been set aside for others. */
static bool is_small(const struct scheduler *scheduler, const struct run_queue *queue, const struct job *job)
{
    const uint64_t all = run_queue_memory(scheduler, job->record.kind);
    const uint64_t need = scheduler_need_of(scheduler, job->task);
    const uint64_t used = atomic_load_explicit(&queue->budget.used, memory_order_relaxed);
    return need > 0 && need <= all / 8 && used <= all && need <= all - used;
}

/*
 * Returns true if a job may begin beside those that run. An empty queue takes any. A client of whom nothing
 * runs has one job that asks for no free thread, so that nobody waits for the end of another one's long job.
 */
static bool fits(const struct scheduler *scheduler, const struct run_queue *queue, const struct job *job)
{
    const struct config *config = scheduler->options.config;
    const bool first = job->owner != NULL && *run_queue_count(job) == 0;
    if (queue->running == 0)
        return true;
    if (job->record.kind == JOB_SOLVE)
        return first || queue->running < config->solves;
    const bool has_memory = queue->memory + job->memory <= run_queue_memory(scheduler, job->record.kind);
    if (first)
        return has_memory || is_small(scheduler, queue, job);
    return has_memory && queue->threads + job->threads <= config->threads;
}

static struct job *of_entry(struct fair_entry *entry)
{
    return (struct job *)(void *)((char *)entry - offsetof(struct job, entry));
}

struct job *run_queue_take(const struct scheduler *scheduler, struct run_queue *queue)
{
    for (struct fair_entry *entry = queue->queued.first; entry != NULL; entry = entry->next) {
        struct job *job = of_entry(entry);
        const bool may_overtake = job->owner != NULL && *run_queue_count(job) == 0;
        if (entry != queue->queued.first && !may_overtake)
            continue;
        measure(scheduler, job);
        if (!fits(scheduler, queue, job))
            continue;
        if (entry == queue->queued.first)
            (void)fair_queue_pop(&queue->queued);
        else /* nobody loses a turn by it */
            (void)fair_queue_remove(&queue->queued, entry);
        return job;
    }
    return NULL;
}
