/* SPDX-License-Identifier: MIT */
#include "board/pack.h"

#include "board/board.h"

#include <assert.h>
#include <string.h>

enum { NIBBLES = 16, TWO_WORD_CELLS = 25 };

/* Places the bits above the nibble, by the plan in the header. */
static void place_high(struct pack_plan *plan, unsigned cell)
{
    struct pack_place *place = &plan->place[cell];
    if (plan->words == 1)
        return; /* there are none */
    if (plan->words == 2) {
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
static void ranking_unrank(uint64_t rank, unsigned count, uint8_t *tiles)
{
    uint8_t left[RANKING_CELLS_MAX];
    uint64_t span = 1;
    for (unsigned i = 0; i < count; i++)
        left[i] = (uint8_t)(i + 1);
    for (unsigned i = 2; i < count; i++)
        span *= i;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit = (unsigned)(rank / span);
        assert(digit < count - i);
        rank %= span;
        tiles[i] = left[digit];
        for (unsigned k = digit; k + 1 < count - i; k++)
            left[k] = left[k + 1];
        span /= count - i > 1 ? count - i - 1 : 1;
    }
}

void ranking_board(const struct grid *grid, const struct board *goal, uint64_t number, struct board *board)
{
    assert(number < grid->cells * ranking_row(grid) && goal->cells == grid->cells);
    const uint64_t row = ranking_row(grid);
    uint8_t tiles[RANKING_CELLS_MAX] = {0};
    if (row == 0)
        return;
    assert(number < row * grid->cells);
    const unsigned blank = (unsigned)(number / row);
    ranking_unrank(number % row * 2, grid->cells - 1u, tiles);
    board->cells = grid->cells;
    board->tile[blank] = BOARD_BLANK;
    for (unsigned cell = 0, next = 0; cell < grid->cells; cell++)
        if (cell != blank)
            board->tile[cell] = tiles[next++];
    if (board_reach(grid, board, goal) == BOARD_REACHED)
        return;
    unsigned last = blank == grid->cells - 1u ? grid->cells - 2u : grid->cells - 1u;
    unsigned before = blank == last - 1 ? last - 2 : last - 1;
    uint8_t tile = board->tile[last];
    board->tile[last] = board->tile[before];
    board->tile[before] = tile;
}

/* ---- one after the other ---- */

static void exchange_cells(struct ranking_cursor *cursor, unsigned one, unsigned other)
{
    uint8_t *tile = cursor->board.tile;
    uint8_t kept = tile[cursor->cell[one]];
    tile[cursor->cell[one]] = tile[cursor->cell[other]];
    tile[cursor->cell[other]] = kept;
}

static inline uint8_t tile_at(const struct ranking_cursor *cursor, unsigned index)
{
    return cursor->board.tile[cursor->cell[index]];
}

void ranking_begin(struct ranking_cursor *cursor, const struct grid *grid, const struct board *goal,
                   uint64_t number)
{
    const uint64_t row = ranking_row(grid);
    *cursor = (struct ranking_cursor){.grid = grid, .goal = *goal, .number = number};
    if (row == 0 || number >= row * grid->cells)
        return;
    ranking_board(grid, goal, number, &cursor->board);
    cursor->left = row - 1 - number % row;
    for (unsigned cell = 0, next = 0; cell < grid->cells; cell++)
        if (cell != number / row)
            cursor->cell[next++] = (uint8_t)cell;
    cursor->exchanged = tile_at(cursor, grid->cells - 3u) > tile_at(cursor, grid->cells - 2u);
}

/*
 * The two sequences of a number are neighbours in the order, and the next number's first one follows the
 * second. To get there the tile before the longest descent changes places with the next greater one behind
 * it, and what follows is turned round. Parity shows which of the next two is wanted: the exchange between
 * two of a number, and that of the step, undo each other, so only the exchanges of the turning count.
 */
void ranking_next(struct ranking_cursor *cursor)
{
    const unsigned last = cursor->grid->cells - 2u;
    if (cursor->left == 0) {
        ranking_begin(cursor, cursor->grid, &cursor->goal, cursor->number + 1);
        return;
    }
    cursor->left--;
    cursor->number++;
    if (!cursor->exchanged)
        exchange_cells(cursor, last - 1, last);
    unsigned step = last - 2;
    while (tile_at(cursor, step) > tile_at(cursor, step + 1)) {
        assert(step > 0); /* or it was the last sequence, and left was 0 */
        step--;
    }
    unsigned greater = last;
    while (tile_at(cursor, greater) < tile_at(cursor, step))
        greater--;
    exchange_cells(cursor, step, greater);
    for (unsigned low = step + 1, high = last; low < high; low++, high--)
        exchange_cells(cursor, low, high);
    cursor->exchanged ^= (last - step) / 2 % 2 == 1;
    if (cursor->exchanged)
        exchange_cells(cursor, last - 1, last);
}
