/* SPDX-License-Identifier: MIT */
/* The plain sliding puzzle: a permutation of the tiles. */
#include "space/slide/slide.h"

#include "space/options.h"
#include "space/slide/slide_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pz_puzzle slide_multi_puzzle;

const struct grid *slide_grid(const struct pz_space *space)
{
    return space->puzzle == &slide_puzzle ? &slide_of(space)->grid : NULL;
}

const struct grid *slide_permutation(const struct pz_space *space)
{
    return slide_is_multi(space) ? &slide_of(space)->grid : slide_grid(space);
}

bool slide_is_multi(const struct pz_space *space)
{
    return space->puzzle == &slide_multi_puzzle;
}

bool slide_is_endless(const struct pz_space *space)
{
    const struct grid *grid = slide_permutation(space);
    return grid != NULL && grid->cells > 20 && grid->rows > 1 && grid->columns > 1;
}

uint64_t slide_states(const struct pz_space *space)
{
    const struct grid *grid = slide_permutation(space);
    if (grid == NULL || grid->cells > 20)
        return 0;
    if (grid->rows == 1 || grid->columns == 1)
        return grid->cells;
    uint64_t states = 1;
    for (uint64_t i = 3; i <= grid->cells; i++)
        states *= i;
    return states;
}

void slide_board(const struct pz_space *space, const void *state, struct board *board)
{
    slide_unpack(space, state, board);
}

void slide_goal_board(const struct pz_space *space, struct board *board)
{
    *board = slide_of(space)->goal;
}

void slide_state(const struct pz_space *space, const struct board *board, void *state)
{
    pack_board(&slide_of(space)->plan, board, state);
}

/* ---- making one ---- */

void slide_size(unsigned rows, unsigned columns, bool multi, char size[PZ_SIZE_MAX])
{
    (void)snprintf(size, PZ_SIZE_MAX, "%ux%u%s", rows, columns, multi ? ",metric:multi" : "");
}

/* Makes the space of a plain puzzle. */
static enum pz_status open_plain(const struct grid *grid, const char *goal, bool multi, struct pz_space **out,
                                 struct pz_error *error)
{
    struct slide *slide = calloc(1, sizeof *slide);
    if (slide == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a sliding puzzle");
    slide->grid = *grid;
    enum pz_status status = PZ_OK;
    if (goal != NULL)
        status = board_parse(grid, goal, &slide->goal, error);
    else
        board_default_goal(grid, &slide->goal);
    if (status != PZ_OK) {
        free(slide);
        return status;
    }
    slide->multi = multi;
    slide_finish(slide);
    slide->ends.base.puzzle = multi ? &slide_multi_puzzle : &slide_puzzle;
    slide_size(grid->rows, grid->columns, multi, slide->ends.base.size);
    *out = &slide->ends.base;
    return PZ_OK;
}

const char *const slide_keys[] = {"metric", "wrap", NULL};

static enum pz_status slide_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    struct space_options options;
    struct grid grid;
    bool wraps = false;
    bool multi = false;
    enum pz_status status = space_options_read(&options, setup, slide_keys, error);
    if (status == PZ_OK)
        status = grid_parse(&grid, options.head, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "wrap", "no", "yes", &wraps, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "metric", "single", "multi", &multi, error);
    if (status == PZ_OK && wraps && multi)
        status = pz_fail(error, PZ_UNSUPPORTED, "metric=multi is for boards with edges: leave wrap= out");
    if (status != PZ_OK)
        return status;
    if (wraps)
        grid_wrap(&grid);
    const char *goal = space_option(&options, "goal");
    if (slide_is_variant(&grid, goal, setup->start))
        return slide_open_variant(&grid, goal, setup->start, multi, out, error);
    return open_plain(&grid, goal, multi, out, error);
}

/* ---- texts ---- */

static enum pz_status slide_parse(const struct pz_space *space, const char *text, void *state,
                                  struct pz_error *error)
{
    struct board board;
    enum pz_status status = board_parse(&slide_of(space)->grid, text, &board, error);
    if (status == PZ_OK)
        slide_state(space, &board, state);
    return status;
}

/* ---- the search's view ---- */

/* Of up to 16 cells, a nibble each. Ranks ask this of every state that comes to them. */
static bool nibbles_valid(uint64_t state, unsigned cells)
{
    uint32_t seen = 0;
    for (unsigned cell = 0; cell < cells; cell++, state >>= 4)
        seen |= 1u << (state & 15u);
    return seen == (1u << cells) - 1 && state == 0;
}

/* Returns true for a permutation of the tiles, with zeros in the bits that no cell has. */
static bool slide_valid(const struct pz_space *space, const void *state)
{
    const unsigned cells = slide_of(space)->grid.cells;
    struct board board;
    uint64_t again[PACK_WORDS_MAX];
    uint64_t seen = 0;
    if (slide_of(space)->plan.words == 1)
        return nibbles_valid(*(const uint64_t *)state, cells);
    slide_board(space, state, &board);
    for (unsigned cell = 0; cell < cells; cell++)
        seen |= UINT64_C(1) << board.tile[cell];
    slide_state(space, &board, again);
    return seen == (UINT64_C(1) << cells) - 1 && memcmp(again, state, space->state_bytes) == 0;
}

/* ---- the canonical question ---- */

_Static_assert(sizeof(struct board_view) <= sizeof((struct pz_canon *)0)->map, "a view fits a canon's map");

static enum pz_status slide_canon(const struct pz_space *space, const void *root, struct pz_canon *out,
                                  struct pz_error *error)
{
    struct board board;
    struct board canonical;
    struct board_view view;
    (void)error;
    memset(out, 0, sizeof *out);
    slide_board(space, root, &board);
    view_of_goal(&slide_of(space)->grid, &board, &view);
    memcpy(out->map, &view, sizeof view);
    view_in(&view, &board, &canonical);
    slide_state(space, &canonical, out->root);
    slide_size(view.rows, view.columns, slide_of(space)->multi, out->size);
    return PZ_OK;
}

static void slide_canon_in(const struct pz_space *space, const struct pz_canon *canon, const void *state,
                           void *canonical)
{
    struct board board;
    struct board there;
    struct board_view view;
    memcpy(&view, canon->map, sizeof view);
    slide_board(space, state, &board);
    view_in(&view, &board, &there);
    slide_state(space, &there, canonical);
}

static void slide_canon_out(const struct pz_space *space, const struct pz_canon *canon, const void *canonical,
                            void *state)
{
    struct board board;
    struct board here;
    struct board_view view;
    memcpy(&view, canon->map, sizeof view);
    slide_board(space, canonical, &board);
    view_out(&view, &board, &here);
    slide_state(space, &here, state);
}

/* ---- why a board has no solution ---- */

/* Counts the pairs of tiles that are in another order than in the goal. */
static unsigned misplaced_pairs(const struct board *start, const struct board *goal)
{
    unsigned place[256] = {0};
    unsigned count = 0;
    for (unsigned cell = 0; cell < goal->cells; cell++)
        place[goal->tile[cell]] = cell;
    for (unsigned i = 0; i < start->cells; i++)
        for (unsigned j = i + 1; j < start->cells; j++)
            count += start->tile[i] != BOARD_BLANK && start->tile[j] != BOARD_BLANK &&
                     place[start->tile[i]] > place[start->tile[j]];
    return count;
}

static unsigned rows_apart(const struct board *start, const struct board *goal, unsigned columns)
{
    const unsigned from = board_blank(start) / columns;
    const unsigned to = board_blank(goal) / columns;
    return from > to ? from - to : to - from;
}

/* With an even number of columns a move up or down carries a tile past an odd number of others. */
static void write_parity(const struct grid *grid, const struct board *start, const struct board *goal,
                         char *out)
{
    const unsigned pairs = misplaced_pairs(start, goal);
    const unsigned rows = rows_apart(start, goal, grid->columns);
    const char *pairs_are = pairs == 1 ? "pair of tiles is" : "pairs of tiles are";
    if (grid->columns % 2 == 1)
        (void)snprintf(out, PZ_TEXT_MAX,
                       "%u %s out of order, an odd number; with %u columns every move keeps it "
                       "odd, and the goal has 0",
                       pairs, pairs_are, (unsigned)grid->columns);
    else
        (void)snprintf(out, PZ_TEXT_MAX,
                       "%u %s out of order, the blank is %u row%s from its place: together an "
                       "odd number, which every move keeps odd, and the goal has 0",
                       pairs, pairs_are, rows, rows == 1 ? "" : "s");
}

void slide_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX])
{
    static const char *const words[] = {
        [BOARD_PARTED] =
            "a tile or the blank is in a part of the board that it cannot leave, because one cell "
            "at most joins it to the rest, and has its place in another",
        [BOARD_RINGED] = "tiles in a ring only go round, and keep their order",
        [BOARD_ODD] = "each move exchanges the blank with a tile; from here the goal takes an odd number of "
                      "exchanges where the blank's way takes an even one, or the other way round"};
    const struct grid *grid = &slide_of(space)->grid;
    const struct board *goal = &slide_of(space)->goal;
    struct board board;
    slide_board(space, start, &board);
    const enum board_reach reach = board_reach(grid, &board, goal);
    if (grid->rows < 2 || grid->columns < 2)
        (void)snprintf(out, PZ_TEXT_MAX, "tiles in one row keep their order");
    else if (slide_permutation(space) != NULL)
        write_parity(grid, &board, goal, out);
    else
        (void)snprintf(out, PZ_TEXT_MAX, "%s", words[reach]);
}

/* Moves of one tile are a letter each, of several a word. */
#define SLIDE_PUZZLE(text_between)                                                                           \
    {                                                                                                        \
        .abi = PZ_SPACE_ABI, .name = "slide",                                                                \
        .summary = "the sliding puzzle on m rows and n columns, up to 42 cells", .example = "slide:3x4",     \
        .keys = slide_keys, .open = slide_open, .close = space_free, .parse = slide_parse,                   \
        .print = slide_print, .draw = slide_draw, .describe = slide_describe, .separator = (text_between),   \
        .root = goal_space_root, .goal = goal_space_goal, .is_goal = goal_space_is_goal,                     \
        .expand = slide_expand, .solvable = slide_solvable, .heuristic = slide_heuristic,                    \
        .canon = slide_canon, .canon_in = slide_canon_in, .canon_out = slide_canon_out,                      \
        .valid = slide_valid, .pieces = slide_pieces,                                                        \
    }

const struct pz_puzzle slide_puzzle = SLIDE_PUZZLE("");
static const struct pz_puzzle slide_multi_puzzle = SLIDE_PUZZLE(",");
