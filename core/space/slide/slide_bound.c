/* SPDX-License-Identifier: MIT */
#include "space/slide/slide_bound.h"

#include <stdlib.h>
#include <string.h>

enum { TILES = 64 };

static bool is_tile(unsigned value)
{
    return value != BOARD_BLANK && value < TILES;
}

/* Returns how far two places of a line are apart, of a closed one the shorter way. */
static unsigned along(int from, int to, int length, bool closed)
{
    const int way = abs(from - to);
    return (unsigned)(closed && length - way < way ? length - way : way);
}

void slide_bound_init(struct slide_bound *bound, const struct grid *grid, const struct board *goal)
{
    memset(bound, 0, sizeof *bound);
    memset(bound->distance, UINT8_MAX, sizeof bound->distance);
    bound->rows = grid->rows;
    bound->columns = grid->columns;
    bound->conflicts = !grid->wraps; /* tiles of a closed line pass each other the other way round */
    uint64_t seen = 0;
    for (unsigned home = 0; home < grid->cells; home++) {
        unsigned tile = goal->tile[home];
        if (!is_tile(tile))
            continue;
        bound->conflicts = bound->conflicts && tile <= GRID_CELLS_MAX && (seen >> tile & 1) == 0;
        seen |= (uint64_t)1 << tile;
        if (tile <= GRID_CELLS_MAX) {
            bound->home_row[tile] = (uint8_t)(home / grid->columns);
            bound->home_column[tile] = (uint8_t)(home % grid->columns);
        }
        for (unsigned cell = 0; cell < grid->cells; cell++) {
            const unsigned distance =
                along((int)(cell / grid->columns), (int)(home / grid->columns), grid->rows, grid->wraps) +
                along((int)(cell % grid->columns), (int)(home % grid->columns), grid->columns, grid->wraps);
            if (distance < bound->distance[tile][cell])
                bound->distance[tile][cell] = (uint8_t)distance;
        }
    }
}

/* Returns how many numbers must go so that the others ascend: all but a longest ascending subsequence. */
static unsigned out_of_order(const uint8_t *number, unsigned count)
{
    uint8_t longest[GRID_CELLS_MAX];
    unsigned best = 0;
    for (unsigned i = 0; i < count; i++) {
        longest[i] = 1;
        for (unsigned j = 0; j < i; j++)
            if (number[j] < number[i] && longest[j] >= longest[i])
                longest[i] = (uint8_t)(longest[j] + 1);
        if (longest[i] > best)
            best = longest[i];
    }
    return count - best;
}

static unsigned row_conflicts(const struct slide_bound *bound, const struct board *board, unsigned row)
{
    uint8_t home[GRID_CELLS_MAX];
    unsigned count = 0;
    for (unsigned column = 0; column < bound->columns; column++) {
        unsigned tile = board->tile[row * bound->columns + column];
        if (is_tile(tile) && bound->home_row[tile] == row)
            home[count++] = bound->home_column[tile];
    }
    return count < 2 ? 0 : out_of_order(home, count);
}

static unsigned column_conflicts(const struct slide_bound *bound, const struct board *board, unsigned column)
{
    uint8_t home[GRID_CELLS_MAX];
    unsigned count = 0;
    for (unsigned row = 0; row < bound->rows; row++) {
        unsigned tile = board->tile[row * bound->columns + column];
        if (is_tile(tile) && bound->home_column[tile] == column)
            home[count++] = bound->home_row[tile];
    }
    return count < 2 ? 0 : out_of_order(home, count);
}

unsigned slide_bound_value(const struct slide_bound *bound, const struct board *board)
{
    unsigned sum = 0;
    for (unsigned cell = 0; cell < board->cells; cell++)
        if (is_tile(board->tile[cell]))
            sum += bound->distance[board->tile[cell]][cell];
    if (!bound->conflicts)
        return sum;
    for (unsigned row = 0; row < bound->rows; row++)
        sum += 2 * row_conflicts(bound, board, row);
    for (unsigned column = 0; column < bound->columns; column++)
        sum += 2 * column_conflicts(bound, board, column);
    return sum;
}
