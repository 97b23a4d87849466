/* SPDX-License-Identifier: MIT */
/* Checks an incoming job against the limits, and counts the jobs of each client. */
#include "base/size_text.h"
#include "daemon/cluster/cluster_command.h"
#include "daemon/schedule/scheduler_internal.h"
#include "space/text/library.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* Returns true if memory is what memory-per-client leaves a client's jobs of a kind. */
static bool is_client_limit(const struct scheduler *scheduler, enum job_kind kind, uint64_t memory)
{
    return memory == run_queue_share(scheduler, kind) && memory < run_queue_memory(scheduler, kind);
}

/* Refuses an exploration that has too little memory to begin, before it waits in the queue. */
static enum pz_status has_memory_to_begin(const struct scheduler *scheduler, const struct task *task,
                                          struct pz_error *error)
{
    struct pz_error own;
    if (task->kind != JOB_EXPLORE)
        return PZ_OK;
    enum pz_status status = question_plan_check(&task->plan, &own);
    if (status == PZ_TOO_LARGE && is_client_limit(scheduler, task->kind, task->plan.memory))
        return pz_fail(error, status, "by [limits] memory-per-client: %s", own.text);
    if (status != PZ_OK)
        *error = own;
    return status;
}

/* Returns PZ_TOO_LARGE for a job that asks for more memory than one may have. */
static enum pz_status may_take_memory(const struct scheduler *scheduler, const struct task *task,
                                      struct pz_error *error)
{
    const char *jobs = task->kind == JOB_SOLVE ? "searches" : "explorations";
    const uint64_t most = run_queue_share(scheduler, task->kind);
    char all[SIZE_TEXT], share[SIZE_TEXT];
    if (task->memory <= most)
        return PZ_OK;
    (void)size_text(most, share);
    if (is_client_limit(scheduler, task->kind, most))
        return pz_fail(error, PZ_TOO_LARGE,
                       "memory=: by [limits] memory-per-client your %s may have %s together", jobs, share);
    return pz_fail(error, PZ_TOO_LARGE, "memory=: of this daemon's %s, %s may have %s",
                   size_text(scheduler->options.config->memory, all), jobs, share);
}

/* Returns PZ_TOO_LARGE for a job that asks for more scratch space than one may have. */
static enum pz_status may_take_disk(const struct scheduler *scheduler, const struct task *task,
                                    struct pz_error *error)
{
    char limit[SIZE_TEXT], needed[SIZE_TEXT];
    const uint64_t most = scheduler->options.config->disk_per_client;
    if (most == 0)
        return PZ_OK;
    const uint64_t disk = task->plan.request.disk > 0 ? task->plan.request.disk : task->plan.disk;
    if (disk <= most)
        return PZ_OK;
    return pz_fail(error, PZ_TOO_LARGE,
                   "disk=: by [limits] disk-per-client your explorations may have %s together, "
                   "this one takes %s",
                   size_text(most, limit), size_text(disk, needed));
}

/* A definition may have gone since the task was made, and one that goes waits for no new job. */
static enum pz_status may_rely_on_definition(const struct task *task, struct pz_error *error)
{
    const enum library_state state = library_standing(task->puzzle);
    if (state == LIBRARY_ABSENT)
        return pz_fail(error, PZ_BAD_PUZZLE, "the definition of %.60s was removed", task->puzzle);
    if (state == LIBRARY_GOING)
        return pz_fail(error, PZ_BUSY, "the definition of %.60s is being removed at this moment",
                       task->puzzle);
    return PZ_OK;
}

/* Returns PZ_LIMIT if the visitor for whom a client asks has as many jobs as one may have at once. */
static enum pz_status may_serve_visitor(const struct scheduler *scheduler, const struct task *task,
                                        const struct client *client, struct pz_error *error)
{
    const uint64_t most = scheduler->options.config->jobs_per_visitor;
    uint64_t count = 0;
    if (task->visitor == NULL || most == 0)
        return PZ_OK;
    for (const struct job *job = jobs_next(scheduler->jobs, 0); job != NULL;
         job = jobs_next(scheduler->jobs, job->record.id))
        count += job->task != NULL && job->task->visitor != NULL &&
                 strcmp(job->task->visitor, task->visitor) == 0 &&
                 strcmp(job->record.submitter, client->name) == 0; /* others may use the same name */
    if (count < most)
        return PZ_OK;
    return pz_fail(error, PZ_LIMIT,
                   "visitor_jobs=%" PRIu64 " as many jobs of this visitor are queued or running: by [limits] "
                   "jobs-per-visitor no more may",
                   count);
}

enum pz_status scheduler_may_queue(const struct scheduler *scheduler, const struct task *task,
                                   const struct client *client, struct pz_error *error)
{
    const struct config *config = scheduler->options.config;
    if (jobs_in_state(scheduler->jobs, JOB_QUEUED) >= config->queued_jobs)
        return pz_fail(error, PZ_BUSY, "the queue is full: by [limits] queued-jobs %" PRIu64 " may wait",
                       config->queued_jobs);
    if (client->queued_jobs >= config->queued_per_client)
        return pz_fail(error, PZ_LIMIT,
                       "your queue is full: by [limits] queued-jobs-per-client %" PRIu64 " of yours may wait",
                       config->queued_per_client);
    enum pz_status status = may_rely_on_definition(task, error);
    if (status == PZ_OK)
        status = may_serve_visitor(scheduler, task, client, error);
    if (status == PZ_OK)
        status = task->plan.request.cluster ? cluster_command_check(config->launch, error)
                                            : may_take_memory(scheduler, task, error);
    if (status == PZ_OK && !task->plan.request.cluster)
        status = may_take_disk(scheduler, task, error);
    return status == PZ_OK ? has_memory_to_begin(scheduler, task, error) : status;
}

/* ---- the owners of jobs that have not ended: what each client has queued and running ---- */

/* A client without a running job takes nothing. */
__attribute__((unused)) static bool load_is_sound(const struct client_load *load)
{
    return load->jobs > 0 || (load->memory == 0 && load->disk == 0);
}

void scheduler_own(struct job *job, struct client *client)
{
    if (client == NULL)
        return;
    assert(job->owner == NULL);
    job->owner = client_hold(client);
    client->queued_jobs++;
}

void scheduler_owner_runs(const struct job *job)
{
    if (job->owner == NULL)
        return;
    struct client_load *load = run_queue_load(job);
    assert(job->owner->queued_jobs > 0 && load_is_sound(load));
    job->owner->queued_jobs--;
    load->jobs++;
    load->memory += job->task->plan.reserve;
    load->disk += job->task->plan.disk;
}

void scheduler_disown(struct job *job)
{
    if (job->owner == NULL)
        return;
    struct client_load *load = run_queue_load(job);
    if (job->record.state == JOB_RUNNING) {
        const struct question_plan *plan = &job->task->plan;
        assert(load->jobs > 0 && load->memory >= plan->reserve && load->disk >= plan->disk);
        load->jobs--;
        load->memory -= plan->reserve;
        load->disk -= plan->disk;
    } else {
        assert(job->owner->queued_jobs > 0);
        job->owner->queued_jobs--;
    }
    assert(load_is_sound(load));
    client_release(job->owner);
    job->owner = NULL;
}
