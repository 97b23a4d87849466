/* SPDX-License-Identifier: MIT */
/* The subcommand grade: how hard boards are, by GRADE, as tables, lines or JSON. */
#include "client/puzzles/grade.h"

#include "client/jobs/result.h"
#include "client/jobs/solved.h"
#include "client/many/board_input.h"
#include "client/session/command.h"
#include "client/show/sliding.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

static enum grade_format grade_format_of(const struct session *session, const struct arguments *arguments)
{
    if (session->json)
        return GRADE_JSON;
    return arguments_option(arguments, "csv") != NULL ? GRADE_CSV : GRADE_LINES;
}

/* Has a board graded. */
static enum exit_code ask_grade(const struct grading *grading, const char *board, struct reply *result)
{
    struct text request = {0};
    compose_begin(&request, "GRADE");
    compose_word(&request, grading->arguments->words[0]);
    text_key(&request, "start", board);
    command_pairs(&request, grading->arguments);
    text_key(&request, "tool", "grade");
    const enum exit_code code = finished_ask(grading->session, &request, result);
    text_free(&request);
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
        board_input_refuse(text, &result);
    else
        code = ask_grade(grading, board, &result);
    const struct grade_line grade = {.board = board != NULL ? board : reply_text(&result, "start"),
                                     .title = text->title,
                                     .metrics = grading->metrics,
                                     .result = &result};
    if (code == EXIT_FOUND &&
        !grade_print(grade_format_of(session, grading->arguments), &grade, session->terminal->out))
        code = EXIT_TROUBLE;
    if (code == EXIT_FOUND) {
        const enum exit_code own = result.kind == REPLY_ERR ? EXIT_REFUSED : result_exit(&result);
        grading->worst = own > grading->worst ? own : grading->worst;
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
    const char *file = arguments->word_count > 1 ? arguments->words[1] : NULL;
    const bool named = file != NULL && strcmp(file, "-") != 0;
    int fd = fileno(session->terminal->in);
    if (named && (fd = open(file, O_RDONLY | O_CLOEXEC)) < 0) {
        struct text text = {0};
        text_format(&text, "%s: %s", file, strerror(errno)); /* NOLINT(concurrency-mt-unsafe): one thread */
        (void)command_usage(session, text_string(&text));
        text_free(&text);
        return EXIT_USAGE;
    }
    enum exit_code code =
        grade_print_titles(grade_format_of(session, arguments), grading.metrics, session->terminal->out)
            ? EXIT_FOUND
            : EXIT_TROUBLE;
    if (code == EXIT_FOUND)
        code = file == NULL
                   ? grade_next(&grading, &(struct board_text){0})
                   : each_board(session, fd, named ? file : NULL, arguments->words[0], grade_next, &grading);
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
    .words = "PUZZLE [FILE|-]",
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
    .least = 1,
    .most = 2,
    .run = run_grade,
};
