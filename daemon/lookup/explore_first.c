/* SPDX-License-Identifier: MIT */
#include "daemon/lookup/explore_first.h"

#include "base/clock.h"
#include "daemon/jobs/jobs.h"
#include "daemon/jobs/waiters.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server_state.h"
#include "daemon/verbs/submission.h"
#include "protocol/reply.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct errand {
    struct server *server;
    uint64_t hash;  /* of the request */
    uint64_t began; /* milliseconds of the wall clock: an older job was not made by this */
    void (*done)(void *context, bool gone);
    void *context;
};

static void end_errand(struct errand *errand, bool sufficed, bool gone)
{
    uint64_t *failed = &errand->server->explore_failed[errand->hash % EXPLORE_FAILED_MAX];
    void (*done)(void *context, bool gone) = errand->done;
    void *context = errand->context;
    if (!sufficed && !gone)
        *failed = errand->hash;
    free(errand);
    done(context, gone);
}

/* Returns the job that a reply names; NULL if it names none, or is an error. */
static struct job *job_of_reply(const struct errand *errand, const struct text *reply)
{
    struct reply parsed = {0};
    struct pz_error error;
    int64_t id = 0;
    const bool submitted = reply != NULL && reply->length > 0 &&
                           reply_parse(&parsed, reply->data, strcspn(reply->data, "\n"), &error) &&
                           parsed.kind == REPLY_OK && reply_integer(&parsed, "job", &id);
    reply_clear(&parsed);
    return submitted ? jobs_find(scheduler_jobs(errand->server->scheduler), (uint64_t)id) : NULL;
}

/* Takes the pending reply back: its waiter has ended. */
static void take_back(struct pending_reply *pending)
{
    pending->context = NULL;
    pending->gone = NULL;
}

static void on_forgotten(struct pending_reply *pending, void *context, struct text *reply)
{
    take_back(pending);
    end_errand(context, false, reply == NULL);
}

/* The job has ended. If its limits did not suffice, it is forgotten, with its part of a table. */
static void on_end(struct pending_reply *pending, void *context, struct text *reply)
{
    struct errand *errand = context;
    struct job *job = job_of_reply(errand, reply);
    take_back(pending);
    if (job != NULL && job->record.state == JOB_STOPPED && job->record.submitted_ms >= errand->began) {
        pending_reply_intercept(pending, on_forgotten, errand);
        (void)scheduler_forget(errand->server->scheduler, job, pending);
    } else {
        end_errand(errand, job != NULL && job->record.state == JOB_DONE, reply == NULL);
    }
}

/* The job is durable, or was refused. */
static void on_submitted(struct pending_reply *pending, void *context, struct text *reply)
{
    struct errand *errand = context;
    struct job *job = job_of_reply(errand, reply);
    take_back(pending);
    if (job == NULL) {
        end_errand(errand, false, reply == NULL);
        return;
    }
    pending_reply_intercept(pending, on_end, errand);
    waiters_add(errand->server->base, job, pending, WAITER_END, -1.0);
}

void explore_first_begin(struct server *server, struct pending_reply *pending, const char *line,
                         void (*done)(void *context, bool gone), void *context)
{
    struct request *request = malloc(sizeof *request);
    struct errand *errand = malloc(sizeof *errand);
    struct pz_error error;
    const uint64_t hash = XXH3_64bits(line, strlen(line));
    const bool again = server->explore_failed[hash % EXPLORE_FAILED_MAX] == hash;
    if (request == NULL || errand == NULL || again || server->stopping ||
        request_parse(request, line, strlen(line), &error) != PZ_OK ||
        request_understand(request, &error) != PZ_OK) {
        free(request);
        free(errand);
        done(context, false);
        return;
    }
    *errand = (struct errand){
        .server = server, .hash = hash, .began = clock_wall_ms(), .done = done, .context = context};
    pending_reply_intercept(pending, on_submitted, errand);
    submission_begin(server, pending, request);
}
