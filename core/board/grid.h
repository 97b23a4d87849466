/* SPDX-License-Identifier: MIT */
/*
 * The geometry of an m×n board: cells numbered row by row from 0, and which cells touch which.
 */
#ifndef BOARD_GRID_H
#define BOARD_GRID_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { GRID_CELLS_MAX = 42, GRID_NO_CELL = 0xFF };

/* The way the *blank* goes; the inverse of d is d ^ 1. */
enum direction { DIRECTION_UP, DIRECTION_DOWN, DIRECTION_LEFT, DIRECTION_RIGHT, DIRECTION_COUNT };

struct grid {
    uint8_t rows;
    uint8_t columns;
    uint8_t cells;                                      /* rows × columns, 2 … GRID_CELLS_MAX */
    bool wraps;                                         /* see grid_wrap */
    uint8_t neighbour[GRID_CELLS_MAX][DIRECTION_COUNT]; /* GRID_NO_CELL beyond the edge */
};

/* Refuses what is no board: fewer than 2 cells, more than GRID_CELLS_MAX, a side below 1. */
enum pz_status grid_init(struct grid *grid, long rows, long columns, struct pz_error *error);
/* Reads "3x4" (also 3X4, 3*4 and 3×4), with nothing before or after it. */
enum pz_status grid_parse(struct grid *grid, const char *text, struct pz_error *error);

/* Closes the rows and columns of three cells or more: a torus. Of two cells the ends touch already. */
void grid_wrap(struct grid *grid);
/* Returns true for a torus with a closed line of an odd number of cells: then cells have no two colours. */
bool grid_is_odd_torus(const struct grid *grid);

/* Returns how many rows and columns together lie between two cells: the Manhattan distance. */
unsigned grid_distance(const struct grid *grid, unsigned a, unsigned b);

char direction_letter(enum direction direction); /* 'U', 'D', 'L', 'R' */
static inline enum direction direction_inverse(enum direction direction)
{
    return (enum direction)(direction ^ 1u);
}

#endif
