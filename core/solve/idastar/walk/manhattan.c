/* SPDX-License-Identifier: MIT */
/*
 * Walks by Manhattan distance alone. A node's slack is the bound less the moves made and the lower bound of
 * the moves left. A move that takes a tile nearer to home keeps the slack; one that takes a tile away costs
 * two. So a move is within the bound when there is slack, or when one bit of a table says `closer`.
 */
#include "solve/idastar/walk/idastar_kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct manhattan_walk {
    struct idastar_walk walk; /* its moves lead to the present node */
    unsigned base;            /* depth of the root of the subtree */
    bool active;              /* it is in a subtree */
    struct board board;
    unsigned blank;
    unsigned value; /* lower bound at the present node */
    const struct move_order *order;
    uint8_t open[GRID_CELLS_MAX]; /* the directions that stay on the grid, a bit each */
    uint8_t beside[GRID_CELLS_MAX][DIRECTION_COUNT];
    uint8_t untried[WALK_DEPTH_MAX + 1]; /* at each depth from base on: directions, a bit each */
};

void manhattan_init(struct manhattan *manhattan, const struct grid *grid, const struct board *goal)
{
    memset(manhattan, 0, sizeof *manhattan);
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

/* Expands the present node. Its untried moves are those that stay within the bound. */
static inline void manhattan_expand(struct manhattan_walk *own, const struct manhattan *manhattan)
{
    struct idastar_walk *walk = &own->walk;
    assert(walk->depth + own->value <= walk->bound && own->value > 0);
    unsigned ways = walk_ways(own->open[own->blank], walk->depth, walk->move);
    unsigned within = ways;
    walk->expanded++;
    walk->near += walk_nearness(walk, own->value);
    walk->generated += (unsigned)((0x4332322132212110u >> ways * 4) & 15u); /* bits in ways */
    if (walk->bound - walk->depth - own->value < 2) {
        within = 0;
        for (unsigned left = ways; left != 0; left &= left - 1) {
            unsigned d = (unsigned)__builtin_ctz(left);
            unsigned cell = own->beside[own->blank][d];
            within |= manhattan->closer[own->board.tile[cell]][cell] & 1u << d;
        }
    }
    own->untried[walk->depth] = (uint8_t)within;
}

/* Takes back the move that led to the present node. */
static inline void step_back(struct manhattan_walk *own, const struct manhattan *manhattan)
{
    struct idastar_walk *walk = &own->walk;
    assert(walk->depth > own->base);
    unsigned d = walk->move[--walk->depth];
    unsigned from = own->beside[own->blank][d ^ 1u];
    unsigned tile = own->board.tile[from];
    own->value += (manhattan->closer[tile][own->blank] >> d & 1) != 0 ? 1u : UINT32_MAX;
    own->board.tile[own->blank] = (uint8_t)tile;
    own->blank = from;
}

static inline void step_on(struct manhattan_walk *own, const struct manhattan *manhattan, unsigned d)
{
    struct idastar_walk *walk = &own->walk;
    unsigned cell = own->beside[own->blank][d];
    unsigned tile = own->board.tile[cell];
    own->value += (manhattan->closer[tile][cell] >> d & 1) != 0 ? UINT32_MAX : 1u;
    own->board.tile[own->blank] = (uint8_t)tile;
    own->blank = cell;
    walk->move[walk->depth++] = (uint8_t)d;
}

/* Returns false at the end of the subtree. Returns true when the goal is found or walk_poll says to end;
 * driving, also at a node on the cut, which it leaves alone. */
static inline __attribute__((always_inline)) bool walk_manhattan(struct manhattan_walk *own, bool driving)
{
    struct idastar_walk *walk = &own->walk;
    const struct manhattan *manhattan = walk->heuristic;
    for (;;) {
        unsigned untried = own->untried[walk->depth];
        if (untried == 0) {
            if (walk->depth == own->base)
                return false;
            step_back(own, manhattan);
            continue;
        }
        const unsigned next = own->order->first[untried];
        own->untried[walk->depth] = (uint8_t)(untried ^ 1u << next);
        step_on(own, manhattan, next);
        if (own->value == 0) {
            walk->found = true;
            return true;
        }
        if (driving && walk_on_cut(walk, walk->depth)) {
            own->untried[walk->depth] = 0;
            return true;
        }
        manhattan_expand(own, manhattan);
        if (driving)
            walk_driven(walk, walk->depth);
        else if (--walk->fuel == 0 && walk_poll(walk))
            return true;
    }
}

/* ---- the kernel ---- */

static size_t manhattan_walk_bytes(unsigned cells, unsigned remember)
{
    (void)cells;
    (void)remember;
    return sizeof(struct manhattan_walk);
}

static void manhattan_begin(struct idastar_walk *walk)
{
    struct manhattan_walk *own = (struct manhattan_walk *)walk;
    own->active = false;
    own->order = walk->order;
    for (unsigned cell = 0; cell < walk->grid->cells; cell++) {
        own->open[cell] = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            own->beside[cell][d] = walk->grid->neighbour[cell][d];
            if (own->beside[cell][d] != GRID_NO_CELL)
                own->open[cell] |= (uint8_t)(1u << d);
        }
    }
}

static void manhattan_add(struct idastar_walk *walk, const struct board *root)
{
    struct manhattan_walk *own = (struct manhattan_walk *)walk;
    assert(!own->active);
    own->base = walk->depth;
    own->board = *root;
    own->blank = board_blank(root);
    own->value = manhattan_value(walk->heuristic, root);
    walk->found = own->value == 0;
    own->active = !walk->found && walk->depth + own->value <= walk->bound;
    if (own->active)
        manhattan_expand(own, walk->heuristic);
}

static bool manhattan_holds(const struct idastar_walk *walk)
{
    return ((const struct manhattan_walk *)walk)->active;
}

static void manhattan_run(struct idastar_walk *walk)
{
    struct manhattan_walk *own = (struct manhattan_walk *)walk;
    if (own->active && !walk->found)
        own->active = walk_manhattan(own, false);
}

static bool manhattan_next_cut(struct idastar_walk *walk)
{
    struct manhattan_walk *own = (struct manhattan_walk *)walk;
    if (own->active && !walk->found)
        own->active = walk_manhattan(own, true);
    return own->active && !walk->found;
}

static unsigned manhattan_give(struct idastar_walk *walk, unsigned deepest, uint8_t *move)
{
    struct manhattan_walk *own = (struct manhattan_walk *)walk;
    unsigned depth = own->base;
    while (depth < walk->depth && own->untried[depth] == 0)
        depth++;
    if (own->untried[depth] == 0 || depth >= deepest)
        return 0;
    memcpy(move, walk->move, depth);
    move[depth] = own->order->first[own->untried[depth]];
    own->untried[depth] &= (uint8_t) ~(1u << move[depth]);
    return depth + 1;
}

static void manhattan_list(const struct idastar_walk *walk, subtree_function *function, void *context)
{
    const struct manhattan_walk *own = (const struct manhattan_walk *)walk;
    uint8_t move[WALK_DEPTH_MAX];
    memcpy(move, walk->move, walk->depth);
    if (!own->active)
        return;
    for (unsigned depth = walk->depth + 1; depth-- > own->base;) {
        for (unsigned ways = own->untried[depth]; ways != 0; ways ^= 1u << move[depth]) {
            move[depth] = own->order->first[ways];
            function(context, move, depth + 1);
        }
    }
}

const struct walk_kernel manhattan_kernel = {
    .walk_bytes = manhattan_walk_bytes,
    .capacity = 1,
    .bound_step = 2,
    .begin = manhattan_begin,
    .add = manhattan_add,
    .holds = manhattan_holds,
    .run = manhattan_run,
    .next_cut = manhattan_next_cut,
    .give = manhattan_give,
    .list = manhattan_list,
    .value = manhattan_value,
    .play = walk_play,
};
