/* SPDX-License-Identifier: MIT */
/*
 * The subcommand grade: how hard boards are. It only asks what the daemon answers anyway: SOLVE with all=yes,
 * once more in the puzzle's other metric, GRAPH of each position on the path, EXPLORE from=goals where moves
 * cannot be undone, and SOLVE with one piece after the other turned to wall.
 */
#include "client/puzzles/grade.h"

#include "client/jobs/result.h"
#include "client/jobs/solved.h"
#include "client/many/each_board.h"
#include "client/session/command.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct grade_metrics all_metrics[] = {
    {"klotski", {"move", "step"}, {"moves", "steps"}, .boxes = false},
    {"rushhour", {"move", "step"}, {"moves", "steps"}, .boxes = false},
    {"sokoban", {"push", "move"}, {"pushes", "moves"}, .boxes = true},
};

/* One board in work. */
struct grader {
    struct session *session;
    const struct arguments *arguments;
    const struct grade_metrics *metrics;
    unsigned asked; /* the metric that the request names, or the first */
    struct grade grade;
};

/* ---- requests ---- */

/* Returns true if the pair is a limit of a job. */
static bool is_limit(const char *key)
{
    static const char *const limits[] = {"memory", "time", "threads", "priority"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strcasecmp(key, limits[i]) == 0)
            return true;
    return false;
}

static void add_limits(const struct grader *grader, struct text *request)
{
    for (size_t i = 0; i < grader->arguments->pair_count; i++)
        if (is_limit(grader->arguments->pairs[i].key))
            text_key(request, grader->arguments->pairs[i].key, grader->arguments->pairs[i].value);
}

/* Adds goal= unless the name of the puzzle, as RESULT tells it, has the goal. */
static void add_goal(const struct grader *grader, struct text *request)
{
    if (strstr(reply_text(grader->grade.solution, "puzzle"), ",goal:") == NULL)
        text_key(request, "goal", arguments_pair(grader->arguments, "goal"));
}

/* Asks a question about a board of the solved puzzle, and waits for its end. A refusal leaves result with the
 * ERR. */
static enum exit_code ask_job(struct grader *grader, const char *verb, const char *puzzle, const char *board,
                              const char *more, struct reply *result)
{
    struct text request = {0};
    compose_begin(&request, verb);
    compose_word(&request, puzzle);
    text_key(&request, "start", board);
    add_goal(grader, &request);
    add_limits(grader, &request);
    text_add(&request, more);
    enum exit_code code = finished_ask(grader->session, &request, result);
    text_free(&request);
    return code == EXIT_REFUSED ? EXIT_FOUND : code;
}

/* ---- the parts of a grade ---- */

static enum exit_code solve_board(struct grader *grader, const char *board, struct reply *solution)
{
    struct text request = {0};
    compose_begin(&request, "SOLVE");
    compose_word(&request, grader->arguments->words[0]);
    text_key(&request, "start", board);
    command_pairs(&request, grader->arguments);
    text_key(&request, "all", "yes");
    enum exit_code code = finished_ask(grader->session, &request, solution);
    text_free(&request);
    grader->grade.solution = solution;
    if (code != EXIT_FOUND)
        return code == EXIT_REFUSED ? EXIT_FOUND : code;
    (void)reply_integer(solution, "moves", &grader->grade.moves[grader->asked]);
    return EXIT_FOUND;
}

/* board is NULL for the puzzle's own start. Of Sokoban, RESULT of a search by pushes tells the start without
 * where the player stands: the board is asked as it was given. */
static enum exit_code solve_by_other_metric(struct grader *grader, const char *board)
{
    const unsigned other = 1 - grader->asked;
    const struct reply *solution = grader->grade.solution;
    struct text more = {0};
    struct reply result;
    if (grader->metrics == NULL)
        return EXIT_FOUND;
    text_key(&more, "metric", grader->metrics->word[other]);
    const bool typed = grader->metrics->boxes; /* as it was written, not as RESULT has it */
    const char *puzzle =
        typed && board == NULL ? grader->arguments->words[0] : reply_text(solution, "puzzle");
    enum exit_code code = ask_job(grader, "SOLVE", puzzle, typed ? board : reply_text(solution, "start"),
                                  text_string(&more), &result);
    if (code == EXIT_FOUND && reply_is(&result, "solvable", "yes"))
        (void)reply_integer(&result, "moves", &grader->grade.moves[other]);
    reply_clear(&result);
    text_free(&more);
    return code;
}

/* Counts the moves of one position. */
static enum exit_code count_moves(struct grader *grader, const char *board, double *sum, bool *reversible)
{
    struct text request = {0};
    struct records nodes;
    compose_begin(&request, "GRAPH");
    compose_word(&request, reply_text(grader->grade.solution, "puzzle"));
    text_key(&request, "root", board);
    text_key(&request, "depth", "1");
    add_goal(grader, &request);
    enum exit_code code = session_list(grader->session, &request, &nodes);
    text_free(&request);
    if (code != EXIT_FOUND)
        return code;
    const char *next = nodes.count > 0 ? reply_text(&nodes.records[0], "next") : "";
    *sum += *next != '\0';
    for (; *next != '\0'; next++)
        *sum += *next == ' ';
    *reversible = reply_is(&nodes.head, "reversible", "yes");
    records_clear(&nodes);
    return EXIT_FOUND;
}

static bool is_box(char cell)
{
    return cell == '$' || cell == '*';
}

/* Counts the pushes of another box than the one that was pushed before: a box that goes on stands where the
 * last one came to. */
static int64_t count_box_changes(const struct records *frames)
{
    int64_t changes = 0;
    size_t last = SIZE_MAX;
    for (size_t i = 1; i < frames->count; i++) {
        const char *before = reply_text(&frames->records[i - 1], "board");
        const char *after = reply_text(&frames->records[i], "board");
        size_t from = SIZE_MAX, to = SIZE_MAX;
        for (size_t at = 0; before[at] != '\0' && after[at] != '\0'; at++) {
            from = is_box(before[at]) && !is_box(after[at]) ? at : from;
            to = !is_box(before[at]) && is_box(after[at]) ? at : to;
        }
        if (from == SIZE_MAX || to == SIZE_MAX)
            continue;
        changes += last != SIZE_MAX && from != last;
        last = to;
    }
    return changes;
}

/* Finds the branching along the path, of all its positions but the last, and whether its moves can be undone.
 * A solved board has one position, which is asked for the latter. */
static enum exit_code follow_path(struct grader *grader, bool *reversible)
{
    const struct reply *solution = grader->grade.solution;
    struct text request = {0};
    struct records frames;
    double sum = 0;
    compose_begin(&request, "DRAW");
    compose_word(&request, reply_text(solution, "puzzle"));
    compose_word(&request, reply_text(solution, "start"));
    text_key(&request, "path", reply_text(solution, "path"));
    add_goal(grader, &request);
    enum exit_code code = session_try_list(grader->session, &request, &frames);
    text_free(&request);
    if (code == EXIT_REFUSED) /* the path is too long for a request */
        return EXIT_FOUND;
    if (code != EXIT_FOUND)
        return code;
    const size_t asked = frames.count > 1 ? frames.count - 1 : frames.count;
    for (size_t i = 0; i < asked && code == EXIT_FOUND; i++)
        code = count_moves(grader, reply_text(&frames.records[i], "board"), &sum, reversible);
    if (grader->metrics != NULL && grader->metrics->boxes)
        grader->grade.box_changes = count_box_changes(&frames);
    if (frames.count > 1)
        grader->grade.branching = sum / (double)(frames.count - 1);
    records_clear(&frames);
    return code;
}

/* Finds the share of positions without a solution. Where moves can be undone there is none. */
static enum exit_code find_dead(struct grader *grader, bool reversible)
{
    const struct reply *solution = grader->grade.solution;
    const bool limited = arguments_pair(grader->arguments, "time") != NULL;
    struct reply result;
    int64_t states = 0, dead = 0;
    if (reversible) {
        grader->grade.dead = 0;
        return EXIT_FOUND;
    }
    enum exit_code code =
        ask_job(grader, "EXPLORE", reply_text(solution, "puzzle"), reply_text(solution, "start"),
                limited ? " from=goals keep=levels" : " from=goals keep=levels time=10s", &result);
    if (code == EXIT_FOUND && reply_is(&result, "complete", "yes") &&
        reply_integer(&result, "states", &states) && reply_integer(&result, "dead", &dead)) {
        grader->grade.positions = states + dead;
        grader->grade.dead = (double)dead / (double)(states + dead);
    }
    reply_clear(&result);
    return code;
}

/* ---- pieces that must move ---- */

/* Turns the piece of the cell at `at` to wall. Returns false if that cell has no piece, or one of which an
 * earlier cell was tried. Sets *stays to false if it is clear that the piece cannot stay. */
static bool fix_piece(const char *puzzle, char *board, size_t at, bool *stays)
{
    const char piece = board[at];
    *stays = true;
    if (strcmp(puzzle, "sokoban") == 0) {
        *stays = piece == '*'; /* as many goals as boxes: every goal gets one */
        board[at] = '#';
        return piece == '*' || piece == '$';
    }
    if (!isalnum((unsigned char)piece) || memchr(board, piece, at) != NULL)
        return false;
    for (size_t i = at; board[i] != '\0'; i++)
        if (board[i] == piece)
            board[i] = '#';
    return true;
}

/* Returns, in *must, true if no solution leaves the wall where it is. */
static enum exit_code try_without(struct grader *grader, const char *puzzle, const char *board, bool *must)
{
    struct reply result;
    enum exit_code code = ask_job(grader, "SOLVE", puzzle, board, "", &result);
    /* Without the piece that the goal names there is no goal. */
    *must = code == EXIT_FOUND && (result.kind == REPLY_ERR || reply_is(&result, "solvable", "no"));
    const bool known = result.kind == REPLY_ERR || !reply_is(&result, "solvable", "unknown");
    reply_clear(&result);
    if (code == EXIT_FOUND && !known)
        code = EXIT_NO_ANSWER;
    return code;
}

/* Solves the board once more for each piece, with the piece as wall. No piece of a solved board must move. */
static enum exit_code count_pieces(struct grader *grader)
{
    const struct reply *solution = grader->grade.solution;
    const char *name = reply_text(solution, "puzzle");
    const char *start = reply_text(solution, "start");
    const char *options = strchr(name, ',');
    const bool is_solved = grader->grade.moves[grader->asked] == 0;
    enum exit_code code = EXIT_FOUND;
    int64_t pieces = 0, must_move = 0;
    if (grader->metrics == NULL)
        return EXIT_FOUND;
    for (size_t at = 0; start[at] != '\0' && code == EXIT_FOUND; at++) {
        char *board = strdup(start);
        struct text puzzle = {0};
        bool stays = true, must = true;
        if (board != NULL && fix_piece(grader->metrics->puzzle, board, at, &stays)) {
            text_format(&puzzle, "%s:%s%s", grader->metrics->puzzle, board, options != NULL ? options : "");
            if (stays && !is_solved)
                code = try_without(grader, text_string(&puzzle), board, &must);
            pieces++;
            must_move += must && !is_solved;
        }
        text_free(&puzzle);
        free(board);
    }
    grader->grade.pieces = pieces;
    if (code == EXIT_FOUND)
        grader->grade.must_move = must_move;
    return code == EXIT_NO_ANSWER ? EXIT_FOUND : code; /* a limit was met: that number stays unknown */
}

/* ---- boards ---- */

static enum exit_code grade_board(struct grader *grader, const char *board, const char *title,
                                  struct reply *solution)
{
    bool reversible = true;
    grader->grade = (struct grade){.board = board != NULL ? board : "",
                                   .title = title,
                                   .metrics = grader->metrics,
                                   .moves = {-1, -1},
                                   .branching = -1,
                                   .positions = -1,
                                   .dead = -1,
                                   .pieces = -1,
                                   .must_move = -1,
                                   .box_changes = -1};
    enum exit_code code = solve_board(grader, board, solution);
    if (board == NULL && code == EXIT_FOUND)
        grader->grade.board = reply_text(solution, "start");
    if (code != EXIT_FOUND || !reply_is(solution, "solvable", "yes") ||
        *reply_text(solution, "start") == '\0')
        return code;
    code = solve_by_other_metric(grader, board);
    if (code == EXIT_FOUND)
        code = follow_path(grader, &reversible);
    if (code == EXIT_FOUND)
        code = find_dead(grader, reversible);
    return code == EXIT_FOUND ? count_pieces(grader) : code;
}

static enum grade_format format_of(const struct session *session, const struct arguments *arguments)
{
    if (session->json)
        return GRADE_JSON;
    return arguments_option(arguments, "csv") != NULL ? GRADE_CSV
           : session->terminal->out_tty               ? GRADE_LINES
                                                      : GRADE_TABS;
}

/* Grades one board, NULL for the puzzle's own start, and prints it. *worst becomes the exit status of the
 * worst board. */
static enum exit_code grade_one(struct grader *grader, const char *board, const char *title,
                                enum exit_code *worst)
{
    struct reply solution = {0};
    FILE *out = grader->session->terminal->out;
    enum exit_code code = grade_board(grader, board, title, &solution);
    if (code == EXIT_FOUND &&
        !grade_print(format_of(grader->session, grader->arguments), &grader->grade, out))
        code = EXIT_TROUBLE;
    if (code == EXIT_FOUND) {
        const enum exit_code own = solution.kind == REPLY_ERR ? EXIT_REFUSED : result_exit(&solution);
        *worst = own > *worst ? own : *worst;
    }
    (void)fflush(out);
    reply_clear(&solution);
    grader->grade.solution = NULL;
    return code;
}

/* A file of boards in work. */
struct grading {
    struct grader *grader;
    enum exit_code worst;
};

static enum exit_code grade_next(void *context, const char *board, const char *title)
{
    struct grading *grading = context;
    return grade_one(grading->grader, board, title, &grading->worst);
}

static void choose_metrics(struct grader *grader)
{
    const char *puzzle = grader->arguments->words[0];
    const char *metric = arguments_pair(grader->arguments, "metric");
    for (size_t i = 0; i < sizeof all_metrics / sizeof *all_metrics; i++) {
        const size_t length = strlen(all_metrics[i].puzzle);
        if (strncmp(puzzle, all_metrics[i].puzzle, length) == 0 &&
            (puzzle[length] == ':' || puzzle[length] == '\0'))
            grader->metrics = &all_metrics[i];
    }
    if (grader->metrics != NULL && metric != NULL && strcmp(metric, grader->metrics->word[1]) == 0)
        grader->asked = 1;
}

static enum exit_code run_grade(struct session *session, const struct arguments *arguments)
{
    struct grader grader = {.session = session, .arguments = arguments};
    const char *file = arguments->word_count > 1 ? arguments->words[1] : NULL;
    struct grading grading = {.grader = &grader, .worst = EXIT_FOUND};
    int fd = fileno(session->terminal->in);
    choose_metrics(&grader);
    if (file != NULL && strcmp(file, "-") != 0 && (fd = open(file, O_RDONLY | O_CLOEXEC)) < 0) {
        struct text text = {0};
        text_format(&text, "%s: %s", file, strerror(errno)); /* NOLINT(concurrency-mt-unsafe): one thread */
        (void)command_usage(session, text_string(&text));
        text_free(&text);
        return EXIT_USAGE;
    }
    enum exit_code code =
        grade_print_titles(format_of(session, arguments), grader.metrics, session->terminal->out)
            ? EXIT_FOUND
            : EXIT_TROUBLE;
    if (code == EXIT_FOUND)
        code = file == NULL ? grade_one(&grader, NULL, NULL, &grading.worst)
                            : each_board(session, fd, arguments->words[0], grade_next, &grading);
    if (file != NULL && strcmp(file, "-") != 0)
        (void)close(fd);
    return code != EXIT_FOUND ? code : grading.worst;
}

static const struct option_row grade_options[] = {
    {"csv", 0, NULL, "columns between commas", NULL},
    {0},
};

const struct command command_grade = {
    .name = "grade",
    .verb = VERB_PDB,
    .without = KEY_BIT(KEY_PARTITION),
    .words = "PUZZLE [FILE|-]",
    .summary = "Tell how hard boards are",
    .help =
        "Of each board of the file, or of the puzzle's own start: the fewest moves, by both metrics where "
        "the puzzle\n"
        "has two; how many shortest solutions there are; how many moves a position on the way offers on "
        "average; the\n"
        "share of positions without a solution, where moves cannot be undone and all positions are explored "
        "in 10 s\n"
        "(or --time); of Klotski and Sokoban how many pieces there are, and how many of them move in every "
        "solution;\n"
        "of Sokoban how often the solution turns to another box.\n"
        "Keys that the puzzle has of its own follow as KEY=VALUE.\n",
    .example = "  $ puzzlectl grade klotski:横刀立马 --json\n"
               "  $ puzzlectl grade sokoban levels.xsb --csv > grades.csv\n"
               "  $ puzzlectl sample 3x3 20 --count 100 | puzzlectl grade 3x3 - --csv\n",
    .options = grade_options,
    .least = 1,
    .most = 2,
    .run = run_grade,
};
