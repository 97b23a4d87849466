/* SPDX-License-Identifier: MIT */
/* The subcommand about: what the daemon knows of a puzzle, or what an exploration would take. */
#include "client/jobs/job_pages.h"
#include "client/jobs/job_result.h"
#include "client/session/command.h"
#include "client/show/text_table.h"

static const struct table_column columns[] = {
    {"puzzle", "puzzle"}, {"states", "states"},         {"depth", "depth"},   {"complete", "complete"},
    {"dead", "dead"},     {"state", "state"},           {"job", "job"},       {"engine", "engine"},
    {"bytes", "memory"},  {"table_bytes", "its table"}, {"keep", "it keeps"}, {0}};

/* Asks for the latest exploration's result, or status while it runs. */
static enum exit_code ask_known_job(struct session *session, long long job, struct reply *reply)
{
    const enum exit_code code = session_try_ask(session, session_request_job(session, "RESULT", job), reply);
    return code == EXIT_REFUSED ? session_ask(session, session_request_job(session, "STATUS", job), reply)
                                : code;
}

static enum exit_code ask_estimate(struct session *session, const struct arguments *arguments,
                                   struct reply *reply)
{
    struct text *request = command_request(session, "EXPLORE", arguments->words[0], arguments);
    text_key(request, "estimate", "yes");
    return session_ask(session, request, reply);
}

static void print_about(struct session *session, const char *puzzle, bool known, const struct reply *reply)
{
    struct text out = {0};
    if (!known && *session->keys != '\0')
        text_format(&out, "an exploration of %s%s takes:\n", puzzle, session->keys);
    else if (!known)
        text_format(&out, "%s was not explored yet; an exploration takes:\n", puzzle);
    table_block(reply, columns, 0, &out);
    if (known)
        text_format(
            &out,
            "\nask it:  puzzlectl levels %s\n         puzzlectl deepest %s\n         puzzlectl sample %s "
            "DEPTH\n         puzzlectl distance %s BOARD\n",
            puzzle, puzzle, puzzle, puzzle);
    else if (reply_is(reply, "planes", "none"))
        text_format(&out,
                    "\ntoo large here; its nearest levels:  puzzlectl explore %s%s --depth N\n"
                    "what would suffice:  puzzlectl explore %s%s --estimate\n",
                    puzzle, session->keys, puzzle, session->keys);
    else
        text_format(&out, "\nexplore it:  puzzlectl explore %s%s\n", puzzle, session->keys);
    (void)fputs(text_string(&out), session->terminal->out);
    text_free(&out);
}

static enum exit_code run_about(struct session *session, const struct arguments *arguments)
{
    struct reply reply = {0};
    long long job = 0;
    const char *puzzle = arguments->words[0];
    const bool keyed = arguments->pair_count > 0; /* a job by these keys is not told apart from others */
    enum exit_code code = keyed ? EXIT_FOUND : pages_find(session, puzzle, "explore", NULL, &job);
    if (code == EXIT_FOUND)
        code = job != 0 ? ask_known_job(session, job, &reply) : ask_estimate(session, arguments, &reply);
    if (code != EXIT_FOUND)
        return code;
    if (session->json)
        code = session_json(session, json_of_reply(&reply));
    else {
        result_show_layout(&reply);
        print_about(session, puzzle, job != 0, &reply);
    }
    reply_clear(&reply);
    return code;
}

const struct command command_about = {
    .name = "about",
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "Tell what is known of a puzzle; 'puzzlectl 3x3' does the same",
    .help =
        "Of an explored puzzle: what its latest exploration found. Else, and with keys (metric=multi), what "
        "one would\ntake.\n",
    .example = "  $ puzzlectl 8-puzzle\n"
               "  puzzle    slide:3x3\n"
               "  states    181,440\n"
               "  depth     31\n"
               "  complete  yes\n",
    .verb = VERB_COUNT,
    .takes_pairs = true,
    .run = run_about,
};
