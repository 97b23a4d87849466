/* SPDX-License-Identifier: MIT */
/*
 * One position of a sliding puzzle, a tile number in each cell, 0 for the blank, and its text forms.
 */
#ifndef BOARD_BOARD_H
#define BOARD_BOARD_H

#include "board/grid.h"

#include <stddef.h>

enum {
    BOARD_BLANK = 0,
    BOARD_WALL = 0xFF,   /* a cell that nothing enters; never in a packed state */
    BOARD_TEXT_MAX = 192 /* the longest canonical text, with its NUL */
};

struct board {
    uint8_t cells; /* how many of tile[] are used */
    uint8_t tile[GRID_CELLS_MAX];
};

/* Makes the board 1 … cells−1 in row order, the blank last. */
void board_default_goal(const struct grid *grid, struct board *board);
/* Makes the board with the tiles 1 … in row order and the blank in the given cell. */
void board_ordered(const struct grid *grid, unsigned blank, struct board *board);

/*
 * Reads a board in any accepted form: 8,6,7/2,5,4/3,0,1 · 8 6 7 2 5 4 3 0 1 · 867254301 (A is 10) ·
 * [[8,6,7],[2,5,4],[3,0,1]] · with x, _ or . for the blank and # for a wall; colons will do for commas. Where
 * rows are marked, they must have the grid's length. board_parse demands a permutation of 0 … cells−1 without
 * walls; board_parse_loose takes tile numbers up to 63, repeated ones and walls too, with exactly one blank.
 */
enum pz_status board_parse(const struct grid *grid, const char *text, struct board *board,
                           struct pz_error *error);
enum pz_status board_parse_loose(const struct grid *grid, const char *text, struct board *board,
                                 struct pz_error *error);

/* Writes the canonical text; returns its length. */
size_t board_format(const struct grid *grid, const struct board *board, char out[BOARD_TEXT_MAX]);
/* Draws the board in lines for a terminal; returns the length. An out_size of 4096 always suffices. */
size_t board_draw(const struct grid *grid, const struct board *board, char *out, size_t out_size);

/* Returns the cell of the blank, GRID_NO_CELL when there is none. */
unsigned board_blank(const struct board *board);
/* Moves the blank. Returns false, and does nothing, when the edge or a wall bars the way. */
bool board_move(const struct grid *grid, struct board *board, enum direction direction);

/* Says if moves lead from one board to another, or what bars the way: without a search, for any cells
 * (reach.c). */
enum board_reach {
    BOARD_REACHED,
    BOARD_PARTED, /* a tile or the blank is in a part that it cannot leave, and has its place elsewhere */
    BOARD_RINGED, /* tiles in a ring, which only go round, have another order */
    BOARD_ODD     /* tiles have an odd order (Johnson and Story 1879) */
};
/* The boards have the same tiles, equal ones too; no way of the grid leads into a wall. */
enum board_reach board_reach(const struct grid *grid, const struct board *start, const struct board *goal);

/*
 * Reflections and relabellings of sliding boards: which questions are the same question.
 *
 * A view carries boards of one grid to boards of the canonical grid (rows <= columns). A given goal becomes
 * the ordered board with its blank in the representative cell: the greatest cell number that the symmetries
 * of the canonical grid can bring it to. Moves commute with a view, hence distances are kept.
 */

struct board_view {
    uint8_t rows, columns;             /* of the canonical grid */
    uint8_t blank;                     /* the representative cell */
    uint8_t cell_to[GRID_CELLS_MAX];   /* cell here → cell there */
    uint8_t tile_to[GRID_CELLS_MAX];   /* tile here → tile there, 0 → 0 */
    uint8_t tile_from[GRID_CELLS_MAX]; /* tile there → tile here */
};

/* Finds the view in which goal (a permutation) becomes board_ordered(canonical grid, representative). */
void view_of_goal(const struct grid *grid, const struct board *goal, struct board_view *view);
void view_in(const struct board_view *view, const struct board *board, struct board *canonical);
void view_out(const struct board_view *view, const struct board *canonical, struct board *board);

/* Finds all symmetries that keep the grid, each as a map cell → cell, the identity first. Returns their
 * number: 4, or 8 for a square. */
unsigned symmetry_maps(const struct grid *grid, uint8_t maps[8][GRID_CELLS_MAX]);

#endif
