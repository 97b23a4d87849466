/* SPDX-License-Identifier: MIT */
/*
 * Which boards moves lead to, whatever cells there are. The cells that the blank comes to fall into *blocks*:
 * cells and edges that no single cell takes apart (R. Tarjan, SIAM J. Comput. 1, 1972). The blank enters a
 * block by one cell and leaves it there, and on its way back takes along what it moved on its way in. So,
 * with the blank in its place, the tiles of each block stay in it, and each block is on its own: in a ring
 * they go round; else the moves reach all orders of them, or the even ones where the cells have two colours
 * (R. M. Wilson, J. Comb. Theory B 16, 1974; his one exception of seven cells is part of no torus: all were
 * looked at).
 */
#include "board/board.h"

#include <assert.h>
#include <string.h>

/* The cells of a block but the one by which the blank enters it; a ring's in their order. */
struct block {
    uint8_t door, first, count;
};

/* A walk depth first over the cells that the blank comes to, from its place in the goal. */
struct walk {
    const struct grid *grid;
    uint8_t number[GRID_CELLS_MAX]; /* in the order of the walk, from 1; 0: not there */
    uint8_t low[GRID_CELLS_MAX];    /* the least number beside the cell and those that it led to */
    uint8_t back[GRID_CELLS_MAX];   /* the cell before */
    bool dark[GRID_CELLS_MAX];      /* its colour: another than that of the cell before */
    uint8_t open[GRID_CELLS_MAX];   /* cells that are in no block yet */
    uint8_t closed[GRID_CELLS_MAX]; /* the cells of the blocks */
    struct block blocks[GRID_CELLS_MAX];
    unsigned visited, open_count, closed_count, block_count;
};

static void close_block(struct walk *walk, unsigned door, unsigned first)
{
    const unsigned count = walk->open_count - first;
    memcpy(walk->closed + walk->closed_count, walk->open + first, count);
    walk->blocks[walk->block_count++] =
        (struct block){(uint8_t)door, (uint8_t)walk->closed_count, (uint8_t)count};
    walk->closed_count += count;
    walk->open_count = first;
}

static void walk_from(struct walk *walk, unsigned cell)
{
    walk->number[cell] = walk->low[cell] = (uint8_t)++walk->visited;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        const unsigned to = walk->grid->neighbour[cell][d];
        if (to == GRID_NO_CELL)
            continue;
        unsigned low = walk->number[to];
        if (low == 0) {
            const unsigned first = walk->open_count;
            walk->open[walk->open_count++] = (uint8_t)to;
            walk->back[to] = (uint8_t)cell;
            walk->dark[to] = !walk->dark[cell];
            walk_from(walk, to);
            low = walk->low[to];
            if (low >= walk->number[cell])
                close_block(walk, cell, first);
        }
        if (low < walk->low[cell])
            walk->low[cell] = (uint8_t)low;
    }
}

/* Counts the block's edges, and tells if one has ends of one colour. */
static unsigned block_edges(const struct walk *walk, const struct block *block, bool *odd)
{
    const uint8_t *cells = walk->closed + block->first;
    uint64_t inside = UINT64_C(1) << block->door;
    unsigned ends = 0;
    for (unsigned i = 0; i < block->count; i++)
        inside |= UINT64_C(1) << cells[i];
    for (unsigned cell = 0; cell < walk->grid->cells; cell++)
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            const unsigned to = walk->grid->neighbour[cell][d];
            if (to == GRID_NO_CELL || (inside >> cell & inside >> to & 1) == 0)
                continue;
            ends++;
            *odd |= walk->dark[cell] == walk->dark[to];
        }
    return ends / 2;
}

static bool goes_round(const uint8_t *start, const uint8_t *goal, unsigned count)
{
    for (unsigned by = 0; by < count; by++)
        if (memcmp(start + by, goal, count - by) == 0 && memcmp(start, goal + count - by, by) == 0)
            return true;
    return false;
}

static enum board_reach block_reach(const struct walk *walk, const struct block *block,
                                    const struct board *start, const struct board *goal)
{
    uint8_t from[GRID_CELLS_MAX], to[GRID_CELLS_MAX];
    uint8_t place[BOARD_WALL + 1] = {0}, left[BOARD_WALL + 1] = {0};
    bool free_order = false; /* every order: two tiles are equal, or the cells have no two colours */
    unsigned inversions = 0;
    for (unsigned i = 0; i < block->count; i++) {
        from[i] = start->tile[walk->closed[block->first + i]];
        to[i] = goal->tile[walk->closed[block->first + i]];
        place[to[i]] = (uint8_t)i;
        free_order |= left[to[i]]++ > 0;
    }
    for (unsigned i = 0; i < block->count; i++) {
        if (left[from[i]]-- == 0)
            return BOARD_PARTED;
        for (unsigned j = 0; j < i; j++)
            inversions += place[from[j]] > place[from[i]];
    }
    if (block_edges(walk, block, &free_order) == block->count + 1u)
        return goes_round(from, to, block->count) ? BOARD_REACHED : BOARD_RINGED;
    return free_order || inversions % 2 == 0 ? BOARD_REACHED : BOARD_ODD;
}

/* Brings the blank to its place in the goal. Returns false if there is no way. */
static bool bring_blank(const struct walk *walk, struct board *board, unsigned place)
{
    unsigned cell = board_blank(board);
    if (walk->number[cell] == 0)
        return false;
    for (; cell != place; cell = walk->back[cell])
        board->tile[cell] = board->tile[walk->back[cell]];
    board->tile[place] = BOARD_BLANK;
    return true;
}

enum board_reach board_reach(const struct grid *grid, const struct board *start, const struct board *goal)
{
    struct walk walk = {.grid = grid};
    struct board board = *start;
    const unsigned place = board_blank(goal);
    assert(start->cells == grid->cells && goal->cells == grid->cells && place < grid->cells);
    walk_from(&walk, place);
    if (!bring_blank(&walk, &board, place))
        return BOARD_PARTED;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        if (walk.number[cell] == 0 && board.tile[cell] != goal->tile[cell])
            return BOARD_PARTED;
    enum board_reach reach = BOARD_REACHED;
    for (unsigned i = 0; i < walk.block_count && reach == BOARD_REACHED; i++)
        reach = block_reach(&walk, &walk.blocks[i], &board, goal);
    return reach;
}
