/* SPDX-License-Identifier: MIT */
/*
 * Sliding puzzles with walls or equal tiles, or whose rows and columns are closed (a torus): *variants*. The
 * tiles get new numbers: equal tiles share one, and all walls share the next one. Inside, the plain machinery
 * works on a board without the moves into walls. The graph is part of the graph of the puzzle whose walls are
 * tiles, so lower bounds carry over.
 */
#include "space/slide/slide_machine.h"

#include "board/board.h"
#include "space/options.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 64 }; /* tile numbers in texts are below this */

struct variant {
    struct slide slide;     /* first: its boards hold codes, not the tiles of texts */
    uint8_t value[VALUES];  /* the tile of a code */
    uint8_t code[VALUES];   /* the code of a tile, 0 for none */
    uint8_t counts[VALUES]; /* how many tiles of a code */
    uint8_t wall_code;
    struct board goal; /* as in texts */
};

static const struct pz_puzzle variant_puzzle;
static const struct pz_puzzle multi_variant_puzzle;

static const struct variant *variant_of(const struct pz_space *space)
{
    return (const struct variant *)space;
}

/* ---- making one ---- */

static bool has_walls(const struct board *board)
{
    return memchr(board->tile, BOARD_WALL, board->cells) != NULL;
}

static bool has_equal_tiles(const struct board *board)
{
    uint64_t seen = 0;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        unsigned tile = board->tile[cell];
        if (tile != BOARD_WALL && (seen >> tile & 1) != 0)
            return true;
        seen |= tile != BOARD_WALL ? UINT64_C(1) << tile : 0;
    }
    return false;
}

static bool text_has_walls(const struct grid *grid, const char *text)
{
    struct board board;
    return text != NULL && board_parse_loose(grid, text, &board, NULL) == PZ_OK && has_walls(&board);
}

bool slide_is_variant(const struct grid *grid, const char *goal, const char *start)
{
    struct board board;
    if (grid->wraps)
        return true;
    if (goal != NULL)
        return board_parse_loose(grid, goal, &board, NULL) == PZ_OK &&
               (has_walls(&board) || has_equal_tiles(&board));
    return text_has_walls(grid, start);
}

/* Makes the default goal: the start's tiles in ascending row order around its walls, the blank last. */
static enum pz_status order_tiles(const struct board *start, struct board *goal, struct pz_error *error)
{
    if (has_equal_tiles(start))
        return pz_fail(error, PZ_BAD_REQUEST, "a board with equal tiles has no usual goal: give goal=");
    *goal = *start;
    unsigned last = 0;
    unsigned tile = 0;
    for (unsigned cell = 0; cell < goal->cells; cell++) {
        if (goal->tile[cell] == BOARD_WALL)
            continue;
        do
            tile++;
        while (tile < VALUES && memchr(start->tile, (int)tile, start->cells) == NULL);
        goal->tile[cell] = (uint8_t)tile;
        last = cell;
    }
    goal->tile[last] = BOARD_BLANK;
    return PZ_OK;
}

/* Numbers the tiles with codes in ascending order, and the walls after them. */
static void number_tiles(struct variant *variant)
{
    uint8_t next = 1;
    for (unsigned value = 1; value < VALUES; value++) {
        if (memchr(variant->goal.tile, (int)value, variant->goal.cells) == NULL)
            continue;
        variant->value[next] = (uint8_t)value;
        variant->code[value] = next++;
    }
    variant->wall_code = next;
    variant->value[next] = BOARD_WALL;
    for (unsigned cell = 0; cell < variant->goal.cells; cell++)
        if (variant->goal.tile[cell] != BOARD_WALL)
            variant->counts[variant->code[variant->goal.tile[cell]]]++;
}

static void encode_variant(const struct variant *variant, const struct board *board, struct board *coded)
{
    *coded = *board;
    for (unsigned cell = 0; cell < board->cells; cell++)
        coded->tile[cell] =
            board->tile[cell] == BOARD_WALL ? variant->wall_code : variant->code[board->tile[cell]];
}

static void cut_ways(const struct board *goal, struct grid *grid)
{
    for (unsigned cell = 0; cell < grid->cells; cell++) {
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            unsigned to = grid->neighbour[cell][d];
            if (to != GRID_NO_CELL && (goal->tile[to] == BOARD_WALL || goal->tile[cell] == BOARD_WALL))
                grid->neighbour[cell][d] = GRID_NO_CELL;
        }
    }
}

/* Reads or makes the goal. */
static enum pz_status find_variant_goal(const struct grid *grid, const char *goal, const char *start,
                                        struct board *out, struct pz_error *error)
{
    struct board board;
    if (goal == NULL && !text_has_walls(grid, start)) {
        board_default_goal(grid, out);
        return PZ_OK;
    }
    const enum pz_status status = board_parse_loose(grid, goal != NULL ? goal : start, &board, error);
    if (status == PZ_OK && goal == NULL)
        return order_tiles(&board, out, error);
    *out = board;
    return status;
}

/* Writes the name of the size: a torus has its usual goal without a word. */
static void write_size(const struct variant *variant, char size[PZ_SIZE_MAX])
{
    const struct grid *grid = &variant->slide.grid;
    char text[BOARD_TEXT_MAX];
    struct board usual;
    board_default_goal(grid, &usual);
    slide_size(grid->rows, grid->columns, variant->slide.multi, size);
    if (grid->wraps)
        (void)space_size_add(size, "wrap", "yes", NULL);
    if (grid->wraps && memcmp(usual.tile, variant->goal.tile, grid->cells) == 0)
        return;
    (void)board_format(grid, &variant->goal, text);
    (void)space_size_add(size, "goal", text, NULL);
}

enum pz_status slide_open_variant(const struct grid *grid, const char *goal, const char *start, bool multi,
                                  struct pz_space **out, struct pz_error *error)
{
    struct variant *variant = calloc(1, sizeof *variant);
    if (variant == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a sliding puzzle");
    const enum pz_status status = find_variant_goal(grid, goal, start, &variant->goal, error);
    if (status != PZ_OK) {
        free(variant);
        return status;
    }
    number_tiles(variant);
    variant->slide.grid = *grid;
    cut_ways(&variant->goal, &variant->slide.grid);
    encode_variant(variant, &variant->goal, &variant->slide.goal);
    variant->slide.multi = multi;
    variant->slide.value = variant->value;
    slide_finish(&variant->slide);
    variant->slide.ends.base.flags |= PZ_WEAK_BOUND;
    struct pz_space *space = &variant->slide.ends.base;
    space->puzzle = multi ? &multi_variant_puzzle : &variant_puzzle;
    write_size(variant, space->size);
    *out = space;
    return PZ_OK;
}

/* ---- texts ---- */

/* Reads a board. Fails unless its tiles and walls are those of the goal. */
static enum pz_status variant_parse(const struct pz_space *space, const char *text, void *state,
                                    struct pz_error *error)
{
    const struct variant *variant = variant_of(space);
    struct board board;
    struct board coded;
    uint8_t counts[VALUES] = {0};
    enum pz_status status = board_parse_loose(&variant->slide.grid, text, &board, error);
    if (status != PZ_OK)
        return status;
    for (unsigned cell = 0; cell < board.cells; cell++) {
        unsigned tile = board.tile[cell];
        bool is_wall = tile == BOARD_WALL;
        if (is_wall != (variant->goal.tile[cell] == BOARD_WALL))
            return pz_fail(error, PZ_BAD_BOARD, "cell %u: %s wall here, but %s in the goal", cell + 1,
                           is_wall ? "a" : "no", is_wall ? "none" : "one");
        if (is_wall)
            continue;
        if (tile != BOARD_BLANK && variant->code[tile] == 0)
            return pz_fail(error, PZ_BAD_BOARD, "tile %u at cell %u: the goal has none", tile, cell + 1);
        counts[variant->code[tile]]++;
    }
    for (unsigned code = 1; code < variant->wall_code; code++)
        if (counts[code] != variant->counts[code])
            return pz_fail(error, PZ_BAD_BOARD, "tile %u is there %u times, in the goal %u times",
                           variant->value[code], counts[code], variant->counts[code]);
    encode_variant(variant, &board, &coded);
    pack_board(&slide_of(space)->plan, &coded, state);
    return PZ_OK;
}

/* slide.c opens both kinds. */
#define VARIANT_PUZZLE(text_between)                                                                         \
    {                                                                                                        \
        .abi = PZ_SPACE_ABI, .name = "slide", .summary = "the sliding puzzle with walls or equal tiles",     \
        .example = "slide:3x3", .keys = slide_keys, .open = NULL, .close = space_free,                       \
        .parse = variant_parse, .print = slide_print, .draw = slide_draw, .describe = slide_describe,        \
        .separator = (text_between), .root = goal_space_root, .goal = goal_space_goal,                       \
        .is_goal = goal_space_is_goal, .expand = slide_expand, .solvable = slide_solvable,                   \
        .heuristic = slide_heuristic, .pieces = slide_pieces,                                                \
    }

static const struct pz_puzzle variant_puzzle = VARIANT_PUZZLE("");
static const struct pz_puzzle multi_variant_puzzle = VARIANT_PUZZLE(",");
