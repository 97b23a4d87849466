/* SPDX-License-Identifier: MIT */
/* Subcommands about the daemon itself: ping, version, stats, puzzles. */
#include "command.h"
#include "number.h"
#include "table.h"
#include "version.h"

#include <time.h>

static enum exit_code ask_plain(struct session *session, const char *verb, struct reply *reply)
{
    struct text request = {0};
    compose_begin(&request, verb);
    enum exit_code code = session_ask(session, &request, reply);
    text_free(&request);
    return code;
}

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static enum exit_code run_ping(struct session *session, const struct arguments *arguments)
{
    char number[NUMBER_TEXT_MAX];
    struct reply reply;
    double begin = now_seconds();
    (void)arguments;
    enum exit_code code = ask_plain(session, "PING", &reply);
    if (code == EXIT_FOUND && session->json)
        code = json_write(json_of_reply(&reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    else if (code == EXIT_FOUND)
        (void)fprintf(session->terminal->out, "puzzled answers at %s (%s)\n", session->address.name,
                      number_seconds(number, now_seconds() - begin));
    reply_clear(&reply);
    return code;
}

static enum exit_code run_version(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    (void)arguments;
    enum exit_code code = ask_plain(session, "VERSION", &reply);
    if (code == EXIT_FOUND && session->json)
        code = json_write(json_of_reply(&reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    else if (code == EXIT_FOUND)
        (void)fprintf(session->terminal->out, "puzzlectl %s\npuzzled %s, protocol %s\n", PUZZLED_VERSION,
                      reply_text(&reply, "version"), reply_text(&reply, "protocol"));
    reply_clear(&reply);
    return code;
}

static const struct table_column stats_columns[] = {
    {"version", "version", FORM_TEXT},
    {"uptime", "up for", FORM_SECONDS},
    {"connections", "connections", FORM_COUNT},
    {"requests", "requests", FORM_COUNT},
    {"threads", "threads", FORM_TEXT},
    {"memory_used", "memory used", FORM_BYTES},
    {"memory_limit", "memory limit", FORM_BYTES},
    {"jobs_queued", "jobs queued", FORM_NUMBER},
    {"jobs_running", "jobs running", FORM_NUMBER},
    {"jobs_done", "jobs done", FORM_COUNT},
    {"jobs_stopped", "jobs stopped", FORM_COUNT},
    {"jobs_failed", "jobs failed", FORM_COUNT},
    {"jobs_cancelled", "jobs cancelled", FORM_COUNT},
    {"states_explored", "states explored", FORM_COUNT},
    {"cache_hits", "answered before", FORM_COUNT},
    {"tables", "tables", FORM_COUNT},
    {"database_bytes", "database", FORM_BYTES},
    {"database_free", "room on disk", FORM_BYTES},
    {0},
};

static enum exit_code run_stats(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    struct text out = {0};
    (void)arguments;
    enum exit_code code = ask_plain(session, "STATS", &reply);
    if (code == EXIT_FOUND && session->json) {
        code = json_write(json_of_reply(&reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    } else if (code == EXIT_FOUND) {
        table_block(&reply, stats_columns, 0, &out);
        (void)fputs(text_string(&out), session->terminal->out);
    }
    text_free(&out);
    reply_clear(&reply);
    return code;
}

static enum exit_code run_puzzles(struct session *session, const struct arguments *arguments)
{
    static const struct table_column columns[] = {
        {"puzzle", "puzzle", FORM_TEXT},
        {"example", "example", FORM_TEXT},
        {"does", "what it is", FORM_TEXT},
        {"keys", "its keys", FORM_TEXT},
        {0},
    };
    struct text request = {0};
    struct text out = {0};
    struct records records;
    (void)arguments;
    compose_begin(&request, "PUZZLES");
    enum exit_code code = session_list(session, &request, &records);
    text_free(&request);
    if (code != EXIT_FOUND)
        return code;
    if (session->json)
        code = json_write(json_of_list(&records.head, "puzzles", records.records, records.count),
                          session->terminal->out)
                   ? EXIT_FOUND
                   : EXIT_TROUBLE;
    else
        table_draw(records.records, records.count, columns, &out);
    (void)fputs(text_string(&out), session->terminal->out);
    text_free(&out);
    records_clear(&records);
    return code;
}

static const struct option_row no_options[] = {{0}};

const struct command command_ping = {
    .name = "ping",
    .words = "",
    .summary = "See whether the daemon answers",
    .example = "  $ puzzlectl ping\n"
               "  puzzled answers at /run/puzzled/puzzled.sock (0.1 ms)\n",
    .options = no_options,
    .run = run_ping,
};

const struct command command_version = {
    .name = "version",
    .words = "",
    .summary = "Print the versions of puzzlectl, daemon and protocol",
    .example = "  $ puzzlectl version\n"
               "  puzzlectl 0.1.0\n"
               "  puzzled 0.1.0, protocol 1\n",
    .options = no_options,
    .run = run_version,
};

const struct command command_stats = {
    .name = "stats",
    .words = "",
    .summary = "Print what the daemon has done and holds",
    .example = "  $ puzzlectl stats\n"
               "  uptime           4:09:00\n"
               "  jobs done        12\n",
    .options = no_options,
    .run = run_stats,
};

const struct command command_puzzles = {
    .name = "puzzles",
    .words = "",
    .summary = "List the puzzles that the daemon knows",
    .example = "  $ puzzlectl puzzles\n"
               "  puzzle  example    what it is\n"
               "  slide   slide:3x4  sliding tiles on an m by n board\n",
    .options = no_options,
    .run = run_puzzles,
};
