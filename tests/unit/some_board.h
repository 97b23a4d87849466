/* SPDX-License-Identifier: MIT */
/* Grids, and random boards on them. */
#ifndef TESTS_SOME_BOARD_H
#define TESTS_SOME_BOARD_H

#include "test_support.h"

#include "base/random.h"
#include "board/board.h"

static inline struct grid grid_of(long rows, long columns)
{
    struct grid grid;
    struct pz_error error;
    assert_ok(grid_init(&grid, rows, columns, &error), error);
    return grid;
}

/* A random permutation board, solvable or not. */
static inline void shuffle(struct random *random, const struct grid *grid, struct board *board)
{
    board_default_goal(grid, board);
    for (unsigned i = grid->cells - 1u; i > 0; i--) {
        unsigned j = (unsigned)random_below(random, i + 1u);
        uint8_t tile = board->tile[i];
        board->tile[i] = board->tile[j];
        board->tile[j] = tile;
    }
}

#endif
