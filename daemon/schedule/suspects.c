/* SPDX-License-Identifier: MIT */
/*
 * Suspects: jobs that ran when a daemon did not end in order. One of them may have ended it, by a fault in a
 * plugin or by taking all memory, and would end each later daemon. It is not known which one.
 *
 * So each run is counted in the job's record before it begins. The count is reset when the run ends in order
 * or the daemon is told to stop. At the next start all jobs with a count are suspects. They run again one at
 * a time, beside the jobs that are not suspects. If the daemon then ends without order again, only one
 * suspect has that for the second time: that job has failed. A run that makes a checkpoint has made
 * progress: it is not counted at the next start, and the next suspect may begin. So a job fails only after
 * two runs in a row without progress. A job on a cluster runs in other processes and is never a suspect.
 * Loop thread.
 */
#include "base/log.h"
#include "daemon/run/runner.h"
#include "daemon/schedule/scheduler_internal.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>

/* runs in a row without progress and without an end in order, after which the job has failed */
enum { STARTS_MAX = 2 };

/* Returns true if the job's last run has left a checkpoint. Times are not compared: a clock may go back. */
static bool last_run_has_saved(const struct scheduler *scheduler, const struct job *job)
{
    struct table_view *reader = NULL;
    struct checkpoint_info info = {0};
    if (checkpoint_open(scheduler->options.store, job->record.id, &reader, &info, NULL) != PZ_OK)
        return false;
    table_view_close(reader);
    return info.run == job->record.started_ms;
}

void suspect_load(const struct scheduler *scheduler, struct job *job)
{
    job->suspect = job->record.starts > 0;
    if (job->suspect && last_run_has_saved(scheduler, job))
        job->record.starts = 0;
    if (job->suspect)
        log_event(LOG_LEVEL_WARNING, job->record.id,
                  "event=ended-while-running starts=%" PRIu32
                  " puzzle=%.200s reason=\"the daemon did not end in "
                  "order while this job ran\"",
                  job->record.starts, job->record.puzzle);
}

bool suspect_has_failed(const struct job *job, struct pz_error *error)
{
    struct log_quote reason;
    if (job->record.starts < STARTS_MAX)
        return false;
    const struct pz_puzzle *plugin = registry_plugin(job->record.puzzle);
    (void)pz_fail(error, PZ_INTERNAL, "the daemon ended twice while it ran%s%s",
                  plugin != NULL ? "; plugin " : "", plugin != NULL ? plugin->name : "");
    log_event(LOG_LEVEL_ERROR, job->record.id, "event=job-given-up puzzle=%.200s reason=\"%s\"",
              job->record.puzzle, log_quote(&reason, error->text));
    return true;
}

/* Suspects begin in the order of their numbers, so that the same ones run together at every start. */
bool suspect_may_begin(const struct scheduler *scheduler, const struct job *job)
{
    if (!job->suspect)
        return true;
    const struct job *other = jobs_next(scheduler->jobs, 0);
    for (; other != NULL && other->record.id < job->record.id;
         other = jobs_next(scheduler->jobs, other->record.id))
        if (other->suspect && !job_state_ended(other->record.state))
            return false;
    return scheduler->suspect == NULL;
}

void suspect_begin(struct scheduler *scheduler, struct job *job)
{
    if (job->task->plan.request.cluster)
        return;
    job->record.starts++;
    assert(job->record.starts <= STARTS_MAX);
    assert(!job->suspect || scheduler->suspect == NULL); /* one at a time */
    if (job->suspect)
        scheduler->suspect = job;
}

static void leave_suspects(struct scheduler *scheduler, struct job *job)
{
    job->suspect = false;
    if (scheduler->suspect == job)
        scheduler->suspect = NULL;
}

bool suspect_is_cleared(struct scheduler *scheduler, struct job *job)
{
    if (!job->suspect || !runner_has_saved(job->runner))
        return false;
    job->record.starts = 1;
    leave_suspects(scheduler, job);
    return true;
}

void suspect_end(struct scheduler *scheduler, struct job *job)
{
    job->record.starts = 0;
    leave_suspects(scheduler, job);
}
