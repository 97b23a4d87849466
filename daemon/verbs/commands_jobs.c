/* SPDX-License-Identifier: MIT */
/* The verbs about jobs that the loop thread answers from memory. */
#include "daemon/verbs/verb_commands.h"

#include "base/clock.h"
#include "daemon/jobs/waiters.h"
#include "daemon/net/pending_reply.h"
#include "daemon/run/runner.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server_state.h"
#include "protocol/text/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns the job that argument 0 names. Without one it answers with the error and returns NULL. */
static struct job *find_job(struct server *server, struct pending_reply *pending,
                            const struct request *request)
{
    struct pz_error error;
    uint64_t id = 0;
    enum pz_status status = quantity_count(request->argument[0], 1, UINT64_MAX, &id, &error);
    struct job *job = status == PZ_OK ? jobs_find(scheduler_jobs(server->scheduler), id) : NULL;
    if (job != NULL && job->phase != PHASE_ADDING)
        return job;
    if (status == PZ_OK)
        (void)pz_fail(&error, PZ_NO_SUCH_JOB, "there is no job %" PRIu64, id);
    pending_reply_fail(pending, &error);
    return NULL;
}

static void write_time(struct text *out, const char *key, uint64_t milliseconds)
{
    if (milliseconds > 0)
        text_format(out, " %s=%" PRIu64, key, milliseconds);
}

static void write_head(const struct job *job, struct text *out)
{
    text_format(out, "job=%" PRIu64, job->record.id);
    job_format_puzzle(job, out);
    text_format(out, " state=%s", job_state_word(job->record.state));
}

static void write_submitter(const struct job *job, struct text *out)
{
    if (job->record.submitter != NULL && *job->record.submitter != '\0')
        text_key(out, "submitter", job->record.submitter);
}

/* Adds the age of a running job's checkpoint, which may come from before a restart. */
static void write_checkpoint_age(const struct job *job, struct text *out)
{
    uint64_t made = job->runner != NULL ? runner_checkpoint_ms(job->runner) : 0;
    uint64_t now = clock_wall_ms();
    if (made > 0)
        text_format(out, " checkpoint_age=%.3f", now > made ? (double)(now - made) / 1000 : 0.0);
}

void command_status(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    const struct job *job = find_job(server, pending, request);
    if (job == NULL)
        return;
    reply_ok(&out, pending_reply_tag(pending));
    text_add(&out, " ");
    write_head(job, &out);
    text_format(&out, " priority=%d", job->record.priority);
    write_time(&out, "submitted_ms", job->record.submitted_ms);
    write_time(&out, "started_ms", job->record.started_ms);
    write_time(&out, "finished_ms", job->record.finished_ms);
    job_format_progress(job, &out);
    write_checkpoint_age(job, &out);
    write_submitter(job, &out);
    text_key(&out, "request", job->record.request);
    reply_line_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

void command_result(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    struct pz_error error;
    const struct job *job = find_job(server, pending, request);
    if (job == NULL)
        return;
    if (!job_state_ended(job->record.state)) {
        (void)pz_fail(&error, PZ_NOT_FINISHED, "job %" PRIu64 " is %s: WAIT for it", job->record.id,
                      job_state_word(job->record.state));
        pending_reply_fail(pending, &error);
        return;
    }
    reply_ok(&out, pending_reply_tag(pending));
    text_add(&out, " ");
    write_head(job, &out);
    job_format_result(job, &out);
    reply_line_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

/* ---- the list ---- */

/* Bytes of a request that the list shows, and how many of them are its end: there visitor= stands. */
enum { REQUEST_SHOWN = 160, REQUEST_END = 24 };

/* Returns the place where a text can be cut, at this byte or the next character's beginning. */
static const char *cut_of(const char *at)
{
    while (((unsigned char)*at & 0xC0u) == 0x80u)
        at++;
    return at;
}

static void write_short_request(const struct job *job, struct text *out)
{
    char shown[REQUEST_SHOWN + 4 + sizeof "…"]; /* a cut may leave a whole character */
    const char *request = job->record.request != NULL ? job->record.request : "";
    const size_t length = strlen(request);
    if (length > REQUEST_SHOWN) {
        (void)snprintf(shown, sizeof shown, "%.*s…%s",
                       (int)(cut_of(request + REQUEST_SHOWN - REQUEST_END) - request), request,
                       cut_of(request + length - REQUEST_END));
        request = shown;
    }
    text_key(out, "request", request);
}

void command_jobs(struct server *server, struct pending_reply *pending, const struct request *request)
{
    const struct jobs *jobs = scheduler_jobs(server->scheduler);
    int64_t state = request_number(request, KEY_STATE, JOB_STATE_COUNT);
    const bool tools = request_number(request, KEY_TOOLS, 0) != 0;
    size_t limit = (size_t)request_number(request, KEY_LIMIT, PROTOCOL_JOBS_MAX);
    struct reply_records records = {0};
    struct text *lines = &records.lines;
    struct text out = {0};
    bool latest_first = request_text(request, KEY_BEFORE) != NULL;
    uint64_t before = (uint64_t)request_number(request, KEY_BEFORE, 0);
    uint64_t after = (uint64_t)request_number(request, KEY_AFTER, 0);
    struct job *job = latest_first ? jobs_previous(jobs, before) : jobs_next(jobs, after);
    for (; job != NULL;
         job = latest_first ? jobs_previous(jobs, job->record.id) : jobs_next(jobs, job->record.id)) {
        if (latest_first && job->record.id <= after) {
            job = NULL;
            break;
        }
        if (job->phase == PHASE_ADDING || (!tools && job->record.of_tool))
            continue;
        if (state != JOB_STATE_COUNT && job->record.state != (enum job_state)state)
            continue;
        if (records.count == limit)
            break;
        write_head(job, lines);
        text_format(lines, " priority=%d", job->record.priority);
        write_time(lines, "submitted_ms", job->record.submitted_ms);
        write_submitter(job, lines);
        write_short_request(job, lines);
        if (job_state_ended(job->record.state))
            job_format_found(job, lines);
        reply_record_end(&records);
    }
    reply_list(&out, pending_reply_tag(pending), records.count);
    text_key(&out, "more", job != NULL ? "yes" : "no");
    reply_records_write(&records, &out);
    pending_reply_finish(pending, &out, PZ_OK);
}

/* ---- waiting, ending ---- */

void command_wait(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct job *job = find_job(server, pending, request);
    const enum waiter_kind kind = request->verb == VERB_WATCH ? WAITER_EVENTS : WAITER_END;
    if (job != NULL)
        waiters_add(server->base, job, pending, kind, request_seconds(request, KEY_TIMEOUT, -1));
}

/* Returns true if a client may end or forget a job. Else it answers with the error. */
static bool may_end(const struct server *server, const struct job *job, struct pending_reply *pending)
{
    const struct client *client = pending->client;
    const enum cancel_others others = server->config.cancel_others;
    const char *submitter = job->record.submitter != NULL ? job->record.submitter : "";
    struct pz_error error;
    if (others == CANCEL_ANYBODY || client->is_root || strcmp(submitter, client->name) == 0 ||
        (others == CANCEL_GROUP && client->is_member))
        return true;
    (void)pz_fail(&error, PZ_DENIED, "job %" PRIu64 " is not yours but %s's: only they%s and root may end it",
                  job->record.id, *submitter != '\0' ? submitter : "nobody",
                  others == CANCEL_GROUP ? ", members of the daemon's group" : "");
    pending_reply_fail(pending, &error);
    return false;
}

void command_cancel(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct job *job = find_job(server, pending, request);
    if (job != NULL && may_end(server, job, pending))
        scheduler_cancel(server->scheduler, job, pending);
}

void command_forget(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct pz_error error;
    struct job *job = find_job(server, pending, request);
    if (job == NULL || !may_end(server, job, pending))
        return;
    const bool restarts = job->phase == PHASE_RESTARTING;
    if (job_state_ended(job->record.state) && !restarts) {
        (void)scheduler_forget(server->scheduler, job, pending);
        return;
    }
    const char *state = restarts ? "asked again and goes on" : job_state_word(job->record.state);
    (void)pz_fail(&error, PZ_NOT_FINISHED, "job %" PRIu64 " is %s: CANCEL it first", job->record.id, state);
    pending_reply_fail(pending, &error);
}
