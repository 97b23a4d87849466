/* SPDX-License-Identifier: MIT */
/* The subcommand heuristic: the value of each lower bound for a board, or for many. */
#include "client/many/board_input.h"
#include "client/session/command.h"
#include "client/show/text_table.h"

#include <string.h>

static const struct table_column columns[] = {{"heuristic", "heuristic"}, {"at_least", "at least"}, {0}};

/* Asks for the bounds of one board after the other. */
struct bounding {
    struct session *session;
    const struct arguments *arguments;
    bool many;
    bool empty; /* a board had no bound */
};

static bool print_bounds(const struct bounding *bounding, const char *board, const struct records *bounds)
{
    struct session *session = bounding->session;
    if (session->json) {
        json_t *object = json_of_list(&bounds->head, "heuristics", bounds->records, bounds->count);
        if (object != NULL && bounding->many)
            (void)json_object_set_new(object, "board", json_string(board));
        return json_write(object, session->terminal->out);
    }
    if (bounds->count == 0 && !session->quiet)
        (void)fprintf(session->terminal->err,
                      "no lower bound is known%s%s; those of texts are made by: puzzlectl pdb PUZZLE\n",
                      bounding->many ? " of " : "", bounding->many ? board : "");
    table_print_of(session, board, bounding->many, bounds->records, bounds->count, columns);
    return true;
}

static enum exit_code bound_board(struct bounding *bounding, const char *board, const char *goal)
{
    struct text *request = session_request(bounding->session, "HEURISTIC", bounding->arguments->words[0]);
    struct records bounds;
    compose_word(request, board);
    board_input_pairs(request, bounding->arguments, goal);
    enum exit_code code = session_list(bounding->session, request, &bounds);
    if (code != EXIT_FOUND)
        return code;
    if (!print_bounds(bounding, board, &bounds))
        code = EXIT_TROUBLE;
    bounding->empty = bounding->empty || bounds.count == 0;
    records_clear(&bounds);
    return code;
}

static enum exit_code bound_next(void *context, const struct board_text *text)
{
    struct bounding *bounding = context;
    return text->wrong != NULL ? board_input_refused(bounding->session, text)
                               : bound_board(bounding, text->board, text->goal);
}

static enum exit_code run_heuristic(struct session *session, const struct arguments *arguments)
{
    struct bounding bounding = {
        .session = session, .arguments = arguments, .many = strcmp(arguments->words[1], "-") == 0};
    if (session->csv)
        table_csv_titles(columns, "board", session->terminal->out);
    const enum exit_code code = bounding.many ? each_board(session, fileno(session->terminal->in), NULL,
                                                           arguments->words[0], bound_next, &bounding)
                                              : bound_board(&bounding, arguments->words[1], NULL);
    return code == EXIT_FOUND && bounding.empty ? EXIT_NO_ANSWER : code;
}

static const struct option_row heuristic_options[] = {
    SCRAMBLE_OPTIONS,
    LIST_OPTIONS("board, heuristic, at_least between commas"),
    {0},
};

const struct command command_heuristic = {
    .name = "heuristic",
    .verb = VERB_HEURISTIC,
    .takes = {"PUZZLE BOARD|-", 2, 2, WORD_PUZZLE | WORD_BOARD},
    .summary = "Tell what each lower bound says of a board, or of many",
    .help =
        "Sliding puzzles: Manhattan distance, linear conflict, walking distance, and every stored set of "
        "pattern\n"
        "databases ('pdb' makes more). Texts: every stored set of theirs. Other puzzles: their own bound, if "
        "they have\n"
        "one. With - the boards come from the standard input.\n",
    .example = "  $ puzzlectl heuristic 3x3 867254301\n"
               "  heuristic         at least\n"
               "  manhattan               21\n"
               "  $ puzzlectl random 4x4 -n 100 | puzzlectl heuristic 4x4 - --csv > bounds.csv\n",
    .options = heuristic_options,
    .run = run_heuristic,
};
