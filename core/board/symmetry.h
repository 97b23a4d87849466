/* SPDX-License-Identifier: MIT */
/*
 * Reflections and relabellings of sliding boards: which questions are the same question.
 *
 * A view carries boards of one grid to boards of the canonical grid (rows <= columns). A given goal becomes
 * the ordered board with its blank in the representative cell: the greatest cell number that the symmetries
 * of the canonical grid can bring it to. Moves commute with a view, hence distances are kept.
 */
#ifndef BOARD_SYMMETRY_H
#define BOARD_SYMMETRY_H

#include "board/board.h"

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
