/* SPDX-License-Identifier: MIT */
/*
 * Numbers every solvable board of a plain sliding puzzle. The order is simple on purpose: other programs read
 * files by it.
 *
 * Boards are ordered by the cell of the blank, cells in row order. For one cell they are ordered
 * lexicographically by the sequence of the tiles in row order, without the blank. Of two sequences that
 * differ only in their last two tiles exactly one can be solved, so a board's number is
 *
 *     cell × T!/2 + ⌊lexicographic rank of the sequence / 2⌋,  T = cells − 1
 */
#ifndef BOARD_RANKING_H
#define BOARD_RANKING_H

#include "board/board.h"

#include <stdbool.h>

enum { RANKING_CELLS_MAX = 12 };

/* Returns the number of solvable boards for one cell of the blank, T!/2; 0 where this order does not hold:
 * fewer than two rows or columns, more than RANKING_CELLS_MAX cells. */
uint64_t ranking_row(const struct grid *grid);
/* Finds the board with a number, of those from which goal can be reached; number < cells × ranking_row. */
void ranking_board(const struct grid *grid, const struct board *goal, uint64_t number, struct board *board);

/* Goes through the boards in their order: a step takes a few nanoseconds. */
struct ranking_cursor {
    struct board board; /* the one at the cursor */
    const struct grid *grid;
    struct board goal;
    uint64_t number;                 /* of the board */
    uint64_t left;                   /* boards after it with the blank in its cell */
    uint8_t cell[RANKING_CELLS_MAX]; /* all cells but the blank's, in row order */
    bool exchanged;                  /* the board's sequence is the second one of its two */
};

/* Sets the cursor to a number < cells × ranking_row. The grid must outlive the cursor. */
void ranking_begin(struct ranking_cursor *cursor, const struct grid *grid, const struct board *goal,
                   uint64_t number);
/* Goes to the next board; from the last one to nowhere: the board is then of no use. */
void ranking_next(struct ranking_cursor *cursor);

#endif
