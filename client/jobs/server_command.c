/* SPDX-License-Identifier: MIT */
/* Subcommands about the daemon itself: version, puzzles. */
#include "client/session/command.h"
#include "client/session/shipped.h"
#include "client/show/number.h"
#include "client/show/text_table.h"
#include "version.h"

static enum exit_code ping(struct session *session)
{
    char number[NUMBER_TEXT_MAX];
    struct reply reply;
    double begin = terminal_clock();
    enum exit_code code = session_ask(session, session_request(session, "PING", NULL), &reply);
    if (code == EXIT_FOUND && session->json)
        code = session_json(session, json_of_reply(&reply));
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
    enum exit_code code = session_ask(session, session_request(session, "VERSION", NULL), &reply);
    if (code == EXIT_FOUND && session->json)
        code = session_json(session, json_of_reply(&reply));
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
    struct reply reply;
    (void)arguments;
    enum exit_code code = session_ask(session, session_request(session, "STATS", NULL), &reply);
    if (code == EXIT_FOUND && session->json)
        code = session_json(session, json_of_reply(&reply));
    else if (code == EXIT_FOUND)
        table_print_block(&reply, stats_columns, session->terminal->out);
    reply_clear(&reply);
    return code;
}

static const struct table_column puzzle_columns[] = {
    {"puzzle", "puzzle"}, {"example", "example"}, {"does", "what it is"}, {"keys", "its keys"}, {0},
};

static const struct table_column layout_columns[] = {
    {"layout", "layout"}, {"moves", "moves"}, {"single_steps", "single steps"}, {"board", "board"}, {0},
};

/* The texts that come with the client are puzzles by their names, defined or not. */
static void say_texts(const struct session *session)
{
    struct text names = {0};
    shipped_names(&names);
    if (names.length > 0)
        (void)fprintf(session->terminal->err, "texts that come with puzzlectl: %s\n", text_string(&names));
    text_free(&names);
}

static enum exit_code run_puzzles(struct session *session, const struct arguments *arguments)
{
    struct records records;
    const char *puzzle = arguments->word_count > 0 ? arguments->words[0] : NULL;
    enum exit_code code = session_list(session, session_request(session, "PUZZLES", puzzle), &records);
    if (code != EXIT_FOUND)
        return code;
    code = table_print_list(session, &records, "puzzles", puzzle != NULL ? layout_columns : puzzle_columns);
    if (puzzle == NULL && !session->json && !session->quiet)
        say_texts(session);
    else if (records.count == 0 && !session->json && !session->quiet)
        (void)fprintf(session->terminal->err, "%s has no layouts with names\n", puzzle);
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
    .takes = {"", 0, 0, 0},
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
    .takes = {"", 0, 0, 0},
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
    .takes = {"[PUZZLE]", 0, 1, WORD_PUZZLE},
    .options = list_options,
    .summary = "List the puzzles that the daemon knows, or the named layouts of one",
    .help = "Of each layout: the length of a shortest solution where one piece may go any way in a move, and "
            "where it\n"
            "goes one cell (metric=step); none (with --csv and --json -1) where it has no solution.\n",
    .example =
        "  $ puzzlectl puzzles\n"
        "  puzzle  example    what it is                                                  its keys\n"
        "  slide   slide:3x4  the sliding puzzle on m rows and n columns, up to 42 cells  metric wrap\n"
        "  $ puzzlectl puzzles klotski\n"
        "  layout            moves  single steps  board\n"
        "  klotski:横刀立马     81           116  HAAI/HAAI/JBBK/JNOK/P@@Q\n",
    .run = run_puzzles,
};
