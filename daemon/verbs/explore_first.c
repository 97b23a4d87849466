/* SPDX-License-Identifier: MIT */
#include "daemon/verbs/explore_first.h"

#include "daemon/jobs/jobs.h"
#include "daemon/jobs/waiters.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server.h"
#include "daemon/verbs/submission.h"
#include "explore/question_plan.h"
#include "protocol/reply.h"
#include "space/registry.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What the exploration of a space of unknown size may take, and of a known one at the most. */
#define LIMITS " keep=table time=2s memory=64M"

/* ---- what is lacking: on a worker ---- */

static bool waits_for_tables(const struct request *request)
{
    return request->verb == VERB_DISTANCE || request->verb == VERB_PATH || request->verb == VERB_SAMPLE ||
           request->verb == VERB_DEEPEST;
}

/* Returns true if the exploration has at most so many states, as far as can be told. */
static bool is_small(const struct pz_space *space, enum explore_from from, uint64_t most)
{
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct question_plan plan = {0};
    struct pz_error error;
    if (space->puzzle->root(space, root, &error) != PZ_OK)
        return false;
    const struct explore_request asked = {
        .space = space, .root = root, .from = from, .depth = EXPLORE_NO_LIMIT, .keep = KEEP_TABLE};
    const bool possible = question_plan_init(&plan, &asked, 0, &plan_offer_any, &error) == PZ_OK;
    const bool small = possible && plan.estimate.states <= most;
    question_plan_clear(&plan);
    return small;
}

void explore_first_write(const struct request *request, const struct pz_space *space, const char *start,
                         uint64_t most, struct text *out)
{
    const bool to_goal =
        (space->flags & PZ_NO_GOAL) == 0 && request_number(request, KEY_FROM, FROM_GOALS) == FROM_GOALS;
    if (most == 0 || !waits_for_tables(request) || !is_small(space, to_goal ? FROM_GOALS : FROM_ROOT, most))
        return;
    text_add(out, "EXPLORE ");
    text_quoted(out, request->argument[0]);
    text_key(out, "goal", request_text(request, KEY_GOAL));
    for (size_t i = 0; i < request->puzzle_key_count; i++)
        text_key(out, request->puzzle_key[i].key, request->puzzle_key[i].value);
    text_key(out, "root", start);
    text_add(out, to_goal ? " from=goals" LIMITS : LIMITS);
}

/* ---- making it: on the loop ---- */

struct errand {
    struct server *server;
    uint64_t hash;  /* of the request */
    uint64_t began; /* milliseconds of the wall clock: an older job is somebody's own */
    void (*done)(void *context, bool gone);
    void *context;
};

static void end_errand(struct errand *errand, bool sufficed, bool gone)
{
    uint64_t *failed = &errand->server->explore_first.hash[errand->hash % EXPLORE_FIRST_FAILED];
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
    const bool told = reply != NULL && reply->length > 0 &&
                      reply_parse(&parsed, reply->data, strcspn(reply->data, "\n"), &error) &&
                      parsed.kind == REPLY_OK && reply_integer(&parsed, "job", &id);
    reply_clear(&parsed);
    return told ? jobs_find(scheduler_jobs(errand->server->scheduler), (uint64_t)id) : NULL;
}

/* The waiter of before is gone. */
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

/* The job has ended. One that did not suffice goes again, with its part of a table. */
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
    const bool again = server->explore_first.hash[hash % EXPLORE_FIRST_FAILED] == hash;
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
