/* SPDX-License-Identifier: MIT */
/*
 * The subcommand make: boards of a wanted difficulty. Random sets of pieces are explored by the daemon, from
 * all their goals; of each space that is new, mirror images included, the hardest board within the wanted
 * moves is taken. The same seed gives the same boards.
 */
#include "client/jobs/solved.h"
#include "client/many/list_progress.h"
#include "client/many/make_board.h"
#include "client/session/command.h"
#include "client/show/text_table.h"
#include "protocol/text/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct maker {
    struct session *session;
    const struct arguments *arguments;
    struct make_plan plan;
    uint64_t count, least, most, tries;
    json_t *seen; /* a member for each space, by its numbers of states */
    json_t *made; /* objects; NULL for lines */
    struct list_progress progress;
};

/* Reads "25" or "25-30". */
static bool read_moves(const char *text, uint64_t *least, uint64_t *most)
{
    char *end = NULL;
    if (text == NULL)
        return true;
    *least = *most = strtoull(text, &end, 10);
    if (end != text && *end == '-')
        *most = strtoull(end + 1, &end, 10);
    return end != text && *end == '\0' && *least <= *most && *most <= UINT16_MAX;
}

/* Reads a whole number of an option into *out, which keeps its value without one. */
static bool read_count(const struct maker *maker, const char *name, uint64_t most, uint64_t *out)
{
    const char *value = arguments_option(maker->arguments, name);
    struct pz_error error;
    struct text words = {0};
    if (value == NULL || quantity_count(value, name[0] == 's' ? 0 : 1, most, out, &error) == PZ_OK)
        return true;
    text_format(&words, "--%s: %s", name, error.text);
    (void)command_usage(maker->session, text_string(&words));
    text_free(&words);
    return false;
}

/* Explores the space of a board. *result is the job's; one without "depth" has no board to take. */
static enum exit_code explore_candidate(const struct maker *maker, const char *board, struct reply *result)
{
    struct text request = {0};
    compose_begin(&request, "EXPLORE");
    text_format(&request, " %s:%s from=goals keep=levels threads=1 memory=64M planes=memory tool=make",
                make_names[maker->plan.puzzle], board);
    const enum exit_code code = finished_ask(maker->session, &request, result);
    text_free(&request);
    return code == EXIT_REFUSED ? EXIT_FOUND : code; /* a board that is none, or solved already */
}

/* Returns the first board of a level by its text: the same in every run. NULL if not all boards are told. */
static char *first_example(const struct reply *level)
{
    const char *rest = reply_text(level, "example"), *first = rest;
    uint64_t told = 0;
    for (; *rest != '\0'; told++) {
        first = strcmp(rest, first) < 0 ? rest : first;
        rest += strcspn(rest, " ");
        rest += strspn(rest, " ");
    }
    return told > 0 && told == strtoull(reply_text(level, "states"), NULL, 10)
               ? strndup(first, strcspn(first, " "))
               : NULL;
}

/* Takes the hardest narrow level within the wanted moves, and a board of it. Sets *board to NULL without one,
 * or where the space, or its mirror image, was seen before. */
static enum exit_code take_hardest(struct maker *maker, const char *job, char **board, uint64_t *moves)
{
    struct text request = {0}, shape = {0};
    struct records levels = {0};
    compose_begin(&request, "LEVELS");
    compose_word(&request, job);
    text_add(&request, " examples=16");
    const enum exit_code code = session_list(maker->session, &request, &levels);
    text_free(&request);
    *board = NULL;
    for (size_t i = 0; code == EXIT_FOUND && i < levels.count; i++) {
        const uint64_t level = strtoull(reply_text(&levels.records[i], "level"), NULL, 10);
        text_format(&shape, "%s ", reply_text(&levels.records[i], "states"));
        char *first =
            level >= maker->least && level <= maker->most ? first_example(&levels.records[i]) : NULL;
        if (first == NULL)
            continue;
        free(*board);
        *board = first;
        *moves = level;
    }
    if (*board != NULL && json_object_get(maker->seen, text_string(&shape)) != NULL) {
        free(*board);
        *board = NULL;
    }
    (void)json_object_set_new(maker->seen, text_string(&shape), json_true());
    text_free(&shape);
    records_clear(&levels);
    return code;
}

static enum exit_code forget_job(const struct maker *maker, const char *job)
{
    struct text request = {0};
    struct reply reply = {0};
    compose_begin(&request, "FORGET");
    compose_word(&request, job);
    const enum exit_code code = session_ask(maker->session, &request, &reply);
    text_free(&request);
    reply_clear(&reply);
    return code == EXIT_REFUSED ? EXIT_FOUND : code;
}

/* Grades a board and prints it. */
static enum exit_code print_made(struct maker *maker, const char *board, uint64_t moves)
{
    FILE *out = maker->session->terminal->out;
    struct text request = {0};
    struct reply grade = {0};
    int64_t rating = -1;
    compose_begin(&request, "GRADE");
    compose_word(&request, make_names[maker->plan.puzzle]);
    text_key(&request, "start", board);
    text_add(&request, " tool=make");
    enum exit_code code = finished_ask(maker->session, &request, &grade);
    text_free(&request);
    if (code != EXIT_FOUND && code != EXIT_REFUSED)
        return code;
    const char *word = reply_text(&grade, "difficulty");
    (void)reply_integer(&grade, "rating", &rating);
    if (maker->made != NULL) {
        (void)json_array_append_new(maker->made,
                                    json_pack("{s:s,s:I,s:I,s:s}", "board", board, "moves", (json_int_t)moves,
                                              "rating", (json_int_t)rating, "difficulty", word));
    } else if (arguments_option(maker->arguments, "csv") != NULL) {
        csv_quoted(board, out);
        (void)fprintf(out, ",%" PRIu64 ",%" PRId64 ",%s\n", moves, rating, word);
    } else {
        (void)fprintf(out, "%s\t%" PRIu64 "\t%s\n", board, moves, word);
    }
    reply_clear(&grade);
    (void)fflush(out);
    return ferror(out) == 0 ? EXIT_FOUND : EXIT_TROUBLE;
}

/* Draws one set of pieces and takes its board, if it has one. */
static enum exit_code make_one(struct maker *maker, uint64_t *found)
{
    char candidate[MAKE_BOARD_MAX];
    struct reply result = {0};
    char *board = NULL;
    uint64_t moves = 0;
    make_board(&maker->plan, candidate);
    enum exit_code code = explore_candidate(maker, candidate, &result);
    const bool whole = code == EXIT_FOUND && reply_is(&result, "complete", "yes");
    const char *job = reply_text(&result, "job");
    if (whole && strtoull(reply_text(&result, "depth"), NULL, 10) >= maker->least)
        code = take_hardest(maker, job, &board, &moves);
    if (code == EXIT_FOUND && *job != '\0')
        code = forget_job(maker, job);
    if (code == EXIT_FOUND && board != NULL)
        code = print_made(maker, board, moves);
    *found += board != NULL;
    maker->progress.share = (double)*found / (double)maker->count;
    list_progress_step(&maker->progress, 1);
    free(board);
    reply_clear(&result);
    return code;
}

static enum exit_code make_all(struct maker *maker)
{
    const struct terminal *terminal = maker->session->terminal;
    uint64_t found = 0;
    enum exit_code code = EXIT_FOUND;
    maker->seen = json_object();
    maker->made = maker->session->json ? json_array() : NULL;
    if (!maker->session->json && arguments_option(maker->arguments, "csv") != NULL)
        (void)fputs("board,moves,rating,difficulty\n", terminal->out);
    list_progress_begin(&maker->progress, terminal, !maker->session->quiet, "sets of pieces");
    for (uint64_t i = 0; i < maker->tries && found < maker->count && code == EXIT_FOUND; i++)
        code = make_one(maker, &found);
    list_progress_end(&maker->progress);
    json_decref(maker->seen);
    if (code == EXIT_FOUND && maker->made != NULL &&
        !json_write(json_pack("{s:I,s:O}", "count", (json_int_t)found, "boards", maker->made), terminal->out))
        code = EXIT_TROUBLE;
    json_decref(maker->made);
    if (code == EXIT_FOUND && found < maker->count && !maker->session->quiet)
        (void)fprintf(terminal->err,
                      "(%" PRIu64 " of %" PRIu64 " boards found in %" PRIu64 " sets of pieces)\n", found,
                      maker->count, maker->tries);
    return code == EXIT_FOUND && found < maker->count ? EXIT_NO_ANSWER : code;
}

static enum exit_code run_make(struct session *session, const struct arguments *arguments)
{
    struct maker maker = {.session = session,
                          .arguments = arguments,
                          .count = 1,
                          .least = 1,
                          .most = UINT16_MAX,
                          .tries = 100000};
    const char *wrong = NULL;
    uint64_t seed = (uint64_t)time(NULL), pieces = 0;
    if (!read_moves(arguments_option(arguments, "moves"), &maker.least, &maker.most))
        return command_usage(session, "--moves: a number, or two with - between, as 25-30");
    if (!read_count(&maker, "count", 10000, &maker.count) || !read_count(&maker, "seed", UINT64_MAX, &seed) ||
        !read_count(&maker, "tries", 10000000, &maker.tries) || !read_count(&maker, "pieces", 30, &pieces))
        return EXIT_USAGE;
    maker.plan.seed = seed;
    maker.plan.pieces = (unsigned)pieces;
    wrong = make_plan_read(&maker.plan, arguments->words[0], arguments_option(arguments, "size"));
    if (wrong != NULL)
        return command_usage(session, wrong);
    const enum exit_code code = session_connect(session);
    return code == EXIT_FOUND ? make_all(&maker) : code;
}

static const struct option_row make_options[] = {
    LIST_OPTIONS("board, moves, rating, difficulty between commas"),
    {"count", 'n', "N", "how many boards (default 1)", NULL},
    {"moves", 'm', "N-M", "of a shortest solution (default: any)", NULL},
    {"size", 0, "RxC", "rows and columns (default 6x6; Klotski 5x4; Sokoban 7x7)", NULL},
    {"pieces", 0, "N", "cars, blocks beside the square, or boxes (default: some, at random)", NULL},
    {"seed", 0, "N", "the same seed gives the same boards (default: another each second)", NULL},
    {"tries", 0, "N", "sets of pieces to explore at most (default 100,000)", NULL},
    {0},
};

const struct command command_make = {
    .name = "make",
    .words = "rushhour|klotski|sokoban",
    .summary = "Make boards of a wanted difficulty",
    .help = "Random sets of pieces are explored, each with all its positions, and the hardest board of each "
            "that has "
            "as many\n"
            "moves as wanted is printed, with its moves and a word for people (docs/grade.md). No two boards "
            "are of "
            "one space,\n"
            "or of mirror images of one.\n",
    .example = "  $ puzzlectl make rushhour --count 20 --moves 25-30 --seed 1 > boards.txt\n"
               "  $ puzzlectl make sokoban --pieces 2 --moves 15-20 --csv\n",
    .options = make_options,
    .verb = VERB_COUNT,
    .least = 1,
    .most = 1,
    .run = run_make,
};
