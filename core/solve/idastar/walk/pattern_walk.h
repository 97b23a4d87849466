/* SPDX-License-Identifier: MIT */
/*
 * A walk by databases, for those that expand its nodes: pattern.c with one lookup and its reflection,
 * lazy_round.c with many.
 */
#ifndef IDASTAR_PATTERN_WALK_H
#define IDASTAR_PATTERN_WALK_H

#include "solve/idastar/walk/idastar_kernel.h"
#include "solve/idastar/walk/node.h"
#include "solve/idastar/walk/transpositions.h"

#include <assert.h>

enum {
    WINDOW_MAX = 32, /* nodes that are expanded together, in tests; fewer else */
    STACK_MAX = 4096,
    NODE_WORDS_MAX = PACK_WORDS_MAX + PDB_SLOTS_MAX + PDB_SLOTS_MAX / 4 + PDB_SLOTS_MAX / 8 + LANES / 4 +
                     WALK_DEPTH_MAX / PATH_MOVES,
    NODE_BYTES_MAX = (sizeof(struct node) + (NODE_WORDS_MAX + 1) * sizeof(uint64_t) + LINE) / LINE * LINE
};

/* Nodes that are expanded together are numbered from the top of the stack on. The child of node i in
 * direction d has the number 4i + d. */
enum {
    CHILDREN = WINDOW_MAX * DIRECTION_COUNT,
    LIST = CHILDREN + DIRECTION_COUNT,
    QUERIES = (CHILDREN + 1) * PDB_LOOKUPS_MAX
};

/* A node that is being expanded. */
struct parent {
    struct node *node;
    uint16_t left;  /* moves that may follow, one of which leads to a child */
    uint16_t tight; /* lookups whose sum no child may exceed, a bit each */
    uint8_t within; /* the directions of the children within the iteration's bound, a bit each */
    uint8_t nearer; /* and of those that are nearer to the goal */
};

/* A child's change in a slot, and the place of the bit that gives the value. */
struct pattern_query {
    uint64_t mask;
    const uint64_t *word;
    uint32_t set;
    uint16_t order;
    uint8_t number; /* of the child */
    uint8_t slot, shift, value;
};

/* A child with many lookups. Its tile's slots are named by their ranks, those that prune most first. */
struct lazy_child {
    struct node *node; /* that it becomes; a scratch node until it is known to be within the bound */
    uint16_t tight;    /* ranks of the slots that may prune it, a bit each */
    bool pruned;
};

struct pattern_child {
    uint8_t from, tile;
    uint16_t bound;
    uint16_t sum[FEW_LOOKUPS]; /* pattern.c's, as are the queries */
    struct pattern_query query[FEW_LOOKUPS];
    struct lazy_child lazy;
};

/* By tile: its slots, those that prune most first, and the lookups that add each of them up. */
struct pruners {
    uint16_t lookups[PDB_LOOKUPS_MAX];
    uint8_t slot[PDB_LOOKUPS_MAX];
};

/* Pairs of a child and the rank of a slot. */
struct lazy_list {
    uint64_t bits[UINT8_MAX + 1]; /* the numbers of a byte's bits, a byte each */
    unsigned count;
    uint8_t number[QUERIES], rank[QUERIES];
};

struct pattern_walk;
typedef unsigned round_function(struct pattern_walk *own, unsigned most);

struct pattern_walk {
    struct idastar_walk walk;
    uint8_t open[GRID_CELLS_MAX]; /* the directions that stay on the grid, a bit each */
    struct node_layout layout;
    round_function *expand;
    size_t node_bytes;          /* that are used in this iteration: whole cache lines */
    unsigned height;            /* of the stack */
    unsigned spare_count, made; /* nodes to be used again; nodes that were used at all */
    struct parent parent[WINDOW_MAX];
    struct pattern_child child[CHILDREN];
    uint8_t asked[LIST], pushed[LIST]; /* numbers of children */
    struct pruners pruners[GRID_CELLS_MAX];
    struct lazy_list listed;
    unsigned query_count, raised_count; /* of this round */
    struct pattern_query queries[QUERIES];
    uint16_t raised[QUERIES]; /* queries that prune, by their number */
    struct node *stack[STACK_MAX];
    struct node *spare[STACK_MAX + WINDOW_MAX];
    _Alignas(LINE) uint8_t scratch[NODE_BYTES_MAX]; /* a node that nobody reads */
    _Alignas(LINE) uint8_t nodes[(STACK_MAX + WINDOW_MAX) * NODE_BYTES_MAX];
    struct transpositions transpositions; /* the last: memory ends with the entries that are used */
};

/* Begins an iteration with many lookups. */
void lazy_begin(struct pattern_walk *own);
/* Returns the function that expands nodes with many lookups. */
round_function *lazy_round_of(struct node_layout layout);

INLINE const struct pdb *pdb_of(const struct idastar_walk *walk)
{
    return ((const struct pattern_bound *)walk->heuristic)->pdb;
}

/* ---- nodes ---- */

INLINE struct node *node_new(struct pattern_walk *own)
{
    if (own->spare_count > 0)
        return own->spare[--own->spare_count];
    assert(own->node_bytes % LINE == 0 && own->node_bytes * (own->made + 1) <= sizeof own->nodes);
    return (struct node *)(void *)(own->nodes + own->node_bytes * own->made++);
}

INLINE void node_free(struct pattern_walk *own, struct node *node)
{
    assert(own->spare_count < own->made); /* each node is spare once */
    own->spare[own->spare_count++] = node;
}

INLINE struct node *node_copy(struct pattern_walk *own, const struct node *node)
{
    struct node *copy = node_new(own);
    for (size_t at = 0; at < own->node_bytes; at += LINE)
        memcpy((uint8_t *)copy + at, (const uint8_t *)node + at, LINE);
    return copy;
}

/* ---- lists of children ---- */

/* Adds the children of a node in so many directions, the last direction first. Writes four numbers, whatever
 * their number is: no branch depends on it. */
INLINE unsigned list_children(uint8_t *list, unsigned count, unsigned parent, unsigned ways)
{
    static const uint8_t listed[1 << DIRECTION_COUNT][DIRECTION_COUNT] = {
        {0}, {0},    {1},    {1, 0},    {2},    {2, 0},    {2, 1},    {2, 1, 0},
        {3}, {3, 0}, {3, 1}, {3, 1, 0}, {3, 2}, {3, 2, 0}, {3, 2, 1}, {3, 2, 1, 0},
    };
    uint32_t four;
    memcpy(&four, listed[ways], sizeof four);
    four += parent * DIRECTION_COUNT * 0x01010101u;
    memcpy(list + count, &four, sizeof four);
    return count + (unsigned)__builtin_popcount(ways);
}

/* ---- expanding ---- */

/* Takes nodes from the stack. Leaves out those that were entered before; returns how many are left. */
INLINE unsigned take_parents(struct pattern_walk *own, struct node_layout layout, unsigned most)
{
    assert(most <= own->height && most <= WINDOW_MAX);
    unsigned count = 0;
    for (unsigned i = 0; i < most; i++) {
        struct node *node = own->stack[--own->height];
        const unsigned left = own->walk.bound - node->depth;
        if (transpositions_entered(&own->transpositions, transpositions_key(node_state(node), layout.words),
                                   left))
            node_free(own, node);
        else
            own->parent[count++] = (struct parent){.node = node, .left = (uint16_t)left};
    }
    return count;
}

/* Finds which tile a child moves. */
INLINE struct pattern_child *begin_child(struct pattern_walk *own, const struct pdb *pdb,
                                         struct node_layout layout, unsigned number)
{
    const struct node *node = own->parent[number / DIRECTION_COUNT].node;
    struct pattern_child *child = &own->child[number];
    unsigned from = pdb->grid.neighbour[node->blank][number % DIRECTION_COUNT];
    child->from = (uint8_t)from;
    child->tile = (uint8_t)node_tile(layout, &own->transpositions.plan, node, from);
    return child;
}

/* Finds the place of a child in a slot, and prefetches what the index has of the set. */
INLINE void place_query(const struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                        struct pattern_query *query, unsigned number, unsigned at)
{
    const struct node *node = own->parent[number / DIRECTION_COUNT].node;
    const struct pdb_slot *slot = &pdb->slot[at];
    const unsigned from = slot->map[own->child[number].from];
    struct pdb_place place = {node_mask(layout, node, at), node_orders(layout, node)[at]};
    place = pdb_place_moved(slot, place, from, slot->map[node->blank]);
    query->mask = place.mask;
    query->order = (uint16_t)place.order;
    query->set = pdb_set_of(slot, place.mask, layout.words == 1);
    query->number = (uint8_t)number;
    query->slot = (uint8_t)at;
    query->shift = (uint8_t)from; /* until it is asked */
    __builtin_prefetch(slot->index + query->set);
}

/* Prefetches the bit. */
INLINE void ask_query(const struct pdb *pdb, struct node_layout layout, struct pattern_query *query)
{
    const struct pdb_bit bit =
        pdb_bit_in_set(&pdb->slot[query->slot], query->set, query->order, query->shift, layout.words == 1);
    query->word = bit.word;
    query->shift = (uint8_t)bit.shift;
    __builtin_prefetch(bit.word);
}

/* Returns the value there, which was that of the node before. */
INLINE unsigned read_query(struct pattern_query *query, unsigned before)
{
    const unsigned value = pdb_value_next(before, (struct pdb_bit){query->word, query->shift});
    query->value = (uint8_t)value;
    return value;
}

/* Notes a child that is within the bound. */
INLINE void keep_child(struct pattern_walk *own, unsigned number, unsigned bound)
{
    struct parent *parent = &own->parent[number / DIRECTION_COUNT];
    const unsigned d = number % DIRECTION_COUNT;
    own->child[number].bound = (uint16_t)bound;
    own->walk.near += walk_nearness(&own->walk, bound);
    parent->within |= (uint8_t)(1u << d);
    parent->nearer |= (uint8_t)((bound < parent->node->bound) << d);
    if (bound > 0)
        return;
    path_write(own->layout, parent->node, own->walk.move);
    own->walk.move[parent->node->depth] = (uint8_t)d;
    own->walk.depth = parent->node->depth + 1u;
    own->walk.found = true;
}

/* Lists a node's children within the bound, those nearer to the goal last. */
INLINE unsigned list_within(struct pattern_walk *own, unsigned count, unsigned number)
{
    const struct parent *parent = &own->parent[number];
    count = list_children(own->pushed, count, number, parent->within & ~(unsigned)parent->nearer);
    return list_children(own->pushed, count, number, parent->within & parent->nearer);
}

/* Makes the child a node that knows all but what the databases say of its move. */
INLINE struct node *make_child(struct pattern_walk *own, struct node_layout layout, unsigned number)
{
    const struct pattern_child *child = &own->child[number];
    struct node *node = node_copy(own, own->parent[number / DIRECTION_COUNT].node);
    node_move_tile(layout, &own->transpositions.plan, node, node->blank, child->from, child->tile);
    __builtin_prefetch(
        transpositions_pair(&own->transpositions, transpositions_key(node_state(node), layout.words)));
    node->blank = child->from;
    node->ways = own->open[child->from] & (uint8_t) ~(1u << (number % DIRECTION_COUNT ^ 1u));
    path_append(layout, node, number % DIRECTION_COUNT);
    return node;
}

/* Makes the child a node by its queries, one for each of the few lookups. */
INLINE struct node *make_queried(struct pattern_walk *own, struct node_layout layout, unsigned number)
{
    const struct pattern_child *child = &own->child[number];
    struct node *node = make_child(own, layout, number);
    for (unsigned i = 0; i < layout.lookups; i++) {
        const struct pattern_query *query = &child->query[i];
        node_set_mask(layout, node, query->slot, query->mask);
        node_orders(layout, node)[query->slot] = query->order;
        node_values(layout, node)[query->slot] = query->value;
    }
    memcpy(node_sums(layout, node), child->sum, sizeof child->sum);
    return node;
}

/* Puts the child on the stack. */
INLINE void push_child(struct pattern_walk *own, struct node_layout layout, unsigned number)
{
    const struct pattern_child *child = &own->child[number];
    struct node *node = layout.lookups > FEW_LOOKUPS ? child->lazy.node : make_queried(own, layout, number);
    node->bound = child->bound;
    assert(own->height < STACK_MAX && node->depth + node->bound <= own->walk.bound);
    own->stack[own->height++] = node;
}

/* Puts the listed children on the stack, and frees the expanded nodes. */
INLINE void end_round(struct pattern_walk *own, struct node_layout layout, unsigned parents, unsigned asked)
{
    unsigned pushed = 0;
    for (unsigned i = parents; i-- > 0;)
        pushed = list_within(own, pushed, i);
    assert(pushed <= asked && asked <= CHILDREN);
    for (unsigned i = 0; i < pushed; i++)
        push_child(own, layout, own->pushed[i]);
    for (unsigned i = 0; i < parents; i++)
        node_free(own, own->parent[i].node);
    own->walk.expanded += parents;
    own->walk.generated += asked;
}

#endif
