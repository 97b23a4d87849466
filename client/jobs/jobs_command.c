/* SPDX-License-Identifier: MIT */
/* Subcommands about existing jobs: jobs, status, result. */
#include "client/jobs/job_pages.h"
#include "client/jobs/job_result.h"
#include "client/session/command.h"
#include "client/show/drawing.h"
#include "client/show/text_table.h"

#include <stdlib.h>

/* The request is the last: a long one pads no other row. */
static const struct table_column columns[] = {{"job", "job"},
                                              {"kind", "kind"},
                                              {"puzzle", "puzzle"},
                                              {"state", "state"},
                                              {"method", "method"},
                                              {"moves", "moves"},
                                              {"depth", "depth"},
                                              {"states", "states"},
                                              {"seconds", "time"},
                                              {"submitted_ms", "submitted"},
                                              {"submitter", "by"},
                                              {"request", "asked"},
                                              {0}};

/* Rows of one table: a long list is drawn in pages, so that it begins at once and needs little memory. JSON
 * is one text, so that all its jobs are held in memory. */
enum { ROWS_MAX = 1000, JSON_MAX = 1000 * 1000 };

struct jobs_listing {
    struct session *session;
    struct reply *rows;
    size_t count, shown;
    json_t *all;
};

static void flush_rows(struct jobs_listing *listing)
{
    table_print_of(listing->session, NULL, false, listing->rows, listing->count, columns);
    for (size_t i = 0; i < listing->count; i++)
        reply_clear(&listing->rows[i]);
    listing->count = 0;
}

static bool list_job(void *context, struct reply *job)
{
    struct jobs_listing *listing = context;
    listing->shown++;
    if (listing->all != NULL) {
        if (listing->shown > JSON_MAX)
            return false;
        (void)json_array_append_new(listing->all, json_of_reply(job));
        return true;
    }
    if (listing->count == ROWS_MAX)
        flush_rows(listing);
    result_show_layout(job);
    listing->rows[listing->count++] = *job;
    *job = (struct reply){0};
    return true;
}

static enum exit_code run_jobs(struct session *session, const struct arguments *arguments)
{
    struct jobs_listing listing = {.session = session, .rows = calloc(ROWS_MAX, sizeof(struct reply))};
    if (session->csv)
        table_csv_titles(columns, NULL, session->terminal->out);
    if (session->json)
        listing.all = json_array();
    enum exit_code code = listing.rows == NULL
                              ? session_fail(session, EXIT_TROUBLE, "memory", "no memory for a list")
                              : pages_each(session, arguments, false, list_job, &listing);
    if (listing.count > 0)
        flush_rows(&listing);
    free(listing.rows);
    if (listing.all != NULL && code == EXIT_FOUND && listing.shown > JSON_MAX)
        code = session_fail(session, EXIT_TROUBLE, "limit",
                            "more than a million jobs: ask for them by limit= and before=");
    if (session->json && code == EXIT_FOUND)
        return session_json(session,
                            json_pack("{s:I, s:o}", "count", (json_int_t)listing.shown, "jobs", listing.all));
    json_decref(listing.all);
    if (code == EXIT_FOUND && listing.shown == 0 && !session->quiet)
        (void)fputs("no jobs\n", session->terminal->err);
    return code;
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
    {"group", "group"},
    {"groups", "of groups"},
    {"disk_bytes", "scratch space"},
    {"disk_write_rate", "written a second"},
    {"disk_read_rate", "read a second"},
    {"waiting", "waits for"},
    {"ranks", "ranks"},
    {"slowest", "slowest rank"},
    {"checkpoint_age", "checkpoint age"},
    {"submitter", "by"},
    {0},
};

/* Prints where a job stands. */
static enum exit_code tell_status(struct session *session, long long job)
{
    struct reply reply;
    enum exit_code code = session_ask(session, session_request_job(session, "STATUS", job), &reply);
    if (code == EXIT_FOUND && session->json)
        code = session_json(session, json_of_reply(&reply));
    else if (code == EXIT_FOUND)
        table_print_block(&reply, status_columns, session->terminal->out);
    reply_clear(&reply);
    return code;
}

static enum exit_code run_result(struct session *session, const struct arguments *arguments)
{
    long long job = 0;
    const enum exit_code code = command_job(session, arguments->words[0], NULL, &job);
    if (code != EXIT_FOUND)
        return code;
    return arguments_option(arguments, "status") != NULL ? tell_status(session, job)
                                                         : result_print(session, job, arguments, NULL);
}

static const struct option_row result_options[] = {
    {"status", 0, NULL, "where the job stands, also while it waits or runs", NULL},
    DRAWING_OPTIONS,
    {0},
};

const struct command command_jobs = {
    .name = "jobs",
    .verb = VERB_JOBS,
    .takes = {"", 0, 0, 0},
    .summary = "List jobs, the latest first",
    .options = list_options,
    .example = "  $ puzzlectl jobs --state running\n"
               "  job  kind     puzzle     state    submitted            asked\n"
               "    7  explore  slide:2x7  running  2026-11-21 03:10:42  EXPLORE \"2x7\"\n",
    .run = run_jobs,
};

const struct command command_result = {
    .name = "result",
    .verb = VERB_COUNT,
    .takes = {"JOB", 1, 1, WORD_JOB},
    .summary = "Print what a job found, or where it stands",
    .example = "  $ puzzlectl result 8 --show\n"
               "  slide:3x3  job 8 done\n"
               "  31 moves  LURDRUULDDRUULDLDRRULLURDLDRURD\n"
               "  $ puzzlectl result 9 --status\n"
               "  job        9\n"
               "  state      running\n"
               "  level      21\n",
    .options = result_options,
    .run = run_result,
};
