/* SPDX-License-Identifier: MIT */
#include "board/parity.h"

#include <assert.h>
#include <string.h>

/* Returns the parity of the permutation that carries one board to the other: cells minus cycles. */
static unsigned permutation_parity(const struct board *start, const struct board *goal)
{
    uint8_t place[GRID_CELLS_MAX] = {0};
    for (unsigned cell = 0; cell < goal->cells; cell++)
        place[goal->tile[cell]] = (uint8_t)cell;
    uint64_t seen = 0;
    unsigned parity = 0;
    for (unsigned cell = 0; cell < start->cells; cell++) {
        for (unsigned at = cell; !(seen >> at & 1); at = place[start->tile[at]]) {
            seen |= (uint64_t)1 << at;
            parity ^= at != cell;
        }
    }
    return parity;
}

static unsigned blank_colour(const struct grid *grid, const struct board *board)
{
    unsigned blank = board_blank(board);
    return (blank / grid->columns + blank % grid->columns) & 1u;
}

/* Returns true if the tiles have the same order on both boards. In one row or column no move changes it. */
static bool same_order(const struct board *start, const struct board *goal)
{
    unsigned j = 0;
    for (unsigned i = 0; i < start->cells; i++) {
        if (start->tile[i] == BOARD_BLANK)
            continue;
        if (goal->tile[j] == BOARD_BLANK)
            j++;
        if (start->tile[i] != goal->tile[j++])
            return false;
    }
    return true;
}

bool parity_solvable(const struct grid *grid, const struct board *start, const struct board *goal)
{
    assert(start->cells == grid->cells && goal->cells == grid->cells);
    if (grid->rows == 1 || grid->columns == 1)
        return same_order(start, goal);
    /* Every move is a transposition that changes the blank's colour. */
    return permutation_parity(start, goal) == (blank_colour(grid, start) ^ blank_colour(grid, goal));
}
