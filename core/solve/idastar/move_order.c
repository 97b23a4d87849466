/* SPDX-License-Identifier: MIT */
#include "solve/idastar/walk/idastar_kernel.h"

#include "board/board.h"

#include <assert.h>
#include <string.h>

const struct move_order move_order_usual = {{0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0}};

static void fill_move_order(struct move_order *order, const uint8_t sequence[DIRECTION_COUNT])
{
    order->first[0] = 0;
    for (unsigned set = 1; set < 1u << DIRECTION_COUNT; set++)
        for (unsigned i = DIRECTION_COUNT; i-- > 0;)
            if ((set >> sequence[i] & 1) != 0)
                order->first[set] = sequence[i];
}

enum pz_status move_order_parse(const char *text, struct move_order *order, struct pz_error *error)
{
    uint8_t sequence[DIRECTION_COUNT];
    unsigned given = 0;
    for (unsigned i = 0; i < DIRECTION_COUNT && text[i] != '\0'; i++)
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (text[i] == direction_letter((enum direction)d)) {
                given |= 1u << d;
                sequence[i] = (uint8_t)d;
            }
    if (given != (1u << DIRECTION_COUNT) - 1 || strlen(text) != DIRECTION_COUNT)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "order=%.40s does not have each of U, D, L and R, the blank's moves, once", text);
    if (order != NULL)
        fill_move_order(order, sequence);
    return PZ_OK;
}

/* Returns the direction on the view's grid in which the blank goes there when it goes that way here. */
static uint8_t direction_there(const struct grid *grid, const struct grid *there,
                               const struct board_view *view, unsigned d)
{
    for (unsigned cell = 0; cell < grid->cells; cell++)
        for (unsigned e = 0; e < DIRECTION_COUNT && grid->neighbour[cell][d] != GRID_NO_CELL; e++)
            if (there->neighbour[view->cell_to[cell]][e] == view->cell_to[grid->neighbour[cell][d]])
                return (uint8_t)e;
    return DIRECTION_COUNT; /* a single row has no way up */
}

void move_order_view(const struct grid *grid, const struct board_view *view, struct move_order *order)
{
    struct grid there;
    uint8_t sequence[DIRECTION_COUNT];
    unsigned set = (1u << DIRECTION_COUNT) - 1, used = 0;
    const enum pz_status status = grid_init(&there, view->rows, view->columns, NULL);
    assert(status == PZ_OK);
    (void)status;
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) {
        sequence[i] = direction_there(grid, &there, view, order->first[set]);
        used |= sequence[i] < DIRECTION_COUNT ? 1u << sequence[i] : 0;
        set &= ~(1u << order->first[set]);
    }
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) { /* those that no cell has, in any order */
        if (sequence[i] < DIRECTION_COUNT)
            continue;
        sequence[i] = move_order_usual.first[~used & ((1u << DIRECTION_COUNT) - 1)];
        used |= 1u << sequence[i];
    }
    fill_move_order(order, sequence);
}

/* Returns how many moves of a set come after that one. */
static unsigned moves_after(const struct move_order *order, unsigned set, unsigned move)
{
    while (order->first[set] != move)
        set &= ~(1u << order->first[set]);
    return (unsigned)__builtin_popcount(set) - 1;
}

uint64_t move_order_later(const struct move_order *order, const struct grid *grid, const struct board *start,
                          const uint8_t *move, unsigned moves)
{
    assert(start->cells == grid->cells && (move != NULL || moves == 0));
    struct board board = *start;
    uint64_t later = 0;
    for (unsigned i = 0; i < moves; i++) {
        unsigned open = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (grid->neighbour[board_blank(&board)][d] != GRID_NO_CELL)
                open |= 1u << d;
        later += moves_after(order, walk_ways(open, i, move), move[i]);
        (void)board_move(grid, &board, (enum direction)move[i]);
    }
    return later;
}
