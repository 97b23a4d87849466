/* SPDX-License-Identifier: MIT */
#include "board/grid.h"

#include <stdlib.h>
#include <string.h>

static uint8_t neighbour_cell(long rows, long columns, long row, long column)
{
    if (row < 0 || row >= rows || column < 0 || column >= columns)
        return GRID_NO_CELL;
    return (uint8_t)(row * columns + column);
}

enum pz_status grid_init(struct grid *grid, long rows, long columns, struct pz_error *error)
{
    if (rows < 1 || columns < 1)
        return pz_fail(error, PZ_BAD_PUZZLE, "%ldx%ld is no board: rows and columns are at least 1", rows,
                       columns);
    if (rows > GRID_CELLS_MAX || columns > GRID_CELLS_MAX || rows * columns > GRID_CELLS_MAX)
        return pz_fail(error, PZ_TOO_LARGE,
                       "%ldx%ld has more than %d cells, which is what 256 bits hold (6x7)", rows, columns,
                       GRID_CELLS_MAX);
    if (rows * columns < 2)
        return pz_fail(error, PZ_BAD_PUZZLE, "1x1 is no puzzle: a board has at least 2 cells");
    memset(grid, 0, sizeof *grid);
    grid->rows = (uint8_t)rows;
    grid->columns = (uint8_t)columns;
    grid->cells = (uint8_t)(rows * columns);
    for (long row = 0; row < rows; row++) {
        for (long column = 0; column < columns; column++) {
            uint8_t *neighbour = grid->neighbour[row * columns + column];
            neighbour[DIRECTION_UP] = neighbour_cell(rows, columns, row - 1, column);
            neighbour[DIRECTION_DOWN] = neighbour_cell(rows, columns, row + 1, column);
            neighbour[DIRECTION_LEFT] = neighbour_cell(rows, columns, row, column - 1);
            neighbour[DIRECTION_RIGHT] = neighbour_cell(rows, columns, row, column + 1);
        }
    }
    return PZ_OK;
}

/* Reads one side and returns the text after it; NULL if there is no number. */
static const char *parse_side(const char *text, long *side)
{
    const char *digits = *text == '-' ? text + 1 : text;
    if (*digits < '0' || *digits > '9')
        return NULL;
    char *end;
    *side = strtol(text, &end, 10); /* of a larger number the largest: too large as well */
    return end;
}

static const char *parse_times(const char *text)
{
    static const char times[] = "\xC3\x97"; /* U+00D7 in UTF-8 */
    if (*text == 'x' || *text == 'X' || *text == '*')
        return text + 1;
    size_t length = sizeof times - 1;
    return strncmp(text, times, length) == 0 ? text + length : NULL;
}

enum pz_status grid_parse(struct grid *grid, const char *text, struct pz_error *error)
{
    long rows = 0;
    long columns = 0;
    const char *rest = parse_side(text, &rows);
    if (rest != NULL)
        rest = parse_times(rest);
    if (rest != NULL)
        rest = parse_side(rest, &columns);
    if (rest == NULL || *rest != '\0')
        return pz_fail(error, PZ_BAD_PUZZLE, "'%.40s' is no size: rows x columns is written 3x4", text);
    return grid_init(grid, rows, columns, error);
}

void grid_wrap(struct grid *grid)
{
    grid->wraps = true;
    for (unsigned cell = 0; cell < grid->cells; cell++) {
        const unsigned row = cell / grid->columns;
        const unsigned column = cell % grid->columns;
        uint8_t *neighbour = grid->neighbour[cell];
        if (grid->rows > 2 && row == 0)
            neighbour[DIRECTION_UP] = (uint8_t)(cell + grid->cells - grid->columns);
        if (grid->rows > 2 && row == grid->rows - 1u)
            neighbour[DIRECTION_DOWN] = (uint8_t)column;
        if (grid->columns > 2 && column == 0)
            neighbour[DIRECTION_LEFT] = (uint8_t)(cell + grid->columns - 1);
        if (grid->columns > 2 && column == grid->columns - 1u)
            neighbour[DIRECTION_RIGHT] = (uint8_t)(cell + 1 - grid->columns);
    }
}

bool grid_is_odd_torus(const struct grid *grid)
{
    return grid->wraps &&
           ((grid->rows > 2 && grid->rows % 2 == 1) || (grid->columns > 2 && grid->columns % 2 == 1));
}

unsigned grid_distance(const struct grid *grid, unsigned a, unsigned b)
{
    const int rows = (int)(a / grid->columns) - (int)(b / grid->columns);
    const int columns = (int)(a % grid->columns) - (int)(b % grid->columns);
    return (unsigned)(abs(rows) + abs(columns));
}

char direction_letter(enum direction direction)
{
    return "UDLR"[direction];
}
