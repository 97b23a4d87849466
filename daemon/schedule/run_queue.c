/* SPDX-License-Identifier: MIT */
/* Decides how many threads and how much memory a job takes, and which queued job may begin. */
#include "daemon/net/clients.h"
#include "daemon/schedule/scheduler_parts.h"

#include <stddef.h>

enum { CLUSTER_BYTES = 16 << 20 }; /* a job on a cluster takes its memory there */

/* ---- what a job takes ---- */

struct run_queue *scheduler_run_queue(struct scheduler *scheduler, enum job_kind kind)
{
    return &scheduler->queues[kind == JOB_SOLVE ? RUN_QUEUE_SOLVE : RUN_QUEUE_EXPLORE];
}

/* Returns the part of a limit of memory that is for one kind of jobs. */
static uint64_t part_of(uint64_t memory, enum job_kind kind)
{
    return memory / 4 * (kind == JOB_SOLVE ? 1 : 3);
}

uint64_t run_queue_memory(const struct scheduler *scheduler, enum job_kind kind)
{
    return part_of(scheduler->options.config->memory, kind);
}

uint64_t run_queue_share(const struct scheduler *scheduler, enum job_kind kind)
{
    const struct config *config = scheduler->options.config;
    const uint64_t limit = config->memory_per_client;
    return part_of(limit > 0 && limit < config->memory ? limit : config->memory, kind);
}

struct budget *scheduler_budget(struct scheduler *scheduler, enum job_kind kind, struct client *client)
{
    struct budget *all = &scheduler_run_queue(scheduler, kind)->budget;
    const uint64_t share = run_queue_share(scheduler, kind);
    if (kind != JOB_SOLVE || client == NULL || share == run_queue_memory(scheduler, kind))
        return all;
    if (client->searches.parent == NULL)
        budget_init(&client->searches, all, share);
    budget_set_limit(&client->searches, share);
    return &client->searches;
}

unsigned scheduler_threads(const struct scheduler *scheduler, const struct task *task)
{
    if (task->cluster)
        return 1;
    unsigned most = (unsigned)scheduler->options.config->threads;
    return task->threads > 0 && task->threads < most ? task->threads : most;
}

/* Without a limit of its own an exploration gets the share of its queue's memory that it has of the threads;
 * a search may take all that its queue has left. Neither gets more than its client may have. */
uint64_t scheduler_memory_of(const struct scheduler *scheduler, const struct task *task)
{
    const uint64_t share = run_queue_share(scheduler, task->kind);
    if (task->cluster)
        return CLUSTER_BYTES;
    if (task->memory > 0)
        return task->memory;
    if (task->kind == JOB_SOLVE)
        return share;
    const uint64_t thread = run_queue_memory(scheduler, task->kind) / scheduler->options.config->threads;
    const uint64_t own = thread * scheduler_threads(scheduler, task);
    return own < share ? own : share;
}

/* Finds what an exploration would take. Returns false if that is not known ahead. */
static bool plan_ahead(const struct scheduler *scheduler, const struct task *task,
                       struct explore_estimate *estimate)
{
    struct explore_request request;
    struct pz_error error;
    if (task->kind != JOB_EXPLORE)
        return false;
    *estimate = (struct explore_estimate){.bytes = CLUSTER_BYTES};
    if (task->cluster)
        return true;
    task_explore_request(task, &request);
    request.threads = scheduler_threads(scheduler, task);
    if (request.engine == ENGINE_AUTO)
        request.engine = scheduler->options.config->engine;
    return explore_plan_ahead(&request, estimate, &error) == PZ_OK;
}

uint64_t scheduler_need_of(const struct scheduler *scheduler, const struct task *task)
{
    struct explore_estimate estimate;
    return plan_ahead(scheduler, task, &estimate) ? estimate.bytes : 0;
}

uint64_t scheduler_disk_of(const struct scheduler *scheduler, const struct task *task)
{
    struct explore_estimate estimate;
    const uint64_t memory = scheduler_memory_of(scheduler, task);
    if (!plan_ahead(scheduler, task, &estimate) ||
        explore_planes_within(&estimate, memory, UINT64_MAX) != PLANES_DISK)
        return 0;
    const uint64_t need = explore_disk_within(&estimate.cost[PLANES_DISK], memory);
    return task->disk > 0 && task->disk < need ? task->disk : need;
}

/* ---- which may begin ---- */

struct client_load *run_queue_load(const struct job *job)
{
    const unsigned number = job->record.kind == JOB_SOLVE ? RUN_QUEUE_SOLVE : RUN_QUEUE_EXPLORE;
    return &job->owner->running[number];
}

/* Returns true if the job fills the memory that was given to it, as planes in pieces do. */
static bool fills_memory(const struct scheduler *scheduler, const struct task *task)
{
    struct explore_estimate estimate;
    if (task->memory == 0 || !plan_ahead(scheduler, task, &estimate))
        return false;
    const enum explore_planes planes =
        explore_planes_within(&estimate, scheduler_memory_of(scheduler, task), UINT64_MAX);
    return planes == PLANES_CODED || planes == PLANES_DISK;
}

/* Notes the threads, memory and scratch space that a job takes when it runs. */
static void measure(const struct scheduler *scheduler, struct job *job)
{
    const uint64_t most = scheduler_memory_of(scheduler, job->task);
    const uint64_t need = scheduler_need_of(scheduler, job->task);
    job->threads = scheduler_threads(scheduler, job->task);
    const bool fills = fills_memory(scheduler, job->task);
    job->memory = need > 0 && need < most && !fills ? need : most;
    job->disk = scheduler->options.config->disk_per_client > 0 ? scheduler_disk_of(scheduler, job->task) : 0;
}

/* Returns true if the job needs little memory and that much is unused, even if it is set aside for others. */
static bool is_small(const struct scheduler *scheduler, const struct run_queue *queue, const struct job *job)
{
    const uint64_t all = run_queue_memory(scheduler, job->record.kind);
    const uint64_t need = scheduler_need_of(scheduler, job->task);
    const uint64_t used = atomic_load_explicit(&queue->budget.used, memory_order_relaxed);
    return need > 0 && need <= all / 8 && used <= all && need <= all - used;
}

/* Returns true if its client's running explorations leave room for this one. The first always has room: what
 * one may take alone was checked when it came. */
static bool client_has_room(const struct scheduler *scheduler, const struct job *job)
{
    const struct client_load *load = job->owner != NULL ? run_queue_load(job) : NULL;
    const uint64_t disk = scheduler->options.config->disk_per_client;
    if (load == NULL || load->jobs == 0 || job->record.kind == JOB_SOLVE)
        return true;
    return load->memory + job->memory <= run_queue_share(scheduler, job->record.kind) &&
           (disk == 0 || load->disk + job->disk <= disk);
}

/*
 * Returns true if a job may begin beside those that run. If none runs, any may. A client of whom nothing runs
 * needs no free thread for one job, so that nobody waits until another client's long job ends.
 */
static bool fits(const struct scheduler *scheduler, const struct run_queue *queue, const struct job *job)
{
    const struct config *config = scheduler->options.config;
    const bool first = job->owner != NULL && run_queue_load(job)->jobs == 0;
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
    bool waiting = false; /* an earlier job waits for room that other clients take */
    for (struct fair_entry *entry = queue->queued.first; entry != NULL; entry = entry->next) {
        struct job *job = of_entry(entry);
        const bool may_overtake = job->owner != NULL && run_queue_load(job)->jobs == 0;
        if ((waiting && !may_overtake) || !suspect_may_begin(scheduler, job))
            continue;
        measure(scheduler, job);
        if (!client_has_room(scheduler, job))
            continue;
        if (!fits(scheduler, queue, job)) {
            waiting = true;
            continue;
        }
        if (entry == queue->queued.first)
            (void)fair_queue_pop(&queue->queued);
        else /* the turns stay as they are */
            (void)fair_queue_remove(&queue->queued, entry);
        return job;
    }
    return NULL;
}
