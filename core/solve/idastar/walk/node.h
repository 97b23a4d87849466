/* SPDX-License-Identifier: MIT */
/*
 * A node of the walk by databases: one block of a few cache lines, copied as a whole. What all nodes have
 * comes first; arrays follow, as long as the board and its databases need them. By 7-8 on 4x4 all but the
 * path fills one line.
 *
 * A layout says how long the arrays are. Functions that get a constant one are compiled for it.
 */
#ifndef IDASTAR_NODE_H
#define IDASTAR_NODE_H

#include "board/pack.h"
#include "solve/pdb/pdb.h"
#include "solve/pdb/processor.h"

enum {
    PATH_MOVES = 32, /* in a word of a path, two bits each */
    LINE = 64
};

struct node_layout {
    unsigned words; /* of the packed board */
    unsigned lookups, slots;
};

/* A node that is generated and within the bound. */
struct node {
    uint16_t depth;
    uint16_t bound; /* the greatest sum */
    uint8_t blank;
    uint8_t ways; /* directions that lead neither off the grid nor back, a bit each */
    /* The packed board; for each slot the place of its tiles, as masks, orders and the values there; for each
     * lookup the sum; the path. */
    uint64_t array[];
};

enum { LANES = PDB_LOOKUPS_MAX, FEW_LOOKUPS = 2 };

INLINE const uint64_t *node_state(const struct node *node)
{
    return node->array;
}

/* Masks of grids of up to 25 cells take half a word. */
INLINE size_t orders_at(struct node_layout layout)
{
    return layout.words + (layout.words <= 2 ? (layout.slots + 1) / 2 : layout.slots);
}

INLINE size_t values_at(struct node_layout layout)
{
    return orders_at(layout) + (layout.slots + 3) / 4;
}

INLINE size_t sums_at(struct node_layout layout)
{
    return values_at(layout) + (layout.slots + 7) / 8;
}

INLINE size_t path_at(struct node_layout layout)
{
    return sums_at(layout) + (layout.lookups > FEW_LOOKUPS ? LANES / 4 : 1);
}

INLINE uint64_t node_mask(struct node_layout layout, const struct node *node, unsigned slot)
{
    const uint64_t *masks = node->array + layout.words;
    return layout.words <= 2 ? ((const uint32_t *)(const void *)masks)[slot] : masks[slot];
}

INLINE void node_set_mask(struct node_layout layout, struct node *node, unsigned slot, uint64_t mask)
{
    uint64_t *masks = node->array + layout.words;
    if (layout.words <= 2)
        ((uint32_t *)(void *)masks)[slot] = (uint32_t)mask;
    else
        masks[slot] = mask;
}

INLINE uint16_t *node_orders(struct node_layout layout, const struct node *node)
{
    return (uint16_t *)(void *)((uint64_t *)node->array + orders_at(layout));
}

INLINE uint8_t *node_values(struct node_layout layout, const struct node *node)
{
    return (uint8_t *)((uint64_t *)node->array + values_at(layout));
}

INLINE uint16_t *node_sums(struct node_layout layout, const struct node *node)
{
    return (uint16_t *)(void *)((uint64_t *)node->array + sums_at(layout));
}

INLINE uint64_t *node_path(struct node_layout layout, const struct node *node)
{
    return (uint64_t *)node->array + path_at(layout);
}

/* Returns the bytes of a node whose path may have so many moves: whole cache lines. */
static inline size_t node_bytes(struct node_layout layout, unsigned moves)
{
    size_t words = path_at(layout) + moves / PATH_MOVES + 1;
    return (sizeof(struct node) + words * sizeof(uint64_t) + LINE - 1) / LINE * LINE;
}

/* ---- boards ---- */

INLINE unsigned node_tile(struct node_layout layout, const struct pack_plan *plan, const struct node *node,
                          unsigned cell)
{
    const uint64_t *state = node_state(node);
    return layout.words == 1 ? (unsigned)(state[0] >> 4 * cell) & 15u : pack_get(plan, state, cell);
}

/* A tile goes between two cells, one of which is the blank's. */
INLINE void node_move_tile(struct node_layout layout, const struct pack_plan *plan, struct node *node,
                           unsigned a, unsigned b, unsigned tile)
{
    if (layout.words == 1) {
        node->array[0] ^= (uint64_t)tile << 4 * a ^ (uint64_t)tile << 4 * b;
        return;
    }
    pack_toggle(plan, node->array, a, tile);
    pack_toggle(plan, node->array, b, tile);
}

/* ---- paths ---- */

INLINE void path_append(struct node_layout layout, struct node *node, unsigned d)
{
    uint64_t *word = node_path(layout, node) + node->depth / PATH_MOVES;
    unsigned shift = node->depth % PATH_MOVES * 2;
    *word = (*word & (((uint64_t)1 << shift) - 1)) | (uint64_t)d << shift;
    node->depth++;
}

static inline void path_write(struct node_layout layout, const struct node *node, uint8_t *move)
{
    for (unsigned i = 0; i < node->depth; i++)
        move[i] = (uint8_t)(node_path(layout, node)[i / PATH_MOVES] >> i % PATH_MOVES * 2 & 3u);
}

#endif
