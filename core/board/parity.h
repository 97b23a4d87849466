/* SPDX-License-Identifier: MIT */
/* Decides without a search if one sliding-puzzle board can be reached from another. */
#ifndef BOARD_PARITY_H
#define BOARD_PARITY_H

#include "board/board.h"

/*
 * Returns true if the goal can be reached from the start. Exact for every m×n and every pair of permutation
 * boards. With two rows and two columns or more, the moves reach exactly the even permutations once the
 * blank's walk is accounted for (Johnson and Story 1879); with one row or column, the order of the tiles
 * without the blank never changes.
 */
bool parity_solvable(const struct grid *grid, const struct board *start, const struct board *goal);

#endif
