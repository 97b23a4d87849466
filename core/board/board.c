/* SPDX-License-Identifier: MIT */
#include "board/board.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LOOSE_TILE_MAX = 63 };

void board_ordered(const struct grid *grid, unsigned blank, struct board *board)
{
    assert(blank < grid->cells);
    memset(board, 0, sizeof *board);
    board->cells = grid->cells;
    uint8_t next = 1;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        board->tile[cell] = cell == blank ? BOARD_BLANK : next++;
}

void board_default_goal(const struct grid *grid, struct board *board)
{
    board_ordered(grid, grid->cells - 1u, board);
}

/* ---- reading ---- */

/* A reader's state. It counts cells beyond the grid's, so that the error can say how many there are. */
struct board_reading {
    const struct grid *grid;
    struct board *board;
    unsigned cells;
    unsigned row_cells;              /* since the last row mark */
    unsigned depth;                  /* of open brackets */
    unsigned rows;                   /* ended by a mark so far */
    unsigned bad_row, bad_row_cells; /* the first of a wrong length, from 1; 0 for none */
};

static bool is_blank_sign(char c)
{
    return c == 'x' || c == 'X' || c == '_' || c == '.';
}

static void reading_add(struct board_reading *reading, unsigned tile)
{
    if (reading->cells < reading->grid->cells)
        reading->board->tile[reading->cells] = (uint8_t)tile;
    reading->cells++;
    reading->row_cells++;
}

/* Ends a row. A wrong length is noted and reported later: a wrong number of cells says more. */
static void reading_end_row(struct board_reading *reading)
{
    reading->rows++;
    if (reading->row_cells != reading->grid->columns && reading->bad_row == 0) {
        reading->bad_row = reading->rows;
        reading->bad_row_cells = reading->row_cells;
    }
    reading->row_cells = 0;
}

/* Returns the tile that a single character stands for: a digit, or a letter as in hexadecimal numbers (A is
 * 10) where the board has so many cells. -1 for others. */
static int digit_value(const struct grid *grid, char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const int letter = (c | 0x20) - 'a' + 10;
    return letter >= 10 && letter < grid->cells && !is_blank_sign(c) ? letter : -1;
}

/* Returns true if the cells are single characters without commas ("867254301", "1234x5678", "123/450",
 * "FE169B4C0A73D852"). */
static bool is_compact(const struct grid *grid, const char *text)
{
    unsigned cells = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at != '/' && *at != '#' && !is_blank_sign(*at) && digit_value(grid, *at) < 0)
            return false;
        cells += *at != '/';
    }
    return cells == grid->cells;
}

/* Returns how many bytes of a word that is no tile are quoted: up to the next separator, and 40 at most. */
static int board_word_length(const char *word)
{
    size_t length = strcspn(word, " ,:;/[]\t\n");
    if (length > 40)
        for (length = 40;
             length > 0 && ((unsigned char)word[length] & 0xC0) == 0x80;) /* no half of a character */
            length--;
    return (int)length;
}

/* Reads one cell at *text and steps over it. */
static enum pz_status read_cell(struct board_reading *reading, const char **text, bool compact,
                                struct pz_error *error)
{
    const char *at = *text;
    const bool is_sign = is_blank_sign(*at) || *at == '#';
    if (is_sign || compact) {
        const int tile = is_sign ? *at == '#' ? BOARD_WALL : BOARD_BLANK : digit_value(reading->grid, *at);
        assert(tile >= 0);
        reading_add(reading, (unsigned)tile);
        *text = at + 1;
        return PZ_OK;
    }
    unsigned tile = 0;
    const char *end = at;
    while (*end >= '0' && *end <= '9') {
        tile = tile * 10 + (unsigned)(*end - '0');
        if (tile > LOOSE_TILE_MAX)
            return pz_fail(error, PZ_BAD_BOARD,
                           "tile '%.*s' at cell %u is above %d: commas or blanks stand between tiles",
                           board_word_length(at), at, reading->cells + 1, LOOSE_TILE_MAX);
        end++;
    }
    if (end == at)
        return pz_fail(error, PZ_BAD_BOARD,
                       "'%.*s' at cell %u is no tile: tiles are numbers, the blank is 0, x, _ or .",
                       board_word_length(at), at, reading->cells + 1);
    reading_add(reading, tile);
    *text = end;
    return PZ_OK;
}

/* Reads a bracket. Inner pairs hold a row, the outermost pair holds the board. */
static enum pz_status read_bracket(struct board_reading *reading, char bracket, struct pz_error *error)
{
    if (bracket == '[') {
        if (reading->depth == 2 || (reading->depth == 0 && reading->cells > 0))
            return pz_fail(error, PZ_BAD_BOARD, "a '[' too many before cell %u", reading->cells + 1);
        reading->depth++;
        return PZ_OK;
    }
    if (reading->depth == 0)
        return pz_fail(error, PZ_BAD_BOARD, "a ']' too many after cell %u", reading->cells);
    if (reading->depth-- == 2)
        reading_end_row(reading);
    return PZ_OK;
}

/* Steps over separators. A row mark ends the row before it. */
static enum pz_status read_between(struct board_reading *reading, const char **text, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (; **text != '\0' && status == PZ_OK; (*text)++) {
        char c = **text;
        if (c == '/' || c == ';' || c == '\n')
            reading_end_row(reading);
        else if (c == '[' || c == ']')
            status = read_bracket(reading, c, error);
        else if (c != ' ' && c != ',' && c != ':' && c != '\t')
            break;
    }
    return status;
}

static enum pz_status board_read_cells(struct board_reading *reading, const char *text,
                                       struct pz_error *error)
{
    const struct grid *grid = reading->grid;
    bool compact = is_compact(grid, text);
    size_t digits = strspn(text, "0123456789");
    digits = text[digits] == '\0' ? digits : 0; /* of nothing else */
    enum pz_status status = read_between(reading, &text, error);
    while (*text != '\0' && status == PZ_OK) {
        status = read_cell(reading, &text, compact, error);
        if (status == PZ_OK)
            status = read_between(reading, &text, error);
    }
    if (status != PZ_OK && digits > 0 && digits != grid->cells)
        return pz_fail(error, PZ_BAD_BOARD, "%zu cells given without anything between them, %ux%u needs %u",
                       digits, grid->rows, grid->columns, grid->cells);
    if (status != PZ_OK)
        return status;
    if (reading->cells != grid->cells)
        return pz_fail(error, PZ_BAD_BOARD, "%u cell%s given, %ux%u needs %u", reading->cells,
                       reading->cells == 1 ? "" : "s", grid->rows, grid->columns, grid->cells);
    if (reading->depth > 0)
        return pz_fail(error, PZ_BAD_BOARD, "a bracket is left open");
    if (reading->rows > 0 && reading->row_cells > 0)
        reading_end_row(reading);
    if (reading->bad_row > 0)
        return pz_fail(error, PZ_BAD_BOARD, "row %u has %u cells, %ux%u has rows of %u", reading->bad_row - 1,
                       reading->bad_row_cells, grid->rows, grid->columns, grid->columns);
    return PZ_OK;
}

enum pz_status board_parse_loose(const struct grid *grid, const char *text, struct board *board,
                                 struct pz_error *error)
{
    memset(board, 0, sizeof *board);
    board->cells = grid->cells;
    struct board_reading reading = {.grid = grid, .board = board};
    enum pz_status status = board_read_cells(&reading, text, error);
    if (status != PZ_OK)
        return status;
    unsigned blanks = 0;
    for (unsigned cell = 0; cell < board->cells; cell++)
        blanks += board->tile[cell] == BOARD_BLANK;
    if (blanks != 1)
        return pz_fail(error, PZ_BAD_BOARD, "%u blanks given, a board has exactly one", blanks);
    return PZ_OK;
}

enum pz_status board_parse(const struct grid *grid, const char *text, struct board *board,
                           struct pz_error *error)
{
    enum pz_status status = board_parse_loose(grid, text, board, error);
    uint64_t seen = 0;
    for (unsigned cell = 0; cell < board->cells && status == PZ_OK; cell++) {
        unsigned tile = board->tile[cell];
        if (tile == BOARD_WALL)
            return pz_fail(error, PZ_BAD_BOARD, "a wall at cell %u: this puzzle has none", cell + 1);
        if (tile >= board->cells)
            return pz_fail(error, PZ_BAD_BOARD, "tile %u at cell %u: %ux%u has the tiles 1 to %u", tile,
                           cell + 1, grid->rows, grid->columns, board->cells - 1u);
        if (seen >> tile & 1)
            return pz_fail(error, PZ_BAD_BOARD, "tile %u appears twice", tile);
        seen |= (uint64_t)1 << tile;
    }
    return status;
}

/* ---- writing ---- */

size_t board_format(const struct grid *grid, const struct board *board, char out[BOARD_TEXT_MAX])
{
    assert(board->cells == grid->cells);
    size_t length = 0;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        if (cell > 0)
            out[length++] = cell % grid->columns == 0 ? '/' : ',';
        unsigned tile = board->tile[cell];
        if (tile == BOARD_WALL) {
            out[length++] = '#';
            continue;
        }
        if (tile >= 10)
            out[length++] = (char)('0' + tile / 10);
        out[length++] = (char)('0' + tile % 10);
    }
    assert(length < BOARD_TEXT_MAX);
    out[length] = '\0';
    return length;
}

size_t board_draw(const struct grid *grid, const struct board *board, char *out, size_t out_size)
{
    assert(board->cells == grid->cells && out != NULL && out_size > 0);
    size_t length = 0;
    int width = board->cells > 10 ? 3 : 2;
    for (unsigned cell = 0; cell < board->cells && length + 8 < out_size; cell++) {
        unsigned tile = board->tile[cell];
        char *at = out + length;
        if (tile == BOARD_BLANK || tile == BOARD_WALL)
            length += (size_t)snprintf(at, 8, "%*s", width, tile == BOARD_WALL ? "#" : ".");
        else
            length += (size_t)snprintf(at, 8, "%*u", width, tile);
        if ((cell + 1u) % grid->columns == 0)
            out[length++] = '\n';
    }
    out[length] = '\0';
    return length;
}

/* ---- the rest ---- */

unsigned board_blank(const struct board *board)
{
    for (unsigned cell = 0; cell < board->cells; cell++)
        if (board->tile[cell] == BOARD_BLANK)
            return cell;
    return GRID_NO_CELL;
}

bool board_move(const struct grid *grid, struct board *board, enum direction direction)
{
    assert(board->cells == grid->cells);
    unsigned blank = board_blank(board);
    assert(blank < grid->cells && direction < DIRECTION_COUNT);
    unsigned to = grid->neighbour[blank][direction];
    if (to == GRID_NO_CELL || board->tile[to] == BOARD_WALL)
        return false;
    board->tile[blank] = board->tile[to];
    board->tile[to] = BOARD_BLANK;
    return true;
}

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
    assert(goal->cells == grid->cells);
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
