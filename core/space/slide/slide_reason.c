/* SPDX-License-Identifier: MIT */
/* Why a board of a sliding puzzle has no solution: the parity of its tiles, or one row. */
#include "space/slide/slide.h"

#include <stdio.h>

/* Counts the pairs of tiles that are in another order than in the goal. */
static unsigned misplaced_pairs(const struct board *start, const struct board *goal)
{
    unsigned place[256] = {0};
    unsigned count = 0;
    for (unsigned cell = 0; cell < goal->cells; cell++)
        place[goal->tile[cell]] = cell;
    for (unsigned i = 0; i < start->cells; i++)
        for (unsigned j = i + 1; j < start->cells; j++)
            count += start->tile[i] != BOARD_BLANK && start->tile[j] != BOARD_BLANK &&
                     place[start->tile[i]] > place[start->tile[j]];
    return count;
}

static unsigned rows_apart(const struct board *start, const struct board *goal, unsigned columns)
{
    const unsigned from = board_blank(start) / columns;
    const unsigned to = board_blank(goal) / columns;
    return from > to ? from - to : to - from;
}

/* With an even number of columns a move up or down carries a tile past an odd number of others. */
static void write_parity(const struct grid *grid, const struct board *start, const struct board *goal,
                         char *out)
{
    const unsigned pairs = misplaced_pairs(start, goal);
    const unsigned rows = rows_apart(start, goal, grid->columns);
    const char *pairs_are = pairs == 1 ? "pair of tiles is" : "pairs of tiles are";
    if (grid->columns % 2 == 1)
        (void)snprintf(out, PZ_TEXT_MAX,
                       "%u %s out of order, an odd number; with %u columns every move keeps it "
                       "odd, and the goal has 0",
                       pairs, pairs_are, (unsigned)grid->columns);
    else
        (void)snprintf(out, PZ_TEXT_MAX,
                       "%u %s out of order, the blank is %u row%s from its place: together an "
                       "odd number, which every move keeps odd, and the goal has 0",
                       pairs, pairs_are, rows, rows == 1 ? "" : "s");
}

void slide_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX])
{
    const struct grid *grid = slide_permutation(space);
    uint64_t state[PZ_STATE_MAX / 8];
    struct board board;
    struct board goal;
    if (grid == NULL) {
        (void)snprintf(out, PZ_TEXT_MAX,
                       "each move exchanges the blank with a tile; from here the goal takes an odd number of "
                       "exchanges where the blank's way takes an even one, or the other way round");
        return;
    }
    if (grid->rows < 2 || grid->columns < 2) {
        (void)snprintf(out, PZ_TEXT_MAX, "tiles in one row keep their order");
        return;
    }
    space->puzzle->goal(space, state);
    slide_board(space, state, &goal);
    slide_board(space, start, &board);
    write_parity(grid, &board, &goal, out);
}
