/* SPDX-License-Identifier: MIT */
/* Random boards, each equally likely. */
#ifndef BENCH_RANDOM_BOARD_H
#define BENCH_RANDOM_BOARD_H

#include "base/random.h"
#include "board/board.h"

/* Makes a board from which the goal can be reached. */
static inline void random_board(const struct grid *grid, const struct board *goal, struct random *random,
                                struct board *board)
{
    *board = *goal;
    do {
        for (unsigned cell = grid->cells; cell > 1; cell--) {
            const unsigned other = (unsigned)(random_next(random) % cell);
            const uint8_t tile = board->tile[cell - 1];
            board->tile[cell - 1] = board->tile[other];
            board->tile[other] = tile;
        }
    } while (board_reach(grid, board, goal) != BOARD_REACHED);
}

#endif
