/* SPDX-License-Identifier: MIT */
/*
 * Boards packed into 64, 128 or 256 bits by a fixed plan:
 *
 *   up to 16 cells   one word, a nibble a cell
 *   up to 25 cells   two words: nibbles (16 + 9), then bit 4 of every cell from bit 36 of word 1 on
 *   up to 42 cells   four words: nibbles (16 + 16 + 10), then bits 4–5 of cells 32–41 from bit 40 of word 2
 *                    on, and of cells 0–31 in word 3
 *
 * No nibble and no pair of upper bits lies across the border of a word. A move toggles two cells
 * (pack_toggle). Unused bits are 0. Words are native uint64_t.
 */
#ifndef BOARD_PACK_H
#define BOARD_PACK_H

#include "board/board.h"

#include <stdbool.h>

enum { PACK_WORDS_MAX = 4 };

/* The place of one cell: low nibble in word low_word, the rest (0, 1 or 2 bits) in word high_word. */
struct pack_place {
    uint8_t low_word, low_shift;
    uint8_t high_word, high_shift;
};

struct pack_plan {
    uint8_t words;     /* 1, 2 or 4 */
    uint8_t high_bits; /* 0, 1 or 2 */
    uint8_t cells;
    struct pack_place place[GRID_CELLS_MAX];
};

/* Every cell count from 2 to GRID_CELLS_MAX has a plan. */
void pack_plan_init(struct pack_plan *plan, unsigned cells);
void pack_board(const struct pack_plan *plan, const struct board *board, uint64_t *state);
void unpack_board(const struct pack_plan *plan, const uint64_t *state, struct board *board);

static inline unsigned pack_get(const struct pack_plan *plan, const uint64_t *state, unsigned cell)
{
    struct pack_place p = plan->place[cell];
    unsigned low = (unsigned)(state[p.low_word] >> p.low_shift) & 15u;
    unsigned mask = (1u << plan->high_bits) - 1u;
    unsigned high = (unsigned)(state[p.high_word] >> p.high_shift) & mask;
    return low | high << 4;
}

/* Exclusive-ors a value into a cell: puts a tile where 0 was, and takes it away again. */
static inline void pack_toggle(const struct pack_plan *plan, uint64_t *state, unsigned cell, unsigned value)
{
    struct pack_place p = plan->place[cell];
    state[p.low_word] ^= (uint64_t)(value & 15u) << p.low_shift;
    state[p.high_word] ^= (uint64_t)(value >> 4) << p.high_shift;
}

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
