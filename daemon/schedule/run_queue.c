/* SPDX-License-Identifier: MIT */
/* The memory and threads of each kind of jobs together, and which queued job may begin. */
#include "base/clock.h"
#include "daemon/net/clients.h"
#include "daemon/schedule/scheduler_internal.h"

#include <assert.h>
#include <stddef.h>

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

void scheduler_offer(const struct scheduler *scheduler, enum job_kind kind, struct plan_offer *offer)
{
    const struct config *config = scheduler->options.config;
    *offer = (struct plan_offer){.engine = config->engine,
                                 .threads = (unsigned)config->threads,
                                 .memory = run_queue_memory(scheduler, kind),
                                 .share = run_queue_share(scheduler, kind),
                                 .disk = config_disk_of_job(config)};
}

/* ---- what the running jobs of a kind take ---- */

static struct job *job_of_entry(struct fair_entry *entry)
{
    return (struct job *)(void *)((char *)entry - offsetof(struct job, entry));
}

__attribute__((unused)) static bool run_queue_is_sound(const struct run_queue *queue)
{
    return queue->running > 0 || (queue->threads == 0 && queue->memory == 0);
}

void run_queue_begin(struct run_queue *queue, const struct job *job)
{
    assert(job->phase == PHASE_RUNNING && run_queue_is_sound(queue));
    queue->running++;
    queue->threads += job->task->plan.request.threads;
    queue->memory += job->task->plan.reserve;
}

void run_queue_end(struct run_queue *queue, const struct job *job)
{
    const struct question_plan *plan = &job->task->plan;
    assert(queue->running > 0 && queue->threads >= plan->request.threads && queue->memory >= plan->reserve);
    queue->running--;
    queue->threads -= plan->request.threads;
    queue->memory -= plan->reserve;
    for (struct fair_entry *entry = queue->queued.first; entry != NULL; entry = entry->next) {
        struct job *waiting = job_of_entry(entry);
        if (waiting->blocked >= job->began && waiting->blockers > 0)
            waiting->blockers--;
    }
    assert(run_queue_is_sound(queue));
}

/* ---- which may begin ---- */

struct client_load *run_queue_load(const struct job *job)
{
    const unsigned number = job->record.kind == JOB_SOLVE ? RUN_QUEUE_SOLVE : RUN_QUEUE_EXPLORE;
    return &job->owner->running[number];
}

/* Returns true if the job needs little memory and that much is unused, even if it is set aside for others. */
static bool job_is_small(const struct scheduler *scheduler, const struct run_queue *queue,
                         const struct job *job)
{
    const uint64_t all = run_queue_memory(scheduler, job->record.kind);
    const uint64_t need = job->task->plan.need;
    const uint64_t used = atomic_load_explicit(&queue->budget.used, memory_order_relaxed);
    return need > 0 && need <= all / 8 && used <= all && need <= all - used;
}

/* Returns true if its client's running explorations leave room for this one. The first one always has room:
 * its own size was checked when it came in. */
static bool client_has_room(const struct scheduler *scheduler, const struct run_queue *queue,
                            const struct job *job)
{
    assert(job->task != NULL); /* only such jobs are queued */
    const struct client_load *load = job->owner != NULL ? run_queue_load(job) : NULL;
    const uint64_t disk = scheduler->options.config->disk_per_client;
    if (load == NULL || load->jobs == 0 || job->record.kind == JOB_SOLVE)
        return true;
    if (job->for_lookup && job_is_small(scheduler, queue, job))
        return true;
    const struct question_plan *plan = &job->task->plan;
    return load->memory + plan->reserve <= run_queue_share(scheduler, job->record.kind) &&
           (disk == 0 || load->disk + plan->disk <= disk);
}

/* Returns true if no job of its client's runs. */
static bool is_first(const struct job *job)
{
    return job->owner != NULL && run_queue_load(job)->jobs == 0;
}

/*
 * Returns true if a job may begin beside those that run. If none runs, any may. A client without a running
 * job needs no free thread for one job, so that it need not wait until another client's long job ends. Nor
 * need what a lookup explores, which takes seconds at most; all together take twice the threads then.
 */
static bool job_fits(const struct scheduler *scheduler, const struct run_queue *queue, const struct job *job)
{
    const struct config *config = scheduler->options.config;
    if (queue->running == 0)
        return true;
    if (job->record.kind == JOB_SOLVE)
        return is_first(job) || queue->running < config->solves;
    const struct question_plan *plan = &job->task->plan;
    const uint64_t threads = (uint64_t)queue->threads + plan->request.threads;
    if (queue->memory + plan->reserve > run_queue_memory(scheduler, job->record.kind) &&
        !((is_first(job) || job->for_lookup) && job_is_small(scheduler, queue, job)))
        return false;
    return is_first(job) || threads <= config->threads * (job->for_lookup ? 2 : 1);
}

/* Notes that a job does not fit. Returns true if all that keep it from running have overtaken it: nobody else
 * may, or it could wait for ever. */
static bool note_blocked(const struct run_queue *queue, struct job *job)
{
    if (job->blocked <= 0) {
        job->blocked = clock_seconds();
        job->blockers = queue->running;
    }
    return job->blockers == 0;
}

/* Returns true if an earlier job of the same client waits for room that only its client's later ones take. */
static bool is_behind_own(const struct scheduler *scheduler, const struct run_queue *queue,
                          const struct fair_entry *entry)
{
    for (struct fair_entry *other = queue->queued.first; other != entry; other = other->next) {
        const struct job *job = job_of_entry(other);
        if (other->owner == entry->owner && job->blocked > 0 && job->blockers == 0 &&
            !client_has_room(scheduler, queue, job))
            return true;
    }
    return false;
}

struct job *run_queue_take(const struct scheduler *scheduler, struct run_queue *queue)
{
    bool waiting = false; /* an earlier job waits for room that other clients use … */
    bool closed = false;  /* … which all came later */
    bool held = false;    /* an earlier job waits for room that its own client uses, as in is_behind_own */
    for (struct fair_entry *entry = queue->queued.first; entry != NULL; entry = entry->next) {
        struct job *job = job_of_entry(entry);
        const bool may_overtake = job->for_lookup || (is_first(job) && !closed);
        if (job->planning > 0)
            return NULL; /* its turn does not pass on: this is asked again when it has its plan */
        if ((waiting && !may_overtake) || !suspect_may_begin(scheduler, job))
            continue;
        if (!client_has_room(scheduler, queue, job)) {
            held |= note_blocked(queue, job);
            continue;
        }
        if (!job_fits(scheduler, queue, job)) {
            waiting = true;
            closed |= note_blocked(queue, job) && is_first(job);
            continue;
        }
        if (held && !job->for_lookup && is_behind_own(scheduler, queue, entry))
            continue;
        job->blocked = 0;
        if (entry == queue->queued.first)
            (void)fair_queue_pop(&queue->queued);
        else /* the turns stay as they are */
            (void)fair_queue_remove(&queue->queued, entry);
        return job;
    }
    return NULL;
}
