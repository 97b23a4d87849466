/* SPDX-License-Identifier: MIT */
/* Subcommands about the daemon itself: version, puzzles. */
#include "client/session/command.h"
#include "client/show/number.h"
#include "client/show/text_table.h"
#include "version.h"

static enum exit_code ask_plain(struct session *session, const char *verb, struct reply *reply)
{
    struct text request = {0};
    compose_begin(&request, verb);
    enum exit_code code = session_ask(session, &request, reply);
    text_free(&request);
    return code;
}

static enum exit_code ping(struct session *session)
{
    char number[NUMBER_TEXT_MAX];
    struct reply reply;
    double begin = terminal_clock();
    enum exit_code code = ask_plain(session, "PING", &reply);
    if (code == EXIT_FOUND && session->json)
        code = json_write(json_of_reply(&reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    else if (code == EXIT_FOUND)
        (void)fprintf(session->terminal->out, "puzzled answers at %s (%s)\n", session->address.name,
                      number_seconds(number, terminal_clock() - begin));
    reply_clear(&reply);
    return code;
}

static enum exit_code run_version(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    if (arguments_option(arguments, "ping") != NULL)
        return ping(session);
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
    {"version", "version"},
    {"uptime", "up for"},
    {"connections", "connections"},
    {"requests", "requests"},
    {"threads", "threads"},
    {"memory_used", "memory used"},
    {"memory_limit", "memory limit"},
    {"jobs_queued", "jobs queued"},
    {"jobs_running", "jobs running"},
    {"jobs_done", "jobs done"},
    {"jobs_stopped", "jobs stopped"},
    {"jobs_failed", "jobs failed"},
    {"jobs_cancelled", "jobs cancelled"},
    {"states_explored", "states explored"},
    {"cache_hits", "answered before"},
    {"tables", "tables"},
    {"database_bytes", "database"},
    {"database_free", "room on disk"},
    {0},
};

static enum exit_code run_stats(struct session *session, const struct arguments *arguments)
{
    struct text request = {0};
    struct reply reply;
    struct text out = {0};
    (void)arguments;
    compose_begin(&request, "STATS");
    enum exit_code code = session_ask(session, &request, &reply);
    if (code == EXIT_FOUND && session->json) {
        code = json_write(json_of_reply(&reply), session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    } else if (code == EXIT_FOUND) {
        table_block(&reply, stats_columns, 0, &out);
        (void)fputs(text_string(&out), session->terminal->out);
    }
    text_free(&request);
    text_free(&out);
    reply_clear(&reply);
    return code;
}

static const struct table_column puzzle_columns[] = {
    {"puzzle", "puzzle"}, {"example", "example"}, {"does", "what it is"}, {"keys", "its keys"}, {0},
};

static const struct table_column layout_columns[] = {
    {"layout", "layout"}, {"moves", "moves"}, {"single_steps", "single steps"}, {"board", "board"}, {0},
};

static void print_puzzles(struct session *session, const struct arguments *arguments,
                          const struct records *records)
{
    bool layouts = arguments->word_count > 0;
    table_print(records->records, records->count, layouts ? layout_columns : puzzle_columns,
                session->terminal, arguments_option(arguments, "csv") != NULL);
    if (layouts && records->count == 0 && !session->quiet)
        (void)fprintf(session->terminal->err, "%s has no layouts with names\n", arguments->words[0]);
}

static enum exit_code run_puzzles(struct session *session, const struct arguments *arguments)
{
    struct text request = {0};
    struct records records;
    compose_begin(&request, "PUZZLES");
    if (arguments->word_count > 0)
        compose_word(&request, arguments->words[0]);
    enum exit_code code = session_list(session, &request, &records);
    text_free(&request);
    if (code != EXIT_FOUND)
        return code;
    if (!session->json)
        print_puzzles(session, arguments, &records);
    else if (!json_write(json_of_list(&records.head, "puzzles", records.records, records.count),
                         session->terminal->out))
        code = EXIT_TROUBLE;
    records_clear(&records);
    return code;
}

static const struct option_row version_options[] = {
    {"ping", 0, NULL, "only see whether the daemon answers, and how fast", NULL},
    {0},
};

const struct command command_version = {
    .name = "version",
    .verb = VERB_COUNT,
    .words = "",
    .summary = "Print the versions of puzzlectl, daemon and protocol",
    .example = "  $ puzzlectl version\n"
               "  puzzlectl 0.1.0\n"
               "  puzzled 0.1.0, protocol 1\n"
               "  $ puzzlectl version --ping\n"
               "  puzzled answers at /run/puzzled/puzzled.sock (0.1 ms)\n",
    .options = version_options,
    .run = run_version,
};

const struct command command_stats = {
    .name = "stats",
    .verb = VERB_COUNT,
    .words = "",
    .summary = "Print what the daemon has done and holds",
    .help = "The figures of a puzzle are those of 'figures' and 'levels'.\n",
    .example = "  $ puzzlectl stats\n"
               "  up for           4:09:00\n"
               "  jobs done        12\n",
    .run = run_stats,
};

const struct command command_puzzles = {
    .name = "puzzles",
    .verb = VERB_COUNT,
    .words = "[PUZZLE]",
    .options = list_options,
    .summary = "List the puzzles that the daemon knows, or the named layouts of one",
    .help = "Of each layout: the length of a shortest solution where one piece may go any way in a move, and "
            "where it\n"
            "goes one cell (metric=step). -1: it has no solution.\n",
    .example = "  $ puzzlectl puzzles\n"
               "  puzzle  example    what it is\n"
               "  slide   slide:3x4  sliding tiles on an m by n board\n"
               "  $ puzzlectl puzzles klotski\n"
               "  layout            moves  single steps  board\n"
               "  klotski:横刀立马     81           116  HAAI/HAAI/JBBK/JNOK/P@@Q\n",
    .most = 1,
    .run = run_puzzles,
};
