/* SPDX-License-Identifier: MIT */
#include "board/ranking.h"

#include "board/parity.h"

uint64_t ranking_row(const struct grid *grid)
{
    uint64_t row = 1;
    if (grid->rows < 2 || grid->columns < 2 || grid->cells > RANKING_CELLS_MAX)
        return 0;
    for (unsigned tiles = 3; tiles < grid->cells; tiles++)
        row *= tiles;
    return row;
}

/* Writes the sequence of tiles 1 … count with an even lexicographic rank. */
static void unrank(uint64_t rank, unsigned count, uint8_t *tiles)
{
    uint8_t left[RANKING_CELLS_MAX];
    uint64_t span = 1;
    for (unsigned i = 0; i < count; i++)
        left[i] = (uint8_t)(i + 1);
    for (unsigned i = 2; i < count; i++)
        span *= i;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit = (unsigned)(rank / span);
        rank %= span;
        tiles[i] = left[digit];
        for (unsigned k = digit; k + 1 < count - i; k++)
            left[k] = left[k + 1];
        span /= count - i > 1 ? count - i - 1 : 1;
    }
}

void ranking_board(const struct grid *grid, const struct board *goal, uint64_t number, struct board *board)
{
    const uint64_t row = ranking_row(grid);
    uint8_t tiles[RANKING_CELLS_MAX] = {0};
    if (row == 0)
        return;
    const unsigned blank = (unsigned)(number / row);
    unrank(number % row * 2, grid->cells - 1u, tiles);
    board->cells = grid->cells;
    board->tile[blank] = BOARD_BLANK;
    for (unsigned cell = 0, next = 0; cell < grid->cells; cell++)
        if (cell != blank)
            board->tile[cell] = tiles[next++];
    if (parity_solvable(grid, board, goal))
        return;
    unsigned last = blank == grid->cells - 1u ? grid->cells - 2u : grid->cells - 1u;
    unsigned before = blank == last - 1 ? last - 2 : last - 1;
    uint8_t tile = board->tile[last];
    board->tile[last] = board->tile[before];
    board->tile[before] = tile;
}
