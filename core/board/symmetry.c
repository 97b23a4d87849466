/* SPDX-License-Identifier: MIT */
#include "board/symmetry.h"

#include <assert.h>
#include <string.h>

enum { FLIP_ROWS = 1, FLIP_COLUMNS = 2, TRANSPOSE = 4 };

/* Returns where a cell goes under the symmetry named by the bits; with TRANSPOSE the result lies in n×m. */
static unsigned symmetry_cell(const struct grid *grid, unsigned bits, unsigned cell)
{
    unsigned row = cell / grid->columns;
    unsigned column = cell % grid->columns;
    if (bits & FLIP_ROWS)
        row = grid->rows - 1u - row;
    if (bits & FLIP_COLUMNS)
        column = grid->columns - 1u - column;
    return bits & TRANSPOSE ? column * grid->rows + row : row * grid->columns + column;
}

unsigned symmetry_maps(const struct grid *grid, uint8_t maps[8][GRID_CELLS_MAX])
{
    unsigned count = grid->rows == grid->columns ? 8 : 4;
    for (unsigned bits = 0; bits < count; bits++)
        for (unsigned cell = 0; cell < grid->cells; cell++)
            maps[bits][cell] = (uint8_t)symmetry_cell(grid, bits, cell);
    return count;
}

/* Returns the first symmetry onto the canonical grid that gives the cell its greatest number. */
static unsigned best_symmetry(const struct grid *grid, unsigned cell)
{
    unsigned always = grid->rows > grid->columns ? TRANSPOSE : 0;
    unsigned count = grid->rows == grid->columns ? 8 : 4;
    unsigned best = always;
    for (unsigned bits = 0; bits < count; bits++)
        if (symmetry_cell(grid, bits | always, cell) > symmetry_cell(grid, best, cell))
            best = bits | always;
    return best;
}

void view_of_goal(const struct grid *grid, const struct board *goal, struct board_view *view)
{
    unsigned bits = best_symmetry(grid, board_blank(goal));
    memset(view, 0, sizeof *view);
    view->rows = bits & TRANSPOSE ? grid->columns : grid->rows;
    view->columns = bits & TRANSPOSE ? grid->rows : grid->columns;
    view->blank = (uint8_t)symmetry_cell(grid, bits, board_blank(goal));
    for (unsigned cell = 0; cell < grid->cells; cell++) {
        unsigned to = symmetry_cell(grid, bits, cell);
        assert(to < grid->cells);
        view->cell_to[cell] = (uint8_t)to;
        if (to != view->blank)
            view->tile_to[goal->tile[cell]] = (uint8_t)(to < view->blank ? to + 1 : to);
    }
    for (unsigned tile = 0; tile < grid->cells; tile++)
        view->tile_from[view->tile_to[tile]] = (uint8_t)tile;
    assert(view->rows <= view->columns && view->tile_to[BOARD_BLANK] == BOARD_BLANK);
}

void view_in(const struct board_view *view, const struct board *board, struct board *canonical)
{
    assert(board->cells == view->rows * view->columns);
    memset(canonical, 0, sizeof *canonical);
    canonical->cells = board->cells;
    for (unsigned cell = 0; cell < board->cells; cell++)
        canonical->tile[view->cell_to[cell]] = view->tile_to[board->tile[cell]];
}

void view_out(const struct board_view *view, const struct board *canonical, struct board *board)
{
    assert(canonical->cells == view->rows * view->columns);
    memset(board, 0, sizeof *board);
    board->cells = canonical->cells;
    for (unsigned cell = 0; cell < canonical->cells; cell++)
        board->tile[cell] = view->tile_from[canonical->tile[view->cell_to[cell]]];
}
