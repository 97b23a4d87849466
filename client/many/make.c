/* SPDX-License-Identifier: MIT */
/*
 * The subcommand make: boards of a wanted difficulty. Of the puzzles whose pieces it can throw, new sets of
 * them (make_search.h); of any other puzzle, positions of its own space (make_sample.c). random is its simple
 * case: boards of a sliding puzzle, or of a text that knows random ones, however hard.
 */
#include "client/jobs/follow.h"
#include "client/jobs/progress.h"
#include "client/many/make_search.h"
#include "client/session/command.h"
#include "client/show/drawing.h"
#include "client/show/sliding.h"
#include "client/show/text_table.h"
#include "protocol/text/quantity.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct maker {
    struct make_search search;
    const struct arguments *arguments;
    uint64_t taken;
    bool plain;           /* random: however hard */
    json_t *made;         /* objects; NULL for lines */
    struct frames frames; /* of all boards, if pictures are wanted */
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
    (void)command_usage(maker->search.session, text_string(&words));
    text_free(&words);
    return false;
}

/* ---- a board: its grade, and its line ---- */

static enum exit_code ask_made_grade(const struct maker *maker, const struct made_board *made,
                                     struct reply *grade)
{
    struct text *request = session_request(maker->search.session, "GRADE", made->puzzle);
    if (*made->board != '\0')
        text_key(request, "start", made->board);
    text_add(request, " tool=make");
    const enum exit_code code = finished_ask(maker->search.session, request, grade);
    return code == EXIT_REFUSED ? EXIT_FOUND : code; /* of link-up there are no grades */
}

static bool print_made(struct maker *maker, const struct made_board *made, const struct reply *grade)
{
    FILE *out = maker->search.session->terminal->out;
    const bool csv = maker->search.session->csv;
    const char *word = reply_text(grade, "difficulty");
    const char *board = *made->board != '\0' ? made->board : made->puzzle;
    int64_t rating = -1;
    const bool rated = reply_integer(grade, "rating", &rating);
    if (maker->made != NULL) {
        json_t *object = json_pack("{s:s,s:I}", "board", board, "moves", (json_int_t)made->moves);
        if (rated)
            (void)json_object_update_new(
                object, json_pack("{s:I,s:s}", "rating", (json_int_t)rating, "difficulty", word));
        return json_array_append_new(maker->made, object) == 0;
    }
    if (csv)
        csv_quoted(board, out);
    else
        (void)fputs(board, out);
    (void)fprintf(out, csv ? ",%" PRIu64 "," : "\t%" PRIu64 "\t", made->moves);
    if (csv && rated)
        (void)fprintf(out, "%" PRId64, rating);
    (void)fprintf(out, csv ? ",%s\n" : "%s\n", word);
    return fflush(out) == 0;
}

/* Returns the moves of a solution as a sheet prints them: "J↓←  8→", or the path where they have no names. */
static char *made_moves(const struct maker *maker, const struct made_board *made, const char *board,
                        const char *path)
{
    struct frames walk = {0};
    struct text moves = {0};
    (void)frames_of_path(maker->search.session, made->puzzle, board, path, maker->arguments, &walk);
    for (size_t i = 1; i < walk.count && walk.frames[i].move != NULL; i++) {
        text_add(&moves, i > 1 ? "  " : "");
        text_add(&moves, walk.frames[i].move);
    }
    frames_free(&walk);
    if (moves.length == 0)
        text_add(&moves, path);
    return text_take(&moves);
}

/* Draws a board for the sheet. */
static enum exit_code draw_made(struct maker *maker, const struct made_board *made, const struct reply *grade)
{
    struct frames *frames = &maker->frames;
    const char *board = *made->board != '\0' ? made->board : reply_text(grade, "start");
    const size_t before = frames->count;
    struct text caption = {0};
    if (!frames_pictured(maker->arguments) || *board == '\0')
        return EXIT_FOUND;
    const enum exit_code code =
        frames_of_board(maker->search.session, made->puzzle, board, maker->arguments, frames);
    if (code != EXIT_FOUND || frames->count == before)
        return code;
    const char *word = reply_text(grade, "difficulty");
    const char *goal = *made->board == '\0' ? strstr(made->puzzle, ",goal:") : NULL; /* of jugs */
    text_format(&caption, "%zu. ", before + 1);
    if (goal != NULL)
        text_format(&caption, "goal %s: ", goal + strlen(",goal:"));
    text_format(&caption, "%" PRIu64 " moves%s%s", made->moves, *word != '\0' ? ", " : "", word);
    free(frames->frames[before].caption);
    frames->frames[before].caption = text_take(&caption);
    frames->frames[before].solution = made_moves(maker, made, board, reply_text(grade, "path"));
    return frames->frames[before].caption != NULL
               ? EXIT_FOUND
               : session_fail(maker->search.session, EXIT_TROUBLE, "memory", "no memory for drawings");
}

static enum exit_code take_made(void *context, const struct made_board *made)
{
    struct maker *maker = context;
    struct reply grade = {0};
    enum exit_code code = ask_made_grade(maker, made, &grade);
    if (code == EXIT_FOUND && !print_made(maker, made, &grade))
        code = EXIT_TROUBLE;
    if (code == EXIT_FOUND)
        code = draw_made(maker, made, &grade);
    maker->taken++;
    maker->progress.share = (double)maker->taken / (double)maker->search.count;
    reply_clear(&grade);
    return code;
}

static void count_judged(void *context)
{
    list_progress_step(&((struct maker *)context)->progress, 1);
}

/* ---- all boards ---- */

/* Prints the boards that were kept for JSON. */
static enum exit_code print_object(const struct maker *maker, uint64_t found)
{
    return session_json(maker->search.session,
                        json_pack("{s:I,s:O}", "count", (json_int_t)found, "boards", maker->made));
}

static enum exit_code make_all(struct maker *maker, const char *puzzle)
{
    struct make_search *search = &maker->search;
    const struct session *session = search->session;
    uint64_t found = 0;
    const bool thrown = make_plan_knows(puzzle);
    if (session->csv)
        (void)fputs("board,moves,rating,difficulty\n", session->terminal->out);
    list_progress_begin(&maker->progress, session->terminal, !session->quiet, "attempts");
    enum exit_code code = thrown ? make_search(search, &found) : make_sample(search, puzzle, &found);
    list_progress_end(&maker->progress);
    if ((code == EXIT_FOUND || code == EXIT_NO_ANSWER) && maker->made != NULL &&
        print_object(maker, found) != EXIT_FOUND)
        code = EXIT_TROUBLE;
    if ((code == EXIT_FOUND || code == EXIT_NO_ANSWER) &&
        drawing_sheet(search->session, maker->arguments, &maker->frames, puzzle) != EXIT_FOUND)
        code = EXIT_TROUBLE;
    frames_free(&maker->frames);
    if (code == EXIT_NO_ANSWER && !session->quiet && maker->progress.done == 0)
        (void)fprintf(session->terminal->err, "no board there; how many are where: puzzlectl levels %s\n",
                      puzzle);
    else if (code == EXIT_NO_ANSWER && !session->quiet)
        (void)fprintf(session->terminal->err,
                      "(%" PRIu64 " of %" PRIu64 " boards found in %" PRIu64 " tries)\n", found,
                      search->count, maker->progress.done);
    return code;
}

/* Writes the position that a puzzle reads "random:SEED" as. */
static enum exit_code ask_random(const struct maker *maker, uint64_t seed, struct text *line)
{
    struct text *request = session_request(maker->search.session, "DRAW", maker->arguments->words[0]);
    struct records records;
    text_format(request, " random:%" PRIu64, seed);
    const enum exit_code code = session_list(maker->search.session, request, &records);
    if (code == EXIT_FOUND && records.count > 0)
        text_add(line, reply_text(&records.records[0], "board"));
    if (code == EXIT_FOUND)
        records_clear(&records);
    return code;
}

/* Prints a board in the form that was asked for. */
static void print_made_board(const struct maker *maker, const char *line)
{
    if (maker->made != NULL)
        (void)json_array_append_new(maker->made, json_pack("{s:s}", "board", line));
    else
        (void)fprintf(maker->search.session->terminal->out, maker->search.session->csv ? "\"%s\"\n" : "%s\n",
                      line);
}

/* Boards of a sliding puzzle, all equally likely, or what the daemon takes for random of another one. */
static enum exit_code print_random(const struct maker *maker)
{
    uint64_t seed = maker->search.plan.seed;
    struct grid grid;
    struct board board;
    const bool sliding = sliding_shuffles(maker->arguments->words[0], &grid);
    enum exit_code code = EXIT_FOUND;
    if (maker->search.session->csv)
        (void)fputs("board\n", maker->search.session->terminal->out);
    for (uint64_t i = 0; i < maker->search.count && code == EXIT_FOUND; i++) {
        char tiles[BOARD_TEXT_MAX];
        struct text line = {0};
        if (sliding) {
            sliding_random(&grid, &seed, NULL, &board);
            (void)board_format(&grid, &board, tiles);
            text_add(&line, tiles);
        } else {
            code = ask_random(maker, seed + i, &line);
        }
        if (code == EXIT_FOUND)
            print_made_board(maker, text_string(&line));
        text_free(&line);
    }
    return code == EXIT_FOUND && maker->made != NULL ? print_object(maker, maker->search.count) : code;
}

/* Returns what is wrong with an option that does not apply to the puzzle; NULL if nothing is. sized: its name
 * says how many rows and columns it has. */
static const char *wrong_make_option(const struct maker *maker, const char *puzzle, bool sized)
{
    const bool known = make_plan_knows(puzzle), slide = strcmp(puzzle, "slide") == 0;
    const bool jugs = strcmp(puzzle, "jugs") == 0, linkup = strcmp(puzzle, "linkup") == 0;
    if (arguments_option(maker->arguments, "pieces") != NULL && (!known || slide))
        return "--pieces is for rushhour, klotski, sokoban, jugs and linkup";
    if (arguments_option(maker->arguments, "size") != NULL && (!known || jugs || sized))
        return "--size is for rushhour, klotski, sokoban, linkup and slide: other names say it, as 3x4";
    if (arguments_option(maker->arguments, "walls") != NULL && (!known || jugs || linkup))
        return "--walls is for rushhour, klotski, sokoban and sliding tiles";
    return NULL;
}

static enum exit_code make_boards(struct maker *maker)
{
    struct session *session = maker->search.session;
    const char *puzzle = maker->arguments->words[0], *size = arguments_option(maker->arguments, "size");
    struct make_plan *plan = &maker->search.plan;
    struct grid grid;
    const bool sliding = sliding_shuffles(puzzle, &grid);
    const bool any =
        arguments_option(maker->arguments, "moves") == NULL && !frames_pictured(maker->arguments);
    const char *wrong = wrong_make_option(maker, sliding && plan->walls > 0 ? "slide" : puzzle, sliding);
    if (wrong == NULL && (maker->plain || (sliding && plan->walls == 0 && any)))
        return print_random(maker);
    if (sliding && plan->walls > 0) {
        size = strncmp(puzzle, "slide:", 6) == 0 ? puzzle + 6 : puzzle;
        puzzle = "slide";
    }
    if (wrong == NULL && make_plan_knows(puzzle))
        wrong = make_plan_read(plan, puzzle, size);
    if (wrong != NULL)
        return command_usage(session, wrong);
    const enum exit_code code = session_connect(session);
    return code == EXIT_FOUND ? make_all(maker, puzzle) : code;
}

static enum exit_code run_maker(struct session *session, const struct arguments *arguments, bool plain)
{
    struct maker maker = {.arguments = arguments, .plain = plain};
    maker.search = (struct make_search){.session = session,
                                        .plan = {.most = UINT16_MAX, .seed = sliding_seed()},
                                        .count = 1,
                                        .least = 1,
                                        .tries = 100000,
                                        .take = take_made,
                                        .judged = count_judged,
                                        .context = &maker};
    struct make_search *search = &maker.search;
    uint64_t pieces = 0, walls = 0;
    if (!read_moves(arguments_option(arguments, "moves"), &search->least, &search->plan.most))
        return command_usage(session, "--moves: a number, or two with - between, as 25-30");
    if (!read_count(&maker, "count", 10000000, &search->count) ||
        !read_count(&maker, "seed", UINT64_MAX, &search->plan.seed) ||
        !read_count(&maker, "tries", 10000000, &search->tries) ||
        !read_count(&maker, "pieces", 30, &pieces) || !read_count(&maker, "walls", 30, &walls))
        return EXIT_USAGE;
    search->plan.pieces = (unsigned)pieces;
    search->plan.walls = (unsigned)walls;
    maker.made = session->json ? json_array() : NULL;
    const enum exit_code code = make_boards(&maker);
    json_decref(maker.made);
    return code;
}

static enum exit_code run_make(struct session *session, const struct arguments *arguments)
{
    return run_maker(session, arguments, false);
}

static enum exit_code run_random(struct session *session, const struct arguments *arguments)
{
    const char *puzzle = arguments->words[0];
    struct grid grid;
    if (!sliding_shuffles(puzzle, &grid) && (make_plan_knows(puzzle) || isdigit((unsigned char)*puzzle)))
        return command_usage(session, "random makes boards of sliding puzzles with two rows and columns or "
                                      "more, and up to 42 cells, and of .tws puzzles; make knows others");
    return run_maker(session, arguments, true);
}

#define COUNT_OPTION                                                                                         \
    {                                                                                                        \
        "count", 'n', "N", "how many boards (default 1)", NULL                                               \
    }
#define SEED_OPTION                                                                                          \
    {                                                                                                        \
        "seed", 0, "N", "the same seed gives the same boards (default: another each time)", NULL             \
    }

static const struct option_row make_options[] = {
    LIST_OPTIONS("board, moves, rating, difficulty between commas"),
    COUNT_OPTION,
    {"moves", 'm', "N-M", "of a shortest solution (default: any)", NULL},
    {"size", 0, "RxC", "rows and columns (default 6x6; Klotski 5x4, Sokoban 7x7, link-up 6x8)", NULL},
    {"pieces", 0, "N", "cars, blocks beside the square, boxes, jugs, or pairs (default: some, at random)",
     NULL},
    {"walls", 0, "N", "cells of wall, also among sliding tiles (default: none; Sokoban some)", NULL},
    SEED_OPTION,
    {"svg", 0, "FILE", "write the boards as a strip, too", NULL},
    {"html", 0, "FILE", "write them as a sheet to print, with their solutions", NULL},
    {"tries", 0, "N", "sets of pieces, or boards, to look at at most (default 100,000)", NULL},
    {0},
};

const struct command command_make = {
    .name = "make",
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "Make boards of a wanted difficulty",
    .help =
        "Of rushhour, klotski, sokoban, jugs, linkup, and of sliding tiles with --walls, random sets of "
        "pieces are\n"
        "explored, and the hardest board of each that has as many moves as wanted is printed, with its moves "
        "and a\n"
        "word for people (docs/grade.md). No two boards are of one space, or of mirror images of one. Of any "
        "other\n"
        "puzzle, also a text's or one layout (klotski:classic), boards of that space are printed; of a "
        "sliding "
        "puzzle\n"
        "without --moves, --svg and --html any board, as random does.\n",
    .example = "  $ puzzlectl make rushhour --count 20 --moves 25-30 --seed 1 > boards.txt\n"
               "  $ puzzlectl make sokoban --pieces 2 --moves 15-20 --csv\n"
               "  $ puzzlectl make definitions/pyraminx.tws --moves 9 --count 5\n",
    .options = make_options,
    .verb = VERB_COUNT,
    .run = run_make,
};

static const struct option_row random_options[] = {
    LIST_OPTIONS("a title, and the boards in quotes"),
    COUNT_OPTION,
    SEED_OPTION,
    {0},
};

const struct command command_random = {
    .name = "random",
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "Make random solvable boards of a sliding or a .tws puzzle",
    .help =
        "Of tiles every board from which the usual goal can be reached is equally likely, and no daemon is "
        "asked.\nOf a .tws puzzle a board is where 100 or 101 random moves lead from the solved one.\n",
    .example = "  $ puzzlectl random 4x4 --count 100 --seed 1 | puzzlectl solve 4x4 -\n"
               "  $ puzzlectl random cube3\n",
    .options = random_options,
    .verb = VERB_COUNT,
    .run = run_random,
};
