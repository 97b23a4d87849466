/* SPDX-License-Identifier: MIT */
/*
 * A consistent lower bound of the moves between two sliding boards: Manhattan distance, plus two moves for
 * each tile that has to leave a line so that others of the line can pass (linear conflict: Hansson, Mayer,
 * Yung 1992).
 */
#ifndef SPACE_SLIDE_BOUND_H
#define SPACE_SLIDE_BOUND_H

#include "board/board.h"

struct slide_bound {
    uint8_t rows, columns;
    bool conflicts; /* every tile has one goal cell, so lines have an order */
    uint8_t home_row[GRID_CELLS_MAX + 1], home_column[GRID_CELLS_MAX + 1]; /* of each tile */
    uint8_t distance[64][GRID_CELLS_MAX]; /* tile, cell: to the nearest of the tile's goal cells */
};

/* The goal may have walls and equal tiles. A tile counts the way to the nearest of its goal cells; with equal
 * tiles no conflicts are counted. */
void slide_bound_init(struct slide_bound *bound, const struct grid *grid, const struct board *goal);
unsigned slide_bound_value(const struct slide_bound *bound, const struct board *board);

#endif
