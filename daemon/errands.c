/* SPDX-License-Identifier: MIT */
#include "errands.h"

#include "base/clock.h"
#include "base/status.h"
#include "commands.h"
#include "crew.h"
#include "desk.h"
#include "reply.h"
#include "scheduler.h"
#include "task.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- lookups ---- */

enum { LINES_A_TURN = 32 };

struct lookups {
    struct errand errand;
    struct crew *crew; /* that works on it */
    struct ticket *ticket;
    struct text lines;
    size_t done; /* bytes of them */
    struct text replies;
};

static void lookups_work(struct errand *errand, void *member)
{
    struct lookups *lookups = (struct lookups *)errand;
    struct desk *desk = member;
    const struct text *lines = &lookups->lines;
    answers_begin(desk_answers(desk));
    for (unsigned turn = 1; lookups->done < lines->length && !errand->again; turn++) {
        const char *line = lines->data + lookups->done;
        const char *stop = memchr(line, '\n', lines->length - lookups->done);
        desk_run(desk, line, (size_t)(stop - line), &lookups->replies);
        lookups->done += (size_t)(stop - line) + 1;
        /* Who asked for little does not wait behind those who asked for much. */
        errand->again =
            turn % LINES_A_TURN == 0 && lookups->done < lines->length && crew_backlog(lookups->crew) > 0;
    }
    answers_end(desk_answers(desk));
}

static void lookups_deliver(struct letter *letter)
{
    struct lookups *lookups = (struct lookups *)letter;
    ticket_finish(lookups->ticket, &lookups->replies, PZ_OK);
    text_free(&lookups->lines);
    free(lookups);
}

/* Each line needs its reply all the same. */
static void refuse_lookups(struct ticket *ticket, const struct text *lines, const struct pz_error *error)
{
    struct text out = {0};
    const char *stop = NULL;
    const char *end = lines->data + lines->length;
    for (const char *line = lines->data; line < end; line = stop + 1) {
        struct request request;
        struct pz_error own;
        stop = memchr(line, '\n', (size_t)(end - line));
        (void)request_parse(&request, line, (size_t)(stop - line), &own);
        reply_error(&out, request.tag, error);
    }
    ticket_finish(ticket, &out, PZ_OK);
}

static void submit_lookups(struct server *server, struct crew *crew, struct ticket *ticket,
                           struct text *lines)
{
    struct lookups *lookups = calloc(1, sizeof *lookups);
    if (lookups == NULL || server->stopping) {
        const struct pz_error memory = {.code = PZ_MEMORY, .text = "no memory for lookups"};
        const struct pz_error stopping = {.code = PZ_SHUTTING_DOWN, .text = "the daemon is stopping"};
        refuse_lookups(ticket, lines, lookups == NULL ? &memory : &stopping);
        free(lookups);
        return;
    }
    lookups->errand = (struct errand){.letter.deliver = lookups_deliver, .work = lookups_work};
    lookups->crew = crew;
    lookups->ticket = ticket;
    lookups->lines = *lines;
    *lines = (struct text){0};
    crew_submit(crew, &lookups->errand);
}

void errand_lookups(void *context, struct ticket *ticket, struct text *lines, unsigned count)
{
    struct server *server = context;
    submit_lookups(server, count > LINES_A_TURN ? server->bulk : server->desk, ticket, lines);
}

void errand_single(struct server *server, struct ticket *ticket, const char *line, size_t length, bool lasts)
{
    struct text lines = {0};
    text_append(&lines, line, length);
    text_append(&lines, "\n", 1);
    if (lines.failed) {
        const struct pz_error error = {.code = PZ_MEMORY, .text = "no memory for the request"};
        ticket_fail(ticket, &error);
    } else {
        ticket->is_batch = true; /* counted by the desk */
        submit_lookups(server, lasts ? server->archive : server->desk, ticket, &lines);
    }
    text_free(&lines);
}

/* ---- submissions ---- */

struct submission {
    struct errand errand;
    struct server *server;
    struct ticket *ticket; /* NULL for a stored job */
    uint64_t job;          /* of a stored job */
    char *line;
    struct task *task; /* NULL after a failure */
    struct text known; /* the result when no search is needed; or the reply to an estimate */
    struct pz_error error;
};

/* What no search was needed for. */
static void write_known(const struct task *task, const char *answer, struct text *out)
{
    text_add(out, answer);
    text_add(out, " method=parity threads=1 seconds=0.000000 expanded=0 generated=0 peak_bytes=0");
    task_write_ends(task, out);
}

/* Looks a SOLVE up in the stored tables. Finding none is no failure, unless the request insists on one. */
static enum pz_status look_up(struct desk *desk, struct task *task, struct text *out, struct pz_error *error)
{
    struct answer answer = {0};
    double began = clock_seconds();
    answers_begin(desk_answers(desk));
    enum pz_status status =
        answer_distance(desk_answers(desk), task->space, task->state, true, &answer, error);
    answers_end(desk_answers(desk));
    if (status == PZ_OK && answer.solvable == PZ_YES) {
        text_format(out, " solvable=yes moves=%" PRId64, answer.moves);
        text_key(out, "path", answer.path != NULL ? answer.path : "");
        text_format(out, " method=table threads=1 seconds=%.6f expanded=0 generated=0 peak_bytes=0",
                    clock_seconds() - began);
        task_write_ends(task, out);
    } else if (status == PZ_OK && answer.solvable == PZ_NO) {
        write_known(task, " solvable=no moves=-1", out);
    } else if (task->method == METHOD_TABLE && status == PZ_OK) {
        status =
            pz_fail(error, PZ_NO_TABLE, "the stored exploration ends at depth %" PRIu32 ", before this board",
                    answer.beyond);
    }
    free(answer.path);
    return task->method == METHOD_TABLE ? status : PZ_OK;
}

static enum pz_status find_known(struct desk *desk, struct task *task, struct text *out,
                                 struct pz_error *error)
{
    enum pz_answer known = solve_known(task->space, task->state);
    if (known == PZ_NO) {
        write_known(task, " solvable=no moves=-1", out);
        return PZ_OK;
    }
    if (known == PZ_YES) {
        write_known(task, " solvable=yes moves=0 path=\"\"", out);
        return PZ_OK;
    }
    bool may_look = task->method == METHOD_AUTO || task->method == METHOD_TABLE;
    return may_look ? look_up(desk, task, out, error) : PZ_OK;
}

static enum pz_status estimate(const struct task *task, struct text *out, struct pz_error *error)
{
    static const char *const engines[] = {
        [ENGINE_AUTO] = "auto", [ENGINE_STRIPED] = "striped", [ENGINE_DENSE] = "dense"};
    struct explore_request request;
    struct explore_estimate estimate = {0};
    task_explore_request(task, &request);
    enum pz_status status = explore_plan_ahead(&request, &estimate, error);
    if (status != PZ_OK)
        return status;
    text_key(out, "engine", engines[estimate.engine]);
    if (estimate.states > 0)
        text_format(out, " states=%" PRIu64, estimate.states);
    else
        text_add(out, " states=unknown");
    if (estimate.bytes > 0)
        text_format(out, " bytes=%" PRIu64 " levels_only_bytes=%" PRIu64 " table_bytes=%" PRIu64,
                    estimate.bytes, estimate.bytes_levels_only, estimate.table_bytes);
    if (estimate.passes > 0)
        text_format(out, " passes=%u bytes_moved=%.0f", estimate.passes, estimate.bytes_moved);
    return PZ_OK;
}

/* Notes how deep the table that an exploration would make is stored already. A damaged one is made again. */
static enum pz_status find_covered(struct desk *desk, struct task *task, struct pz_error *error)
{
    struct table_record *table = malloc(sizeof *table);
    if (table == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    enum pz_status status = store_table_find(desk_store(desk), task->table, table, error);
    if (status == PZ_OK)
        task->covered = table->complete ? INT64_MAX : (int64_t)table->depth;
    free(table);
    return status_is_retryable(status) ? status : PZ_OK;
}

static void submission_work(struct errand *errand, void *member)
{
    struct submission *submission = (struct submission *)errand;
    struct request request;
    enum pz_status status =
        request_parse(&request, submission->line, strlen(submission->line), &submission->error);
    if (status == PZ_OK)
        status = task_new(&request, &submission->task, &submission->error);
    bool is_new = submission->ticket != NULL && status == PZ_OK && !submission->task->estimate;
    if (is_new && submission->task->kind == JOB_EXPLORE)
        status = find_covered(member, submission->task, &submission->error);
    if (status == PZ_OK && submission->task->estimate)
        status = estimate(submission->task, &submission->known, &submission->error);
    else if (status == PZ_OK && submission->task->kind == JOB_SOLVE && submission->ticket != NULL)
        status = find_known(member, submission->task, &submission->known, &submission->error);
    if (status == PZ_OK && submission->known.failed)
        status = pz_fail(&submission->error, PZ_MEMORY, "no memory for the answer");
    if (status != PZ_OK) {
        submission->error.code = status;
        task_free(submission->task);
        submission->task = NULL;
    }
}

static void answer_estimate(struct submission *submission)
{
    struct text out = {0};
    reply_ok(&out, ticket_tag(submission->ticket));
    text_join(&out, &submission->known);
    reply_line_end(&out);
    ticket_finish(submission->ticket, &out, PZ_OK);
    task_free(submission->task);
}

static void submission_deliver(struct letter *letter)
{
    struct submission *submission = (struct submission *)letter;
    struct scheduler *scheduler = submission->server->scheduler;
    if (submission->ticket == NULL)
        scheduler_resume(scheduler, submission->job, submission->task, &submission->error);
    else if (submission->task == NULL)
        ticket_fail(submission->ticket, &submission->error);
    else if (submission->task->estimate)
        answer_estimate(submission);
    else
        scheduler_submit(scheduler, submission->task, &submission->known, submission->ticket);
    text_free(&submission->known);
    free(submission->line);
    free(submission);
}

static struct submission *submission_new(struct server *server, const char *line, size_t length)
{
    struct submission *submission = calloc(1, sizeof *submission);
    char *copy = strndup(line, length);
    if (submission == NULL || copy == NULL) {
        free(submission);
        free(copy);
        return NULL;
    }
    submission->errand = (struct errand){.letter.deliver = submission_deliver, .work = submission_work};
    submission->server = server;
    submission->line = copy;
    return submission;
}

void errand_submit(struct server *server, struct ticket *ticket, const struct request *request)
{
    struct submission *submission = submission_new(server, request->line, request->length);
    if (submission == NULL) {
        const struct pz_error error = {.code = PZ_MEMORY, .text = "no memory for a job"};
        ticket_fail(ticket, &error);
        return;
    }
    submission->ticket = ticket;
    crew_submit(server->desk, &submission->errand);
}

bool errand_prepare(void *context, uint64_t job, const char *request)
{
    struct server *server = context;
    struct submission *submission = submission_new(server, request, strlen(request));
    if (submission == NULL)
        return false;
    submission->job = job;
    crew_submit(server->desk, &submission->errand);
    return true;
}
