/* SPDX-License-Identifier: MIT */
#include "client/show/sliding.h"

#include "board/parity.h"
#include "puzzled/status.h"

#include <string.h>
#include <strings.h>

bool sliding_grid(const char *puzzle, struct grid *grid)
{
    struct pz_error ignored;
    const char *colon = strchr(puzzle, ':');
    if (colon != NULL &&
        ((size_t)(colon - puzzle) != strlen("slide") || strncasecmp(puzzle, "slide", 5) != 0))
        return false;
    return grid_parse(grid, colon == NULL ? puzzle : colon + 1, &ignored) == PZ_OK;
}

const char *sliding_way(char letter, enum direction *way)
{
    static const struct {
        const char *name;
        enum direction way;
        char letter;
    } ways[] = {{"up", DIRECTION_UP, 'U'},
                {"down", DIRECTION_DOWN, 'D'},
                {"left", DIRECTION_LEFT, 'L'},
                {"right", DIRECTION_RIGHT, 'R'}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i].letter != letter)
            continue;
        *way = ways[i].way;
        return ways[i].name;
    }
    return NULL;
}

/* Counts the pairs of tiles that are in another order than in the goal. */
static unsigned inversions(const struct board *start, const struct board *goal, unsigned cells)
{
    unsigned place[256] = {0};
    unsigned count = 0;
    for (unsigned cell = 0; cell < cells; cell++)
        place[goal->tile[cell]] = cell;
    for (unsigned i = 0; i < cells; i++)
        for (unsigned j = i + 1; j < cells; j++)
            count += start->tile[i] != BOARD_BLANK && start->tile[j] != BOARD_BLANK &&
                     place[start->tile[i]] > place[start->tile[j]];
    return count;
}

void sliding_explain(const char *puzzle, const char *start, const char *goal, struct text *out)
{
    struct grid grid;
    struct board from;
    struct board to;
    struct pz_error ignored;
    if (!sliding_grid(puzzle, &grid) || board_parse(&grid, start, &from, &ignored) != PZ_OK ||
        board_parse(&grid, goal, &to, &ignored) != PZ_OK)
        return;
    if (grid.rows < 2 || grid.columns < 2) {
        text_add(out, ": tiles in one row keep their order");
        return;
    }
    unsigned pairs = inversions(&from, &to, grid.cells);
    unsigned from_row = board_blank(&from) / grid.columns;
    unsigned to_row = board_blank(&to) / grid.columns;
    unsigned rows = from_row > to_row ? from_row - to_row : to_row - from_row;
    if (grid.columns % 2 == 1 && pairs % 2 == 1)
        text_format(out,
                    ": %u pair%s of tiles %s out of order, an odd number; with %u "
                    "columns every move keeps it odd, and the goal has 0",
                    pairs, pairs == 1 ? "" : "s", pairs == 1 ? "is" : "are", (unsigned)grid.columns);
    else if (grid.columns % 2 == 0 && (pairs + rows) % 2 == 1)
        text_format(out,
                    ": %u pair%s of tiles %s out of order, the blank is %u row%s from "
                    "its place: together an odd number, which every move keeps odd, and the goal has 0",
                    pairs, pairs == 1 ? "" : "s", pairs == 1 ? "is" : "are", rows, rows == 1 ? "" : "s");
}

/* splitmix64 (Steele, Lea and Flood 2014) */
static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Returns a uniformly random number below bound. */
static unsigned below(uint64_t *seed, unsigned bound)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t number = next_random(seed);
    while (number >= limit)
        number = next_random(seed);
    return (unsigned)(number % bound);
}

static void swap(struct board *board, unsigned a, unsigned b)
{
    uint8_t tile = board->tile[a];
    board->tile[a] = board->tile[b];
    board->tile[b] = tile;
}

/* Exchanges two tiles of an unreachable board, which maps these one to one onto the reachable ones. */
void sliding_random(const struct grid *grid, uint64_t *seed, struct board *board)
{
    struct board goal;
    board_default_goal(grid, &goal);
    *board = goal;
    for (unsigned cell = grid->cells - 1; cell > 0; cell--)
        swap(board, cell, below(seed, cell + 1));
    if (parity_solvable(grid, board, &goal))
        return;
    unsigned first = board->tile[0] == BOARD_BLANK ? 1 : 0;
    swap(board, first, board->tile[first + 1] == BOARD_BLANK ? first + 2 : first + 1);
}
