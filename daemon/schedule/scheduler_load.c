/* SPDX-License-Identifier: MIT */
/* Loads the stored jobs at a start. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status_word.h"
#include "daemon/cluster/cluster_clear.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loading {
    struct scheduler *scheduler;
    enum pz_status status;
};

static char *copy_text(const char *text)
{
    return strdup(text != NULL ? text : "");
}

/* Makes a stored job's submitter its owner again. Without memory the job has no owner. */
static void own_again(const struct scheduler *scheduler, struct job *job)
{
    struct client *client = clients_named(scheduler->options.clients, job->record.submitter);
    scheduler_own(job, client);
    client_release(client);
}

static bool load_job(void *context, const struct job_record *stored)
{
    struct loading *loading = context;
    struct job_record record = *stored;
    record.puzzle = copy_text(stored->puzzle);
    record.request = copy_text(stored->request);
    record.question = copy_text(stored->question);
    record.table = copy_text(stored->table);
    record.result = copy_text(stored->result);
    record.failure = copy_text(stored->failure);
    record.submitter = copy_text(stored->submitter);
    if (record.state == JOB_RUNNING)
        record.state = JOB_QUEUED;
    struct job *job =
        scheduler_record_is_whole(&record) ? jobs_add(loading->scheduler->jobs, &record, true) : NULL;
    if (job == NULL) {
        job_record_clear(&record);
        loading->status = PZ_MEMORY;
        return false;
    }
    job->scheduler = loading->scheduler;
    if (job->record.state == JOB_QUEUED && *job->record.submitter != '\0')
        own_again(loading->scheduler, job);
    if (job->record.state == JOB_QUEUED)
        suspect_load(loading->scheduler, job);
    return true;
}

/* Lists a job whose record is damaged as a failed one, so that whoever asks hears why, and it can be
 * forgotten. */
static bool load_damaged(struct loading *loading, uint64_t id)
{
    char failure[100];
    (void)snprintf(failure, sizeof failure,
                   "the record of job %" PRIu64 " is damaged; forget it and ask again", id);
    const struct job_record record = {.id = id,
                                      .kind = JOB_EXPLORE,
                                      .state = JOB_FAILED,
                                      .submitted_ms = clock_wall_ms(), /* unknown; not to be the oldest */
                                      .facts = {.failure = PZ_STORAGE},
                                      .failure = failure};
    return load_job(loading, &record);
}

/* Ends a job that may have ended two daemons. Returns true if the job was such a one. */
static bool drop_suspect(struct scheduler *scheduler, struct job *job)
{
    struct pz_error error;
    if (!suspect_has_failed(job, &error))
        return false;
    scheduler_drop(scheduler, job, &error);
    return true;
}

enum pz_status scheduler_load(struct scheduler *scheduler, struct pz_error *error)
{
    struct loading loading = {scheduler, PZ_OK};
    uint64_t id = 0;
    enum pz_status status = store_jobs(scheduler->options.store, 0, load_job, &loading, error);
    while (status == PZ_STORAGE && store_job_next(scheduler->options.store, &id))
        if (jobs_find(scheduler->jobs, id) == NULL && !load_damaged(&loading, id))
            break;
    if (loading.status != PZ_OK)
        return pz_fail(error, loading.status, "no memory for the stored jobs");
    if (status == PZ_STORAGE) {
        /* The others go on, if the database can be read. */
        struct store_stats stats;
        log_event_text(LOG_LEVEL_ERROR, 0, "event=damaged-job reason", error->text);
        status = store_stats(scheduler->options.store, &stats, error);
    }
    for (struct job *job = jobs_next(scheduler->jobs, 0); job != NULL && status == PZ_OK;
         job = jobs_next(scheduler->jobs, job->record.id))
        if (job->record.state == JOB_QUEUED && !drop_suspect(scheduler, job) &&
            !scheduler->options.prepare(scheduler->options.context, job->record.id, job->record.request))
            status = pz_fail(error, PZ_MEMORY, "no memory for the stored jobs");
    cluster_clear_again(scheduler->clears, scheduler->options.config->launch, scheduler->jobs);
    scheduler->stopping = status != PZ_OK; /* the next start runs the jobs that are prepared already */
    return status;
}

void scheduler_resume(struct scheduler *scheduler, uint64_t id, struct task *task,
                      const struct pz_error *error)
{
    struct job *job = jobs_find(scheduler->jobs, id);
    if (job != NULL && job->planning > 0)
        job->planning--;
    if (job == NULL || job->record.state != JOB_QUEUED) {
        task_free(task);
        return;
    }
    if (job->task != NULL) { /* its plan was made again, or could not be made */
        if (task != NULL) {
            task_free(job->task);
            job->task = task;
        }
        scheduler_start_ready(scheduler, job->record.kind);
        return;
    }
    job->task = task;
    if (task != NULL)
        scheduler_enqueue(scheduler, job);
    else if (!scheduler->stopping || !status_is_retryable(error->code)) /* else the next start tries again */
        scheduler_drop(scheduler, job, error);
}
