/* SPDX-License-Identifier: MIT */
/* The subcommand compare: one board by every method that fits the puzzle. */
#include "client/jobs/solved.h"
#include "client/session/command.h"
#include "client/show/table.h"

#include <string.h>

/* method= and partition=, NULL for none. */
struct way {
    const char *method, *partition;
};

static const struct way ways[] = {
    {"table", NULL}, {"idastar", NULL},       {"idastar", "manhattan"},
    {"astar", NULL}, {"bidirectional", NULL}, {"bfs", NULL},
};
enum { WAYS = sizeof ways / sizeof *ways };

static enum exit_code solve_by(struct session *session, const struct arguments *arguments,
                               const struct way *way, bool report, struct reply *result)
{
    struct text request = {0};
    compose_begin(&request, "SOLVE");
    compose_word(&request, arguments->words[0]);
    if (arguments->word_count > 1)
        text_key(&request, "start", arguments->words[1]);
    command_pairs(&request, arguments);
    text_key(&request, "method", way->method);
    text_key(&request, "partition", way->partition);
    if (arguments_pair(arguments, "time") == NULL)
        text_key(&request, "time", "60s");
    enum exit_code code = solved_ask(session, &request, report, result);
    text_free(&request);
    return code;
}

static enum exit_code print_ways(struct session *session, const struct reply *results, size_t count)
{
    static const struct table_column columns[] = {
        {"method", "method"},         {"partition", "partition"}, {"solvable", "solvable"},
        {"moves", "moves"},           {"at_least", "at least"},   {"reason", "stopped by"},
        {"expanded", "expanded"},     {"generated", "generated"}, {"seconds", "time"},
        {"waited_seconds", "waited"}, {"peak_bytes", "memory"},   {0}};
    struct text out = {0};
    const struct reply head = {0};
    FILE *to = session->terminal->out;
    if (session->json)
        return json_write(json_of_list(&head, "methods", results, count), to) ? EXIT_FOUND : EXIT_TROUBLE;
    table_draw(results, count, columns, session->terminal, &out);
    (void)fputs(text_string(&out), to);
    text_free(&out);
    return EXIT_FOUND;
}

/* Returns true if the last result was reached as an earlier one: a short search uses no database, and of an
 * unsolvable board the parity tells every method. */
static bool is_repeated(const struct reply *results, size_t last)
{
    const struct reply *result = &results[last];
    for (const struct reply *other = results; other != result; other++)
        if (strcmp(reply_text(result, "method"), reply_text(other, "method")) == 0 &&
            strcmp(reply_text(result, "partition"), reply_text(other, "partition")) == 0)
            return true;
    return false;
}

/* Leaves out methods that do not fit the puzzle. If none fits, asks with the puzzle's own method. */
static enum exit_code run_compare(struct session *session, const struct arguments *arguments)
{
    static const struct way own = {"auto", NULL};
    struct reply results[WAYS] = {0};
    size_t count = 0;
    enum exit_code code = EXIT_FOUND;
    for (size_t i = 0; i < WAYS && (code == EXIT_FOUND || code == EXIT_REFUSED); i++) {
        code = solve_by(session, arguments, &ways[i], false, &results[count]);
        if (code == EXIT_FOUND && reply_get(&results[count], "error") == NULL && !is_repeated(results, count))
            count++;
        else
            reply_clear(&results[count]);
    }
    if (count == 0 && (code == EXIT_FOUND || code == EXIT_REFUSED)) {
        code = solve_by(session, arguments, &own, true, &results[0]);
        count = code == EXIT_FOUND;
    }
    if (count > 0 && (code == EXIT_FOUND || code == EXIT_REFUSED))
        code = print_ways(session, results, count);
    for (size_t i = 0; i < count; i++)
        reply_clear(&results[i]);
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .verb = VERB_SOLVE,
    .without = KEY_BIT(KEY_METHOD) | KEY_BIT(KEY_PARTITION) | KEY_BIT(KEY_ALL) | KEY_BIT(KEY_COUNT) |
               KEY_BIT(KEY_ROOT) | KEY_BIT(KEY_START),
    .words = "PUZZLE [BOARD]",
    .summary = "Solve one board by every method that fits, and compare",
    .help =
        "The methods run one after the other, each at most a minute unless --time says otherwise. A table "
        "is asked\n"
        "where an exploration is stored.\n",
    .example = "  $ puzzlectl compare 3x3 867254301\n",
    .least = 1,
    .most = 2,
    .run = run_compare,
};
