/* SPDX-License-Identifier: MIT */
/*
 * Walks by Manhattan distance alone. What matters of a node is its slack, the bound less the moves made and
 * the lower bound left: a move that draws a tile nearer to home keeps it, one that takes it away costs two.
 * So a move is within the bound when there is slack, or when one bit of a table says `closer`.
 */
#include "solve/idastar/walk.h"

#include <stdlib.h>
#include <string.h>

struct walk_manhattan {
    struct walk walk;
    unsigned value;               /* lower bound at the present node */
    uint8_t open[GRID_CELLS_MAX]; /* the directions that stay on the grid, a bit each */
    uint8_t beside[GRID_CELLS_MAX][DIRECTION_COUNT];
};

static unsigned grid_distance(const struct grid *grid, unsigned a, unsigned b)
{
    int rows = (int)(a / grid->columns) - (int)(b / grid->columns);
    int columns = (int)(a % grid->columns) - (int)(b % grid->columns);
    return (unsigned)(abs(rows) + abs(columns));
}

void manhattan_init(struct manhattan *manhattan, const struct grid *grid, const struct board *goal)
{
    memset(manhattan, 0, sizeof *manhattan);
    manhattan->cells = grid->cells;
    for (unsigned home = 0; home < grid->cells; home++) {
        unsigned tile = goal->tile[home];
        if (tile == BOARD_BLANK)
            continue;
        for (unsigned cell = 0; cell < grid->cells; cell++) {
            unsigned distance = grid_distance(grid, cell, home);
            manhattan->distance[tile][cell] = (uint8_t)distance;
            /* The blank that goes in direction d into this cell sends the tile against d. */
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                unsigned to = grid->neighbour[cell][d ^ 1u];
                if (to != GRID_NO_CELL && grid_distance(grid, to, home) < distance)
                    manhattan->closer[tile][cell] |= (uint8_t)(1u << d);
            }
        }
    }
}

static unsigned manhattan_value(const void *heuristic, const struct board *board)
{
    const struct manhattan *manhattan = heuristic;
    unsigned sum = 0;
    for (unsigned cell = 0; cell < board->cells; cell++)
        if (board->tile[cell] != BOARD_BLANK)
            sum += manhattan->distance[board->tile[cell]][cell];
    return sum;
}

/* The moves from the present node that stay within the bound. */
static inline unsigned moves_within(struct walk_manhattan *own, const struct manhattan *manhattan,
                                    unsigned ways, unsigned slack)
{
    own->walk.expanded++;
    own->walk.generated += (unsigned)((0x4332322132212110u >> ways * 4) & 15u); /* bits in ways */
    if (slack >= 2)
        return ways;
    unsigned within = 0;
    for (unsigned left = ways; left != 0; left &= left - 1) {
        unsigned d = (unsigned)__builtin_ctz(left);
        unsigned cell = own->beside[own->walk.blank][d];
        within |= manhattan->closer[own->walk.board.tile[cell]][cell] & 1u << d;
    }
    return within;
}

static unsigned manhattan_begin(struct walk *walk)
{
    struct walk_manhattan *own = (struct walk_manhattan *)walk;
    const struct manhattan *manhattan = walk->heuristic;
    for (unsigned cell = 0; cell < walk->grid->cells; cell++) {
        own->open[cell] = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            own->beside[cell][d] = walk->grid->neighbour[cell][d];
            if (own->beside[cell][d] != GRID_NO_CELL)
                own->open[cell] |= (uint8_t)(1u << d);
        }
    }
    own->value = manhattan_value(manhattan, &walk->board);
    walk->found = own->value == 0;
    unsigned bound = walk_bound(walk);
    if (walk->depth + own->value <= bound)
        walk->untried[walk->depth] =
            (uint8_t)moves_within(own, manhattan, walk_ways(own->open[walk->blank], walk->depth, walk),
                                  bound - walk->depth - own->value);
    return own->value;
}

/* Takes the move that led to the present node back. */
static inline void step_back(struct walk_manhattan *own, const struct manhattan *manhattan)
{
    struct walk *walk = &own->walk;
    unsigned d = walk->move[--walk->depth];
    unsigned from = own->beside[walk->blank][d ^ 1u];
    unsigned tile = walk->board.tile[from];
    own->value += (manhattan->closer[tile][walk->blank] >> d & 1) != 0 ? 1u : UINT32_MAX;
    walk->board.tile[walk->blank] = (uint8_t)tile;
    walk->blank = from;
}

static inline void step_on(struct walk_manhattan *own, const struct manhattan *manhattan, unsigned d)
{
    struct walk *walk = &own->walk;
    unsigned cell = own->beside[walk->blank][d];
    unsigned tile = walk->board.tile[cell];
    own->value += (manhattan->closer[tile][cell] >> d & 1) != 0 ? UINT32_MAX : 1u;
    walk->board.tile[walk->blank] = (uint8_t)tile;
    walk->blank = cell;
    walk->move[walk->depth++] = (uint8_t)d;
}

static bool manhattan_run(struct walk *walk)
{
    struct walk_manhattan *own = (struct walk_manhattan *)walk;
    const struct manhattan *manhattan = walk->heuristic;
    unsigned bound = walk_bound(walk);
    for (;;) {
        unsigned untried = walk->untried[walk->depth];
        if (untried == 0) {
            if (walk->depth == walk->base)
                return false;
            step_back(own, manhattan);
            continue;
        }
        walk->untried[walk->depth] = (uint8_t)(untried & (untried - 1));
        step_on(own, manhattan, (unsigned)__builtin_ctz(untried));
        if (own->value == 0) {
            walk->found = true;
            return true;
        }
        walk->untried[walk->depth] =
            (uint8_t)moves_within(own, manhattan, walk_ways(own->open[walk->blank], walk->depth, walk),
                                  bound - walk->depth - own->value);
        if (--walk->fuel == 0 && walk_poll(walk))
            return true;
    }
}

static bool manhattan_follow(struct walk *walk, unsigned direction)
{
    struct walk_manhattan *own = (struct walk_manhattan *)walk;
    const struct manhattan *manhattan = walk->heuristic;
    unsigned bound = walk_bound(walk);
    step_on(own, manhattan, direction);
    if (own->value == 0 || walk->depth + own->value > bound)
        return false;
    walk->untried[walk->depth] =
        (uint8_t)moves_within(own, manhattan, walk_ways(own->open[walk->blank], walk->depth, walk),
                              bound - walk->depth - own->value);
    return true;
}

const struct walk_kernel walk_manhattan_kernel = {
    .walk_bytes = sizeof(struct walk_manhattan),
    .begin = manhattan_begin,
    .run = manhattan_run,
    .follow = manhattan_follow,
    .value = manhattan_value,
};
