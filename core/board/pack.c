/* SPDX-License-Identifier: MIT */
#include "board/pack.h"

#include <assert.h>
#include <string.h>

enum { NIBBLES = 16, TWO_WORD_CELLS = 25 };

/* Places the bits above the nibble, by the plan in the header. */
static void place_high(struct pack_plan *plan, unsigned cell)
{
    struct pack_place *place = &plan->place[cell];
    if (plan->words == 1) {
        place->high_word = 0;
        place->high_shift = 0;
    } else if (plan->words == 2) {
        place->high_word = 1;
        place->high_shift = (uint8_t)(36 + cell);
    } else if (cell < 2 * NIBBLES) {
        place->high_word = 3;
        place->high_shift = (uint8_t)(2 * cell);
    } else {
        place->high_word = 2;
        place->high_shift = (uint8_t)(40 + 2 * (cell - 2 * NIBBLES));
    }
}

void pack_plan_init(struct pack_plan *plan, unsigned cells)
{
    assert(cells >= 2 && cells <= GRID_CELLS_MAX);
    memset(plan, 0, sizeof *plan);
    plan->cells = (uint8_t)cells;
    plan->words = cells <= NIBBLES ? 1 : cells <= TWO_WORD_CELLS ? 2 : 4;
    plan->high_bits = plan->words == 1 ? 0 : plan->words == 2 ? 1 : 2;
    for (unsigned cell = 0; cell < cells; cell++) {
        plan->place[cell].low_word = (uint8_t)(cell / NIBBLES);
        plan->place[cell].low_shift = (uint8_t)(cell % NIBBLES * 4);
        place_high(plan, cell);
    }
}

void pack_board(const struct pack_plan *plan, const struct board *board, uint64_t *state)
{
    assert(board->cells == plan->cells);
    memset(state, 0, plan->words * sizeof *state);
    for (unsigned cell = 0; cell < plan->cells; cell++)
        if (board->tile[cell] != BOARD_WALL)
            pack_toggle(plan, state, cell, board->tile[cell]);
}

void unpack_board(const struct pack_plan *plan, const uint64_t *state, struct board *board)
{
    memset(board, 0, sizeof *board);
    board->cells = plan->cells;
    for (unsigned cell = 0; cell < plan->cells; cell++)
        board->tile[cell] = (uint8_t)pack_get(plan, state, cell);
}
