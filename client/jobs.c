/* SPDX-License-Identifier: MIT */
/* Subcommands about jobs that are there: jobs, status, result, cancel, forget. */
#include "command.h"
#include "exhibit.h"
#include "result.h"
#include "table.h"

#include <string.h>

static const struct table_column job_columns[] = {
    {"job", "job"},
    {"kind", "kind"},
    {"puzzle", "puzzle"},
    {"state", "state"},
    {"priority", "priority"},
    {"submitted_ms", "submitted"},
    {0},
};

/* The last record's number tells where the next page begins. */
static bool next_page(const struct records *records, int64_t *after)
{
    return reply_is(&records->head, "more", "yes") && records->count > 0 &&
           reply_integer(&records->records[records->count - 1], "job", after);
}

static enum exit_code ask_page(struct session *session, const struct arguments *arguments, int64_t after,
                               struct records *records)
{
    struct text request = {0};
    char number[32];
    compose_begin(&request, "JOBS");
    command_pairs(&request, arguments);
    (void)snprintf(number, sizeof number, "%lld", (long long)after);
    if (after > 0)
        text_key(&request, "after", number);
    enum exit_code code = session_list(session, &request, records);
    text_free(&request);
    return code;
}

/* Every page by itself: a table that grows while it is read needs no memory for all of it. */
static enum exit_code run_jobs(struct session *session, const struct arguments *arguments)
{
    FILE *out = session->terminal->out;
    bool one_page = arguments_pair(arguments, "limit") != NULL || arguments_pair(arguments, "after") != NULL;
    json_t *all = json_array();
    size_t shown = 0;
    int64_t after = 0;
    bool more = true;
    enum exit_code code = EXIT_FOUND;
    while (more && code == EXIT_FOUND) {
        struct records records;
        struct text table = {0};
        code = ask_page(session, arguments, after, &records);
        if (code != EXIT_FOUND)
            break;
        json_t *page = session->json ? json_of_records(records.records, records.count) : NULL;
        (void)json_array_extend(all, page);
        json_decref(page);
        if (!session->json)
            table_draw(records.records, records.count, job_columns, &table);
        (void)fputs(text_string(&table), out);
        shown += records.count;
        more = !one_page && next_page(&records, &after);
        text_free(&table);
        records_clear(&records);
    }
    if (session->json && code == EXIT_FOUND)
        return json_write(json_pack("{s:I, s:o}", "count", (json_int_t)shown, "jobs", all), out)
                   ? code
                   : EXIT_TROUBLE;
    json_decref(all);
    if (code == EXIT_FOUND && shown == 0)
        (void)fputs("no jobs\n", session->terminal->err);
    return code;
}

/* One request about one job, one reply, as it comes. */
static enum exit_code ask_about(struct session *session, const char *verb, const struct arguments *arguments,
                                struct reply *reply)
{
    struct text request = {0};
    long long job = 0;
    *reply = (struct reply){0};
    enum exit_code code = command_job(session, arguments->words[0], &job);
    if (code != EXIT_FOUND)
        return code;
    compose_begin(&request, verb);
    compose_number(&request, job);
    command_pairs(&request, arguments);
    code = session_ask(session, &request, reply);
    text_free(&request);
    return code;
}

static enum exit_code print_block(struct session *session, const struct reply *reply,
                                  const struct table_column *columns)
{
    struct text out = {0};
    if (session->json)
        return json_write(json_of_reply(reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    table_block(reply, columns, 0, &out);
    (void)fputs(text_string(&out), session->terminal->out);
    text_free(&out);
    return EXIT_FOUND;
}

static const struct table_column status_columns[] = {
    {"job", "job"},
    {"kind", "kind"},
    {"puzzle", "puzzle"},
    {"state", "state"},
    {"priority", "priority"},
    {"submitted_ms", "submitted"},
    {"started_ms", "started"},
    {"finished_ms", "finished"},
    {"phase", "phase"},
    {"level", "level"},
    {"frontier", "frontier"},
    {"states", "states"},
    {"rate", "rate"},
    {"bytes", "memory"},
    {"seconds", "searching"},
    {"checkpoint_age", "checkpoint age"},
    {0},
};

static enum exit_code run_status(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    enum exit_code code = ask_about(session, "STATUS", arguments, &reply);
    if (code == EXIT_FOUND)
        code = print_block(session, &reply, status_columns);
    reply_clear(&reply);
    return code;
}

static enum exit_code run_result(struct session *session, const struct arguments *arguments)
{
    long long job = 0;
    enum exit_code code = command_job(session, arguments->words[0], &job);
    if (code == EXIT_FOUND)
        code = result_print(session, job, arguments, NULL);
    return code;
}

static enum exit_code run_cancel(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    enum exit_code code = ask_about(session, "CANCEL", arguments, &reply);
    if (code == EXIT_FOUND && session->json)
        code = json_write(json_of_reply(&reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    else if (code == EXIT_FOUND && reply_is(&reply, "state", "cancelled"))
        (void)fprintf(session->terminal->out, "job %s cancelled\n", arguments->words[0]);
    else if (code == EXIT_FOUND)
        (void)fprintf(session->terminal->out, "job %s had ended before: %s\n", arguments->words[0],
                      reply_text(&reply, "state"));
    reply_clear(&reply);
    return code;
}

static enum exit_code run_forget(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    enum exit_code code = ask_about(session, "FORGET", arguments, &reply);
    if (code == EXIT_FOUND && session->json)
        code = json_write(json_of_reply(&reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    else if (code == EXIT_FOUND)
        (void)fprintf(session->terminal->out, "job %s forgotten, with its table\n", arguments->words[0]);
    reply_clear(&reply);
    return code;
}

static const struct option_row result_options[] = {
    EXHIBIT_OPTIONS,
    {0},
};

const struct command command_jobs = {
    .name = "jobs",
    .verb = VERB_JOBS,
    .words = "",
    .summary = "List jobs",
    .example = "  $ puzzlectl jobs --state running\n"
               "  job  kind     puzzle     state    submitted\n"
               "    7  explore  slide:2x7  running  2026-11-21 03:10:42\n",
    .run = run_jobs,
};

const struct command command_status = {
    .name = "status",
    .verb = VERB_COUNT,
    .words = "JOB",
    .summary = "Tell where a job stands",
    .example = "  $ puzzlectl status 7\n"
               "  job        7\n"
               "  kind       explore\n"
               "  state      running\n"
               "  level      21\n",
    .least = 1,
    .most = 1,
    .run = run_status,
};

const struct command command_result = {
    .name = "result",
    .verb = VERB_COUNT,
    .words = "JOB",
    .summary = "Print what a job found",
    .example = "  $ puzzlectl result 8 --show\n"
               "  slide:3x3  job 8 done\n"
               "  31 moves  LURDRUULDDRUULDLDRRULLURDLDRURD\n",
    .options = result_options,
    .least = 1,
    .most = 1,
    .run = run_result,
};

const struct command command_cancel = {
    .name = "cancel",
    .verb = VERB_COUNT,
    .words = "JOB",
    .summary = "Stop a job and keep what it has",
    .example = "  $ puzzlectl cancel 7\n"
               "  job 7 cancelled\n",
    .least = 1,
    .most = 1,
    .run = run_cancel,
};

const struct command command_forget = {
    .name = "forget",
    .verb = VERB_COUNT,
    .words = "JOB",
    .summary = "Remove an ended job, its results and its table",
    .example = "  $ puzzlectl forget 7\n"
               "  job 7 forgotten, with its table\n",
    .least = 1,
    .most = 1,
    .run = run_forget,
};
