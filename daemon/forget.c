/* SPDX-License-Identifier: MIT */
/* How jobs go: FORGET, and the oldest ones when there are too many. A job is gone from the list at once; what
 * it has in the store is read and removed elsewhere, since a job may have tens of thousands of levels. */
#include "base/log.h"
#include "reply.h"
#include "scheduler.h"
#include "scheduler_parts.h"
#include "waiters.h"

#include <inttypes.h>
#include <stdlib.h>

struct forgetting {
    struct errand errand;
    struct store *store;
    struct receipt *receipt; /* NULL once the store has it */
    uint64_t job;
};

/* ---- the end: the removal is durable, or has failed ---- */

static void deliver_forgotten(struct letter *letter)
{
    struct receipt *receipt = (struct receipt *)letter;
    struct text out = {0};
    if (receipt->ticket != NULL && receipt->error.code != PZ_OK) {
        ticket_fail(receipt->ticket, &receipt->error);
    } else if (receipt->ticket != NULL) {
        reply_ok(&out, ticket_tag(receipt->ticket));
        text_format(&out, " job=%" PRIu64 " forgotten=yes", receipt->job);
        reply_line_end(&out);
        ticket_finish(receipt->ticket, &out, PZ_OK);
    } else if (receipt->error.code != PZ_OK) {
        log_event(LOG_LEVEL_ERROR, receipt->job, "event=job-not-removed reason=\"%s\"", receipt->error.text);
    }
    free(receipt);
}

/* ---- off the loop thread ---- */

static void forgetting_work(struct errand *errand, void *member)
{
    struct forgetting *forgetting = (struct forgetting *)errand;
    struct receipt *receipt = forgetting->receipt;
    const struct store_ack ack = {receipt_acknowledge, receipt};
    struct pz_error error = {0};
    (void)member;
    /* From here on the receipt is the store's, unless it refuses; it may be home before this returns. */
    forgetting->receipt = NULL;
    if (store_job_forget_async(forgetting->store, forgetting->job, &ack, &error) == PZ_OK)
        return;
    receipt->error = error;
    forgetting->receipt = receipt;
}

static void deliver_forgetting(struct letter *letter)
{
    struct forgetting *forgetting = (struct forgetting *)letter;
    if (forgetting->receipt != NULL)
        deliver_forgotten(&forgetting->receipt->letter);
    free(forgetting);
}

/* ---- on it ---- */

bool scheduler_forget(struct scheduler *scheduler, struct job *job, struct ticket *ticket)
{
    struct forgetting *forgetting = calloc(1, sizeof *forgetting);
    struct receipt *receipt = receipt_new(scheduler, job->record.id, ticket, deliver_forgotten);
    if (forgetting == NULL || receipt == NULL) {
        const struct pz_error error = {.code = PZ_MEMORY, .text = "no memory to forget a job"};
        free(forgetting);
        free(receipt);
        if (ticket != NULL)
            ticket_fail(ticket, &error);
        return false;
    }
    *forgetting =
        (struct forgetting){.errand = {.letter.deliver = deliver_forgetting, .work = forgetting_work},
                            .store = scheduler->options.store,
                            .receipt = receipt,
                            .job = job->record.id};
    job->saving_end = false;
    waiters_ended(job); /* its end may be on its way to the disk */
    jobs_remove(scheduler->jobs, job);
    crew_submit(scheduler->options.quick, &forgetting->errand);
    return true;
}

static size_t ended_count(const struct jobs *jobs)
{
    return jobs_in_state(jobs, JOB_DONE) + jobs_in_state(jobs, JOB_STOPPED) +
           jobs_in_state(jobs, JOB_FAILED) + jobs_in_state(jobs, JOB_CANCELLED);
}

/* The oldest ended job nobody waits for, one without a table if there is one; NULL when there is none. */
static struct job *oldest_ended(const struct jobs *jobs)
{
    struct job *oldest = NULL;
    for (struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id)) {
        if (!job_state_ended(job->record.state) || !job->stored || job->saving_end)
            continue;
        if (job->record.kind == JOB_SOLVE)
            return job;
        if (oldest == NULL)
            oldest = job;
    }
    return oldest;
}

void scheduler_prune(struct scheduler *scheduler)
{
    uint64_t kept = scheduler->options.config->kept_jobs;
    /* Who stops has no one any more to run the errands; the next start's first job makes up for it. */
    while (!scheduler->stopping && ended_count(scheduler->jobs) > kept) {
        struct job *oldest = oldest_ended(scheduler->jobs);
        if (oldest == NULL || !scheduler_forget(scheduler, oldest, NULL))
            return; /* no memory: next time */
    }
}
