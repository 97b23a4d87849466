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

#endif
