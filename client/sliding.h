/* SPDX-License-Identifier: MIT */
/* Sliding puzzles, the only ones whose rules puzzlectl knows. */
#ifndef SLIDING_H
#define SLIDING_H

#include "board/board.h"
#include "protocol/text.h"

#include <stdint.h>

/* The grid of "slide:3x3" or "3x3"; false for other puzzles. */
bool sliding_grid(const char *puzzle, struct grid *grid);
/* Appends why a board cannot be solved, ": …"; nothing where the reason is not one of parity. */
void sliding_explain(const char *puzzle, const char *start, const char *goal, struct text *out);
/* Makes a board that is drawn uniformly from those that the usual goal can be reached from. *seed moves on.
 */
void sliding_random(const struct grid *grid, uint64_t *seed, struct board *board);

#endif
