/* SPDX-License-Identifier: MIT */
/*
 * Walks by metric=multi. A move is a direction of the blank and the cell it goes to, in one byte. After a
 * move along a row comes one along a column. The blank looks at the cells of a direction one after the other:
 * each is one move from all that come behind it, so when a bound is exceeded by two, it is exceeded behind.
 */
#include "solve/idastar/walk/idastar_kernel.h"

#include "solve/pdb/multi_tables.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { CELL_BITS = 6, CELL_MASK = (1 << CELL_BITS) - 1 };
_Static_assert((int)GRID_CELLS_MAX <= (int)CELL_MASK, "a move has a cell");

/* A node of the path. */
struct multi_frame {
    struct multi_places places;
    uint32_t untried; /* cells that the blank may go to within the bound, a bit each */
    uint8_t blank;
};

struct multi_walk {
    struct idastar_walk walk; /* its moves lead to the present node */
    unsigned base;            /* depth of the root of the subtree */
    bool active;              /* it is in a subtree */
    struct board board;
    struct multi_frame frame[WALK_DEPTH_MAX + 1]; /* at each depth from base on */
};

static unsigned move_axis(uint8_t move)
{
    return move >> (CELL_BITS + 1);
}

/* Returns the move that takes the blank into another cell of its row or column. */
static uint8_t move_to(const struct grid *grid, unsigned blank, unsigned cell)
{
    const bool along_row = blank / grid->columns == cell / grid->columns;
    const unsigned way = along_row      ? cell < blank ? DIRECTION_LEFT : DIRECTION_RIGHT
                         : cell < blank ? DIRECTION_UP
                                        : DIRECTION_DOWN;
    return (uint8_t)(way << CELL_BITS | cell);
}

/* Finds the untried moves of the present node: those within the bound. */
static inline void multi_expand(struct multi_walk *own, const struct multi_tables *tables, unsigned value)
{
    struct idastar_walk *walk = &own->walk;
    struct multi_frame *frame = &own->frame[walk->depth];
    const unsigned axis = walk->depth > 0 ? move_axis(walk->move[walk->depth - 1]) : 2;
    assert(walk->depth + value <= walk->bound && value > 0);
    const unsigned left = walk->bound - walk->depth - 1;
    uint32_t within = 0;
    walk->expanded++;
    walk->near += walk_nearness(walk, value);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        struct multi_places places = frame->places;
        unsigned blank = frame->blank;
        if (d >> 1 == axis)
            continue;
        for (unsigned cell = tables->grid.neighbour[blank][d]; cell != GRID_NO_CELL;
             blank = cell, cell = tables->grid.neighbour[cell][d]) {
            walk->generated++;
            multi_places_move(tables, &places, own->board.tile[cell], cell, blank);
            const unsigned least = multi_places_value(tables, &places, left);
            if (least > left + 1)
                break;
            within |= (uint32_t)(least <= left) << cell;
        }
    }
    frame->untried = within;
}

/* Takes the blank to a cell of its line, tile by tile. */
static inline void shift_blank(struct multi_walk *own, unsigned blank, uint8_t move)
{
    const unsigned d = move >> CELL_BITS;
    for (unsigned cell; blank != (move & CELL_MASK); blank = cell) {
        cell = own->walk.grid->neighbour[blank][d];
        own->board.tile[blank] = own->board.tile[cell];
        own->board.tile[cell] = BOARD_BLANK;
    }
}

static inline void multi_step_back(struct multi_walk *own)
{
    assert(own->walk.depth > own->base);
    const unsigned from = own->frame[own->walk.depth].blank;
    const unsigned to = own->frame[--own->walk.depth].blank;
    shift_blank(own, from, move_to(own->walk.grid, from, to));
}

/* Goes on by the first of the untried moves. Returns the lower bound there. */
static inline unsigned multi_step_on(struct multi_walk *own, const struct multi_tables *tables)
{
    struct idastar_walk *walk = &own->walk;
    struct multi_frame *frame = &own->frame[walk->depth];
    const unsigned target = (unsigned)__builtin_ctz(frame->untried);
    const uint8_t move = move_to(walk->grid, frame->blank, target);
    frame->untried &= frame->untried - 1;
    frame[1].places = frame->places;
    frame[1].blank = (uint8_t)target;
    frame[1].untried = 0;
    for (unsigned blank = frame->blank, cell; blank != target; blank = cell) {
        cell = walk->grid->neighbour[blank][move >> CELL_BITS];
        multi_places_move(tables, &frame[1].places, own->board.tile[cell], cell, blank);
    }
    shift_blank(own, frame->blank, move);
    walk->move[walk->depth++] = move;
    return multi_places_value(tables, &frame[1].places, UINT_MAX);
}

/* Returns false at the end of the subtree. Returns true when the goal is found or walk_poll says to end;
 * driving, also at a node on the cut, which it leaves alone. */
static inline __attribute__((always_inline)) bool walk_multi(struct multi_walk *own, bool driving)
{
    struct idastar_walk *walk = &own->walk;
    const struct multi_tables *tables = walk->heuristic;
    for (;;) {
        if (own->frame[walk->depth].untried == 0) {
            if (walk->depth == own->base)
                return false;
            multi_step_back(own);
            continue;
        }
        const unsigned value = multi_step_on(own, tables);
        walk->found = value == 0;
        if (walk->found || (driving && walk_on_cut(walk, walk->depth)))
            return true;
        multi_expand(own, tables, value);
        if (driving)
            walk_driven(walk, walk->depth);
        else if (--walk->fuel == 0 && walk_poll(walk))
            return true;
    }
}

/* ---- the kernel ---- */

static size_t multi_walk_bytes(unsigned cells, unsigned remember)
{
    (void)cells;
    (void)remember;
    return sizeof(struct multi_walk);
}

static void multi_begin(struct idastar_walk *walk)
{
    ((struct multi_walk *)walk)->active = false;
}

static void multi_add(struct idastar_walk *walk, const struct board *root)
{
    struct multi_walk *own = (struct multi_walk *)walk;
    struct multi_frame *frame = &own->frame[walk->depth];
    const struct multi_tables *tables = walk->heuristic;
    assert(!own->active);
    own->base = walk->depth;
    own->board = *root;
    frame->blank = (uint8_t)board_blank(root);
    multi_places_of(tables, root, &frame->places);
    const unsigned value = multi_places_value(tables, &frame->places, UINT_MAX);
    walk->found = value == 0;
    own->active = !walk->found && walk->depth + value <= walk->bound;
    if (own->active)
        multi_expand(own, tables, value);
}

static bool multi_holds(const struct idastar_walk *walk)
{
    return ((const struct multi_walk *)walk)->active;
}

static void multi_run(struct idastar_walk *walk)
{
    struct multi_walk *own = (struct multi_walk *)walk;
    if (own->active && !walk->found)
        own->active = walk_multi(own, false);
}

static bool multi_next_cut(struct idastar_walk *walk)
{
    struct multi_walk *own = (struct multi_walk *)walk;
    if (own->active && !walk->found)
        own->active = walk_multi(own, true);
    return own->active && !walk->found;
}

static unsigned multi_give(struct idastar_walk *walk, unsigned deepest, uint8_t *move)
{
    struct multi_walk *own = (struct multi_walk *)walk;
    unsigned depth = own->base;
    while (depth < walk->depth && own->frame[depth].untried == 0)
        depth++;
    struct multi_frame *frame = &own->frame[depth];
    if (frame->untried == 0 || depth >= deepest)
        return 0;
    memcpy(move, walk->move, depth);
    move[depth] = move_to(walk->grid, frame->blank, (unsigned)__builtin_ctz(frame->untried));
    frame->untried &= frame->untried - 1;
    return depth + 1;
}

static void multi_list(const struct idastar_walk *walk, subtree_function *function, void *context)
{
    const struct multi_walk *own = (const struct multi_walk *)walk;
    uint8_t move[WALK_DEPTH_MAX];
    memcpy(move, walk->move, walk->depth);
    if (!own->active)
        return;
    for (unsigned depth = walk->depth + 1; depth-- > own->base;) {
        const struct multi_frame *frame = &own->frame[depth];
        for (uint32_t cells = frame->untried; cells != 0; cells &= cells - 1) {
            move[depth] = move_to(walk->grid, frame->blank, (unsigned)__builtin_ctz(cells));
            function(context, move, depth + 1);
        }
    }
}

static unsigned multi_kernel_value(const void *heuristic, const struct board *board)
{
    return multi_value(heuristic, board);
}

static bool multi_play(const struct grid *grid, struct board *board, const uint8_t *move, unsigned depth)
{
    if (depth > 0 && move_axis(move[depth]) == move_axis(move[depth - 1]))
        return false;
    do {
        if (!board_move(grid, board, (enum direction)(move[depth] >> CELL_BITS)))
            return false;
    } while (board_blank(board) != (move[depth] & CELL_MASK));
    return true;
}

const struct walk_kernel multi_kernel = {
    .walk_bytes = multi_walk_bytes,
    .capacity = 1,
    .bound_step = 1,
    .begin = multi_begin,
    .add = multi_add,
    .holds = multi_holds,
    .run = multi_run,
    .next_cut = multi_next_cut,
    .give = multi_give,
    .list = multi_list,
    .value = multi_kernel_value,
    .play = multi_play,
};
