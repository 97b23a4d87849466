/* SPDX-License-Identifier: MIT */
#include "daemon/lookup/deferred_lookup.h"

#include "base/clock.h"
#include "base/status_word.h"
#include "daemon/jobs/jobs.h"
#include "daemon/jobs/waiters.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server_state.h"
#include "daemon/verbs/submission.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* A lookup waits so long for its exploration, which may be queued, or somebody's that runs with more time. */
static const double patience_seconds = 10;
/* An exploration whose limits did not suffice is not tried again for so long. */
static const double failed_seconds = 600;

struct deferred {
    struct server *server;
    uint64_t hash; /* of the request */
    deferred_lookup_done *done;
    void *context;
};

/* error: why there is no exploration, if it is not that the limits do not suffice; its code is PZ_OK
 * otherwise. */
static void end_deferred(struct deferred *deferred, const struct pz_error *error)
{
    deferred_lookup_done *done = deferred->done;
    void *context = deferred->context;
    free(deferred);
    done(context, error);
}

static struct explore_failed *failed_place(struct server *server, uint64_t hash)
{
    return &server->explore_failed[hash % EXPLORE_FAILED_MAX];
}

static bool has_failed(struct server *server, uint64_t hash)
{
    const struct explore_failed *failed = failed_place(server, hash);
    return failed->until > clock_seconds() && failed->hash == hash;
}

static void on_forgotten(struct pending_reply *pending, void *context, struct job *job,
                         const struct pz_error *error)
{
    const struct pz_error none = {.code = PZ_OK};
    (void)pending;
    (void)job;
    end_deferred(context, error != NULL ? &none : NULL); /* if it was not removed, the log says so */
}

/* The job has ended, or the patience. If the job's limits did not suffice, it is forgotten, with its part of
 * a table, unless others need it. */
static void on_exploration_end(struct pending_reply *pending, void *context, struct job *job,
                               const struct pz_error *error)
{
    struct deferred *deferred = context;
    struct pz_error own = {.code = PZ_OK};
    if (job == NULL) {
        end_deferred(deferred, error);
        return;
    }
    if (!job_state_ended(job->record.state))
        (void)pz_fail(&own, PZ_NOT_FINISHED, "job %" PRIu64 ", which explores it, is %s: ask again later",
                      job->record.id, job_state_word(job->record.state));
    else if (job->record.state == JOB_FAILED)
        (void)pz_fail(&own, job->record.facts.failure, "job %" PRIu64 ", which explored it, failed: %.300s",
                      job->record.id, job->record.failure != NULL ? job->record.failure : "no memory");
    else if (job->record.state == JOB_CANCELLED)
        (void)pz_fail(&own, PZ_CANCELLED, "job %" PRIu64 ", which explored it, was cancelled",
                      job->record.id);
    const bool stopped = job->for_lookup && job->record.state == JOB_STOPPED;
    if (stopped)
        *failed_place(deferred->server, deferred->hash) =
            (struct explore_failed){deferred->hash, clock_seconds() + failed_seconds};
    if (job->waiters == NULL && scheduler_may_drop(deferred->server->scheduler, job)) {
        pending_reply_intercept(pending, on_forgotten, deferred);
        (void)scheduler_forget(deferred->server->scheduler, job, pending);
    } else {
        end_deferred(deferred, &own);
    }
}

/* The job is durable, or was refused. */
static void on_submitted(struct pending_reply *pending, void *context, struct job *job,
                         const struct pz_error *error)
{
    struct deferred *deferred = context;
    const struct pz_error none = {.code = PZ_OK};
    if (job == NULL) {
        const bool never = error != NULL && !status_is_retryable(error->code);
        end_deferred(deferred, never ? &none : error);
        return;
    }
    pending_reply_intercept(pending, on_exploration_end, deferred);
    waiters_add(deferred->server->base, job, pending, WAITER_END, patience_seconds);
}

void deferred_lookup_begin(struct server *server, struct pending_reply *pending, struct request *request,
                           uint64_t hash, deferred_lookup_done *done, void *context)
{
    const struct pz_error stopping = {.code = PZ_SHUTTING_DOWN, .text = "the daemon is stopping"};
    const struct pz_error none = {.code = PZ_OK};
    struct deferred *deferred = malloc(sizeof *deferred);
    assert(request->verb == VERB_EXPLORE);
    if (deferred == NULL || server->stopping || has_failed(server, hash)) {
        free(request);
        free(deferred);
        done(context, server->stopping ? &stopping : &none);
        return;
    }
    *deferred = (struct deferred){.server = server, .hash = hash, .done = done, .context = context};
    pending_reply_intercept(pending, on_submitted, deferred);
    submission_begin(server, pending, request);
}
