/* SPDX-License-Identifier: MIT */
/* The subcommand compare: boards by every method that fits the puzzle. */
#include "client/jobs/follow.h"
#include "client/many/board_input.h"
#include "client/session/command.h"
#include "client/show/text_table.h"

#include <string.h>

/* method= and partition=, NULL for none. */
struct approach {
    const char *method, *partition;
};

static const struct approach approaches[] = {
    {"table", NULL}, {"idastar", NULL},       {"idastar", "manhattan"},
    {"astar", NULL}, {"bidirectional", NULL}, {"bfs", NULL},
};
enum { APPROACHES = sizeof approaches / sizeof *approaches, BOUNDS_MAX = 16, BOUNDS_BYTES = 512 };
_Static_assert((int)APPROACHES <= 2 * BOUNDS_MAX, "there is room for either");

/* A comparison of methods, board after board. */
struct comparison {
    struct session *session;
    const struct arguments *arguments;
    struct approach approach[2 * BOUNDS_MAX];
    size_t approaches;
    const char *goal; /* of the board's text; NULL for none */
    bool many;
    bool named; /* by --bounds, in pairs: IDA* and A* by each */
};

static const struct table_column columns[] = {{"method", "method"},     {"partition", "partition"},
                                              {"solvable", "solvable"}, {"moves", "moves"},
                                              {"at_least", "at least"}, {"reason", "stopped by"},
                                              {"expanded", "expanded"}, {"generated", "generated"},
                                              {"seconds", "time"},      {"waited_seconds", "databases"},
                                              {"peak_bytes", "memory"}, {0}};

/* Solves a board, NULL for the puzzle's own start. */
static enum exit_code solve_by(const struct comparison *comparison, const char *board,
                               const struct approach *approach, bool report, struct reply *result)
{
    const struct arguments *arguments = comparison->arguments;
    struct text *request = session_request(comparison->session, "SOLVE", arguments->words[0]);
    text_key(request, "start", board);
    board_input_pairs(request, arguments, comparison->goal);
    text_key(request, "method", approach->method);
    text_key(request, "partition", approach->partition);
    if (arguments_pair(arguments, "time") == NULL)
        text_key(request, "time", "60s");
    text_key(request, "tool", "compare");
    return solved_ask(comparison->session, request, report, result);
}

static enum exit_code print_ways(const struct comparison *comparison, const char *board,
                                 const struct reply *results, size_t count)
{
    struct session *session = comparison->session;
    const struct reply head = {0};
    const char *of = board != NULL ? board : reply_text(&results[0], "start");
    if (session->json) {
        json_t *object = json_of_list(&head, "methods", results, count);
        if (object != NULL && comparison->many)
            (void)json_object_set_new(object, "board", json_string(of));
        return session_json(session, object);
    }
    table_print_of(session, of, comparison->many, results, count, columns);
    (void)fflush(session->terminal->out);
    return EXIT_FOUND;
}

/* Returns true if the last result was reached as an earlier one: a short search uses no database, and of an
 * unsolvable board parity decides for every method. */
static bool is_repeated(const struct reply *results, size_t last)
{
    const struct reply *result = &results[last];
    for (const struct reply *other = results; other != result; other++)
        if (strcmp(reply_text(result, "method"), reply_text(other, "method")) == 0 &&
            strcmp(reply_text(result, "partition"), reply_text(other, "partition")) == 0)
            return true;
    return false;
}

/* Leaves out methods that do not fit the puzzle. If none fits, asks with the puzzle's own method. A bound of
 * --bounds that both methods refuse is reported, and ends the comparison. */
static enum exit_code compare_board(const struct comparison *comparison, const char *board)
{
    static const struct approach own = {"auto", NULL};
    struct reply results[2 * BOUNDS_MAX] = {0};
    size_t count = 0;
    enum exit_code code = EXIT_FOUND;
    bool unknown = false;
    for (size_t i = 0; i < comparison->approaches && (code == EXIT_FOUND || code == EXIT_REFUSED) && !unknown;
         i++) {
        const bool last = comparison->named && i % 2 == 1 && code == EXIT_REFUSED;
        code = solve_by(comparison, board, &comparison->approach[i], last, &results[count]);
        unknown = last && code == EXIT_REFUSED;
        if (code == EXIT_FOUND && reply_get(&results[count], "error") == NULL && !is_repeated(results, count))
            count++;
        else
            reply_clear(&results[count]);
    }
    if (count == 0 && !unknown && (code == EXIT_FOUND || code == EXIT_REFUSED)) {
        code = solve_by(comparison, board, &own, true, &results[0]);
        count = code == EXIT_FOUND;
    }
    if (count > 0 && !unknown && (code == EXIT_FOUND || code == EXIT_REFUSED))
        code = print_ways(comparison, board, results, count);
    for (size_t i = 0; i < count; i++)
        reply_clear(&results[i]);
    return code;
}

static enum exit_code compare_next(void *context, const struct board_text *text)
{
    struct comparison *comparison = context;
    comparison->goal = text->goal;
    return text->wrong != NULL ? board_input_refused(comparison->session, text)
                               : compare_board(comparison, text->board);
}

/* Takes the usual approaches, or IDA* and A* by each of the bounds, which are cut into names. Returns false
 * for too many names. */
static bool choose_approaches(struct comparison *comparison, char *bounds)
{
    if (bounds == NULL) {
        memcpy(comparison->approach, approaches, sizeof approaches);
        comparison->approaches = APPROACHES;
        return true;
    }
    for (const char *name; (name = strsep(&bounds, " ")) != NULL;) {
        if (*name == '\0')
            continue;
        if (comparison->approaches == 2 * BOUNDS_MAX)
            return false;
        comparison->approach[comparison->approaches++] = (struct approach){"idastar", name};
        comparison->approach[comparison->approaches++] = (struct approach){"astar", name};
    }
    return true;
}

static enum exit_code run_compare(struct session *session, const struct arguments *arguments)
{
    const char *board = arguments->word_count > 1 ? arguments->words[1] : NULL;
    struct comparison comparison = {
        .session = session, .arguments = arguments, .many = board != NULL && strcmp(board, "-") == 0};
    const char *bounds = arguments_option(arguments, "bounds");
    char names[BOUNDS_BYTES];
    const int length = snprintf(names, sizeof names, "%s", bounds != NULL ? bounds : "");
    comparison.named = bounds != NULL;
    if (length >= BOUNDS_BYTES || !choose_approaches(&comparison, bounds != NULL ? names : NULL))
        return command_usage(session, "--bounds: 16 names and 511 bytes at most");
    if (session->csv)
        table_csv_titles(columns, "board", session->terminal->out);
    if (!comparison.many)
        return compare_board(&comparison, board);
    return each_board(session, fileno(session->terminal->in), NULL, arguments->words[0], compare_next,
                      &comparison);
}

static const struct option_row compare_options[] = {
    SCRAMBLE_OPTIONS,
    {"bounds", 0, "NAMES", "IDA* and A* by each of these lower bounds: \"manhattan 7-8 manhattan,7-8\"",
     NULL},
    LIST_OPTIONS("columns between commas, for each board and method"),
    {0},
};

const struct command command_compare = {
    .name = "compare",
    .verb = VERB_SOLVE,
    .without = KEY_BIT(KEY_METHOD) | KEY_BIT(KEY_PARTITION) | KEY_BIT(KEY_ALL) | KEY_BIT(KEY_COUNT) |
               KEY_BIT(KEY_ROOT) | KEY_BIT(KEY_START) | KEY_BIT(KEY_TOOL),
    .takes = {"PUZZLE [BOARD|-]", 1, 2, WORD_PUZZLE | WORD_BOARD},
    .options = compare_options,
    .summary = "Solve a board, or many, by every method that fits, and compare",
    .help =
        "The methods run one after the other, each at most a minute unless --time says otherwise. A table "
        "is asked\n"
        "where an exploration is stored. With - the boards come from the standard input; --csv writes a line "
        "for\neach board and method, with nodes, time and memory.\n",
    .example = "  $ puzzlectl compare 3x3 867254301\n"
               "  $ puzzlectl compare 4x4 BOARD --bounds \"manhattan linear-conflict walking-distance 7-8\"\n"
               "  $ puzzlectl sample 3x3 25 --count 20 | puzzlectl compare 3x3 - --csv > methods.csv\n",
    .run = run_compare,
};
