/* SPDX-License-Identifier: MIT */
/* Sliding puzzles, the only ones whose rules puzzlectl knows. */
#ifndef SLIDING_H
#define SLIDING_H

#include "board/board.h"

#include <stdint.h>

/* Gives the grid of "slide:3x3" or "3x3"; returns false for other puzzles. */
bool sliding_grid(const char *puzzle, struct grid *grid);
/* Gives the grid also of "3x3,metric:multi", whose boards are the same. */
bool sliding_tiles(const char *puzzle, struct grid *grid);
/* Gives the grid if sliding_random has boards of the puzzle: not of a single row or column. */
bool sliding_shuffles(const char *puzzle, struct grid *grid);
/* Finds the direction of a path's letter. Returns its name; NULL for another letter. */
const char *sliding_direction(char letter, enum direction *direction);
/* Returns a seed for random boards: the microseconds since 1970. */
uint64_t sliding_seed(void);
/* Draws a board uniformly from those that can reach a goal, NULL for the usual one. Advances *seed. */
void sliding_random(const struct grid *grid, uint64_t *seed, const struct board *goal, struct board *board);

/* Returns a uniformly random number below bound. Advances *seed. */
unsigned sliding_below(uint64_t *seed, unsigned bound);

#endif
