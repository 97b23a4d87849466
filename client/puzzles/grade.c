/* SPDX-License-Identifier: MIT */
/* The subcommand grade: how hard boards are, by GRADE, as tables, lines or JSON. */
#include "client/jobs/follow.h"
#include "client/jobs/job_result.h"
#include "client/many/batch.h"
#include "client/many/board_input.h"
#include "client/session/command.h"
#include "client/session/session.h"
#include "client/show/sliding.h"
#include "client/show/text_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The two metrics of a puzzle that has two: the words of metric=, and what is counted. */
struct grade_metrics {
    const char *puzzle;
    const char *word[2], *counted[2];
    bool boxes; /* are pushed: some figures are about them */
};

struct grade_line {
    const char *board;
    const char *title;                   /* NULL for none */
    const struct grade_metrics *metrics; /* NULL for one metric */
    const struct reply *result;          /* RESULT of GRADE, or the ERR that refused the board */
};

/* The figures after the moves, in the order of the columns. */
static const struct figure {
    const char *key;
    const char *title; /* for eyes */
    bool boxes;        /* of puzzles with boxes */
} figures[] = {
    {"solutions", "solutions", false},
    {"branching", "branching", false},
    {"wrong_turns", "wrong turns", false},
    {"dead_turns", "dead turns", false},
    {"counterintuitive", "counterintuitive", false},
    {"positions", "positions", false},
    {"dead", "dead ends", false},
    {"piece_count", "pieces", false},
    {"must_move", "must move", false},
    {"box_changes", "box changes", true},
    {"decomposition", "decomposition", true},
    {"rating", "rating", false},
    {"difficulty", "difficulty", false},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static bool has_boxes(const struct grade_metrics *metrics)
{
    return metrics != NULL && metrics->boxes;
}

/* Returns the moves by a metric, as text; NULL if they are not known. */
static const char *grade_moves_by(const struct grade_line *grade, unsigned metric)
{
    const char *moves = reply_get(grade->result, "moves");
    const bool other =
        grade->metrics != NULL && reply_is(grade->result, "other_metric", grade->metrics->word[metric]);
    if (other)
        return reply_get(grade->result, "other_moves");
    return moves != NULL && *moves != '-' ? moves : NULL;
}

static bool is_share(const struct figure *figure)
{
    return strcmp(figure->key, "dead") == 0;
}

/* Returns the share of dead positions; -1 if it is not known. Where moves can be undone there are none, and
 * the positions are not counted. */
static double dead_share(const struct reply *result)
{
    double dead = 0, positions = 1;
    if (!reply_real(result, "dead", &dead))
        return -1;
    (void)reply_real(result, "positions", &positions);
    return dead / positions;
}

static const char *verdict(const struct grade_line *grade)
{
    const char *solvable = reply_get(grade->result, "solvable");
    return solvable != NULL ? solvable : reply_text(grade->result, "state");
}

/* ---- lines of columns ---- */

/* Returns false if the line cannot be written. metrics: as in the grades that follow. */
static bool grade_print_titles(const struct grade_metrics *metrics, FILE *out)
{
    (void)fprintf(out, "title,board,solvable,%s", metrics != NULL ? metrics->counted[0] : "moves");
    if (metrics != NULL)
        (void)fprintf(out, ",%s", metrics->counted[1]);
    for (const struct figure *figure = figures; figure < figures + FIGURES; figure++)
        if (!figure->boxes || has_boxes(metrics))
            (void)fprintf(out, ",%s", figure->key);
    return fputc('\n', out) != EOF;
}

/* A figure is a number, but for this one. */
static bool is_word(const struct figure *figure)
{
    return strcmp(figure->key, "difficulty") == 0;
}

static void put_figure(const struct figure *figure, const struct reply *result, FILE *out)
{
    if (!is_share(figure))
        (void)fputs(reply_text(result, figure->key), out);
    else if (dead_share(result) >= 0)
        (void)fprintf(out, "%.4f", dead_share(result));
}

static bool print_columns(const struct grade_line *grade, FILE *out)
{
    csv_quoted(grade->title != NULL ? grade->title : "", out);
    (void)fputc(',', out);
    csv_quoted(grade->board, out);
    (void)fputc(',', out);
    if (grade->result->kind == REPLY_ERR)
        csv_refusal(grade->result, out);
    else
        (void)fputs(verdict(grade), out);
    for (unsigned metric = 0; metric < (grade->metrics != NULL ? 2 : 1); metric++) {
        const char *moves = grade_moves_by(grade, metric);
        (void)fprintf(out, ",%s", moves != NULL ? moves : "");
    }
    for (const struct figure *figure = figures; figure < figures + FIGURES; figure++) {
        if (figure->boxes && !has_boxes(grade->metrics))
            continue;
        (void)fputc(',', out);
        put_figure(figure, grade->result, out);
    }
    return fputc('\n', out) != EOF;
}

/* ---- for eyes ---- */

static void say(const char *what, const char *value, const char *more, FILE *out)
{
    if (value != NULL)
        (void)fprintf(out, "  %-16s  %s%s\n", what, value, more);
}

static void say_figure(const struct figure *figure, const struct reply *result, FILE *out)
{
    const char *value = reply_get(result, figure->key);
    struct text more = {0};
    if (strcmp(figure->key, "branching") == 0)
        text_add(&more, " moves a position on the way");
    else if (strcmp(figure->key, "rating") == 0)
        text_format(&more, " of 100: %s", reply_text(result, "difficulty"));
    else if (strcmp(figure->key, "must_move") == 0)
        text_format(&more, " of %s pieces", reply_text(result, "piece_count"));
    if (is_share(figure) && dead_share(result) >= 0)
        (void)fprintf(out, "  %-16s  %.1f%% of the positions\n", figure->title, 100 * dead_share(result));
    else if (strcmp(figure->key, "piece_count") != 0 && !is_word(figure))
        say(figure->title, value, text_string(&more), out);
    text_free(&more);
}

/* Prints a board and what is known of it, a line a figure. */
static bool print_lines(const struct grade_line *grade, FILE *out)
{
    const struct grade_metrics *metrics = grade->metrics;
    (void)fprintf(out, "%s%s%s\n", grade->title != NULL ? grade->title : "",
                  grade->title != NULL && *grade->title != '\0' ? "  " : "", grade->board);
    if (grade->result->kind == REPLY_ERR)
        return fprintf(out, "  %s: %s\n", grade->result->code, grade->result->text) > 0;
    say("solvable", verdict(grade), "", out);
    say(metrics != NULL ? metrics->counted[0] : "moves", grade_moves_by(grade, 0), "", out);
    if (metrics != NULL)
        say(metrics->counted[1], grade_moves_by(grade, 1), "", out);
    for (const struct figure *figure = figures; figure < figures + FIGURES; figure++)
        say_figure(figure, grade->result, out);
    return ferror(out) == 0;
}

/* ---- JSON ---- */

static void set_number(json_t *object, const char *key, const char *value)
{
    char *end = NULL;
    if (value == NULL)
        return;
    const long long whole = strtoll(value, &end, 10);
    (void)json_object_set_new(object, key,
                              *end == '\0' ? json_integer(whole) : json_real(strtod(value, NULL)));
}

static bool print_grade_json(const struct grade_line *grade, FILE *out)
{
    const struct reply *result = grade->result;
    const struct grade_metrics *metrics = grade->metrics;
    const bool refused = result->kind == REPLY_ERR;
    json_t *object = refused ? json_of_error(result->code, result->retry, result->text) : json_object();
    (void)json_object_set_new(object, "board", json_string(grade->board));
    if (grade->title != NULL && *grade->title != '\0')
        (void)json_object_set_new(object, "title", json_string(grade->title));
    if (refused)
        return json_write(object, out);
    (void)json_object_set_new(object, "solvable", json_string(verdict(grade)));
    set_number(object, metrics != NULL ? metrics->counted[0] : "moves", grade_moves_by(grade, 0));
    if (metrics != NULL)
        set_number(object, metrics->counted[1], grade_moves_by(grade, 1));
    for (const struct figure *figure = figures; figure < figures + FIGURES; figure++)
        if (is_word(figure) && reply_get(result, figure->key) != NULL)
            (void)json_object_set_new(object, figure->key, json_string(reply_get(result, figure->key)));
        else if (!is_share(figure))
            set_number(object, figure->key, reply_get(result, figure->key));
        else if (dead_share(result) >= 0)
            (void)json_object_set_new(object, figure->key, json_real(dead_share(result)));
    return json_write(object, out);
}

static bool grade_print(const struct session *session, const struct grade_line *grade)
{
    FILE *out = session->terminal->out;
    return session->json  ? print_grade_json(grade, out)
           : session->csv ? print_columns(grade, out)
                          : print_lines(grade, out);
}

static const struct grade_metrics all_metrics[] = {
    {"klotski", {"move", "step"}, {"moves", "steps"}, .boxes = false},
    {"rushhour", {"move", "step"}, {"moves", "steps"}, .boxes = false},
    {"sokoban", {"push", "move"}, {"pushes", "moves"}, .boxes = true},
};
static const struct grade_metrics slide_metrics = {
    "slide", {"single", "multi"}, {"moves", "multi_moves"}, .boxes = false};

/* Boards in work. */
struct grading {
    struct session *session;
    const struct arguments *arguments;
    const struct grade_metrics *metrics;
    enum exit_code worst; /* the exit status of the worst board */
};

/* Has a board graded. */
static enum exit_code ask_grade(const struct grading *grading, const struct board_text *text,
                                struct reply *result)
{
    struct text *request = session_request(grading->session, "GRADE", grading->arguments->words[0]);
    text_key(request, "start", text->board);
    board_input_pairs(request, grading->arguments, text->goal);
    text_key(request, "tool", "grade");
    const enum exit_code code = finished_ask(grading->session, request, result);
    return code == EXIT_REFUSED ? EXIT_FOUND : code;
}

/* Grades one board, NULL in it for the puzzle's own start, and prints it. */
static enum exit_code grade_next(void *context, const struct board_text *text)
{
    struct grading *grading = context;
    struct session *session = grading->session;
    struct reply result = {0};
    const char *board = text->board;
    enum exit_code code = EXIT_FOUND;
    if (text->wrong != NULL)
        board_input_refuse("bad-board", text->wrong, &result);
    else
        code = ask_grade(grading, text, &result);
    const struct grade_line grade = {.board = board != NULL ? board : reply_text(&result, "start"),
                                     .title = text->title,
                                     .metrics = grading->metrics,
                                     .result = &result};
    if (code == EXIT_FOUND && *grade.board == '\0' && result.kind == REPLY_ERR)
        code = session_refused(session, &result);
    if (code == EXIT_FOUND && !grade_print(session, &grade))
        code = EXIT_TROUBLE;
    if (code == EXIT_FOUND) {
        const enum exit_code own = result.kind == REPLY_ERR ? EXIT_REFUSED : result_exit(&result);
        grading->worst = batch_worse(grading->worst, own);
    }
    (void)fflush(session->terminal->out);
    reply_clear(&result);
    return code;
}

static const struct grade_metrics *choose_metrics(const char *puzzle)
{
    for (size_t i = 0; i < sizeof all_metrics / sizeof *all_metrics; i++) {
        const size_t length = strlen(all_metrics[i].puzzle);
        if (strncmp(puzzle, all_metrics[i].puzzle, length) == 0 &&
            (puzzle[length] == ':' || puzzle[length] == '\0'))
            return &all_metrics[i];
    }
    struct grid grid;
    return sliding_tiles(puzzle, &grid) ? &slide_metrics : NULL;
}

static enum exit_code run_grade(struct session *session, const struct arguments *arguments)
{
    struct grading grading = {.session = session,
                              .arguments = arguments,
                              .metrics = choose_metrics(arguments->words[0]),
                              .worst = EXIT_FOUND};
    const char *file = arguments->word_count > 1 ? arguments->words[1] : "-";
    const bool named = strcmp(file, "-") != 0;
    const int fd = board_input_open(session, file, " (a board is given by start=BOARD)");
    if (fd < 0)
        return EXIT_USAGE;
    enum exit_code code = !session->csv || grade_print_titles(grading.metrics, session->terminal->out)
                              ? EXIT_FOUND
                              : EXIT_TROUBLE;
    if (code == EXIT_FOUND && arguments->word_count == 1)
        code = grade_next(&grading, &(struct board_text){0});
    else if (code == EXIT_FOUND)
        code = each_board(session, fd, named ? file : NULL, arguments->words[0], grade_next, &grading);
    if (named)
        (void)close(fd);
    return code != EXIT_FOUND ? code : grading.worst;
}

static const struct option_row grade_options[] = {
    LIST_OPTIONS("columns between commas"),
    {0},
};

const struct command command_grade = {
    .name = "grade",
    .verb = VERB_GRADE,
    .without = KEY_BIT(KEY_ROOT) | KEY_BIT(KEY_START) | KEY_BIT(KEY_TOOL),
    .takes = {"PUZZLE [FILE|-]", 1, 2, WORD_PUZZLE},
    .summary = "Tell how hard boards are",
    .help =
        "Of each board of the file, or of the puzzle's own start: the fewest moves, by both metrics "
        "where the puzzle\n"
        "has two; how many shortest solutions there are; how many moves a position of the solution "
        "offers on\n"
        "average, how many of all these moves do not bring the goal nearer (wrong turns), and after how "
        "many of\n"
        "those there is no way to it (dead turns); the share of positions without a solution; of Klotski, "
        "Rush Hour\n"
        "and Sokoban how many pieces there are, and how many of them move in every solution; of Sokoban "
        "how often\n"
        "the solution turns to another box. docs/grade.md defines them all. What takes a search of its "
        "own is left\n"
        "out after 10 s, or where --time ends.\n",
    .example = "  $ puzzlectl grade klotski:横刀立马 --json\n"
               "  $ puzzlectl grade sokoban levels.xsb --csv > grades.csv\n"
               "  $ puzzlectl sample 3x3 20 --count 100 | puzzlectl grade 3x3 - --csv\n",
    .options = grade_options,
    .run = run_grade,
};
