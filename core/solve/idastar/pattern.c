/* SPDX-License-Identifier: MIT */
/*
 * Walks by additive pattern databases. The tables are far larger than the caches, so a walk waits for memory
 * unless it has something else to do. It keeps the nodes that are still to be expanded in a stack, in the
 * order of a depth-first search, and expands those on top together. First the table entries of all their
 * children are asked for, then they are read: the cache misses overlap.
 *
 * A move touches one pattern of each lookup. Children that are nearer to the goal than their parent go first:
 * in the last iteration they find it sooner. A child whose bound exceeds its parent's by more than one raises
 * the parent's (pathmax), which may show that the parent is beyond the iteration's bound.
 */
#include "solve/idastar/kernel.h"
#include "solve/idastar/seen.h"
#include "solve/pdb/pdb.h"
#include "solve/pdb/popcount.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    WINDOW = 16, /* nodes that are expanded together, at most */
    STACK_MAX = 4096,
    /* Above that one node is expanded at a time: a depth-first search adds two nodes for each move at most.
     */
    STACK_WIDE = STACK_MAX - 2 * WALK_DEPTH_MAX - 3 * WINDOW,
    PATH_MOVES = 32, /* in a word of a path, two bits each */
    LINE = 64
};

/* One pattern's part of a node. */
struct part {
    struct pdb_place place;
    uint32_t value;
};

/* A node that is generated and within the bound. The parts are followed by the path. */
struct node {
    uint64_t state[SEEN_WORDS];
    uint16_t depth;
    uint16_t sum[PDB_LOOKUPS_MAX];
    uint8_t blank;
    uint8_t tile[GRID_CELLS_MAX]; /* any at the blank */
    struct part part[];
};

enum {
    NODE_BYTES = (sizeof(struct node) + PDB_SLOTS_MAX * sizeof(struct part) +
                  (WALK_DEPTH_MAX / PATH_MOVES + 1) * sizeof(uint64_t) + LINE) /
                 LINE * LINE
};

/* The changes that a move would make to a node, and where the values are that it asks for. */
struct child {
    struct pdb_place place[PDB_LOOKUPS_MAX];
    const uint8_t *entry[PDB_LOOKUPS_MAX];
    uint32_t value[PDB_LOOKUPS_MAX];
    uint16_t sum[PDB_LOOKUPS_MAX];
};

struct expansion {
    struct node *node;
    unsigned ways; /* directions, a bit each */
    struct child child[DIRECTION_COUNT];
};

struct pattern_walk {
    struct walk walk;
    uint8_t open[GRID_CELLS_MAX]; /* the directions that stay on the grid, a bit each */
    size_t node_bytes;            /* that are used in this iteration: whole cache lines */
    unsigned height;              /* of the stack */
    unsigned spare_count, made;   /* nodes to be used again; nodes that were used at all */
    struct node *stack[STACK_MAX];
    struct node *spare[STACK_MAX];
    struct expansion window[WINDOW];
    struct seen seen;
    _Alignas(LINE) uint8_t nodes[STACK_MAX + WINDOW][NODE_BYTES];
};

/* ---- nodes ---- */

INLINE struct node *node_new(struct pattern_walk *own)
{
    return own->spare_count > 0 ? own->spare[--own->spare_count] : (struct node *)own->nodes[own->made++];
}

INLINE void node_free(struct pattern_walk *own, struct node *node)
{
    own->spare[own->spare_count++] = node;
}

INLINE struct node *node_copy(struct pattern_walk *own, const struct node *node)
{
    struct node *copy = node_new(own);
    for (size_t at = 0; at < own->node_bytes; at += LINE)
        memcpy((uint8_t *)copy + at, (const uint8_t *)node + at, LINE);
    return copy;
}

INLINE const uint64_t *path_word(const struct pdb *pdb, const struct node *node, unsigned depth)
{
    return (const uint64_t *)(const void *)(node->part + pdb->slots) + depth / PATH_MOVES;
}

INLINE unsigned path_move(const struct pdb *pdb, const struct node *node, unsigned depth)
{
    return (unsigned)(*path_word(pdb, node, depth) >> depth % PATH_MOVES * 2) & 3u;
}

INLINE void path_append(const struct pdb *pdb, struct node *node, unsigned d)
{
    uint64_t *word = (uint64_t *)(void *)(node->part + pdb->slots) + node->depth / PATH_MOVES;
    unsigned shift = node->depth % PATH_MOVES * 2;
    *word = (shift == 0 ? 0 : *word & (((uint64_t)1 << shift) - 1)) | (uint64_t)d << shift;
    node->depth++;
}

static void write_path(const struct pdb *pdb, const struct node *node, uint8_t *move)
{
    for (unsigned i = 0; i < node->depth; i++)
        move[i] = (uint8_t)path_move(pdb, node, i);
}

INLINE unsigned greater_sum(const uint16_t sum[PDB_LOOKUPS_MAX])
{
    return sum[0] > sum[1] ? sum[0] : sum[1];
}

/* ---- expanding ---- */

/* Asks for the entries of the children. */
INLINE void ask(struct pattern_walk *own, const struct pdb *pdb, unsigned lookups,
                struct expansion *expansion)
{
    const struct node *node = expansion->node;
    unsigned ways = own->open[node->blank];
    if (node->depth > 0)
        ways &= ~(1u << (path_move(pdb, node, node->depth - 1u) ^ 1u));
    expansion->ways = ways;
    own->walk.expanded++;
    for (; ways != 0; ways &= ways - 1) {
        unsigned d = (unsigned)__builtin_ctz(ways);
        unsigned from = pdb->grid.neighbour[node->blank][d];
        unsigned tile = node->tile[from];
        struct child *child = &expansion->child[d];
        own->walk.generated++;
        for (unsigned lookup = 0; lookup < lookups; lookup++) {
            unsigned number = pdb->slot_of[lookup][tile];
            const struct pdb_slot *slot = &pdb->slot[number];
            child->place[lookup] =
                pdb_place_moved(slot, node->part[number].place, slot->map[from], slot->map[node->blank]);
            child->entry[lookup] = pdb_entry(slot, child->place[lookup]);
            __builtin_prefetch(child->entry[lookup]);
        }
    }
}

/* Reads what was asked for. Returns the child's lower bound. */
INLINE unsigned read_child(const struct pdb *pdb, unsigned lookups, const struct node *node,
                           struct child *child, unsigned d)
{
    unsigned tile = node->tile[pdb->grid.neighbour[node->blank][d]];
    unsigned bound = 0;
    for (unsigned lookup = 0; lookup < lookups; lookup++) {
        unsigned sum = node->sum[lookup] - node->part[pdb->slot_of[lookup][tile]].value;
        child->value[lookup] = *child->entry[lookup];
        sum += child->value[lookup];
        child->sum[lookup] = (uint16_t)sum;
        bound = sum > bound ? sum : bound;
    }
    return bound;
}

/* Makes the node its child, and puts it on the stack. */
INLINE void push_child(struct pattern_walk *own, const struct pdb *pdb, unsigned lookups, struct node *node,
                       const struct child *child, unsigned d)
{
    unsigned from = pdb->grid.neighbour[node->blank][d];
    unsigned tile = node->tile[from];
    for (unsigned lookup = 0; lookup < lookups; lookup++) {
        struct part *part = &node->part[pdb->slot_of[lookup][tile]];
        *part = (struct part){child->place[lookup], child->value[lookup]};
        node->sum[lookup] = child->sum[lookup];
    }
    seen_move(&own->seen, node->state, node->blank, from, tile);
    __builtin_prefetch(seen_entry(&own->seen, node->state));
    node->tile[node->blank] = (uint8_t)tile;
    node->blank = (uint8_t)from;
    path_append(pdb, node, d);
    own->stack[own->height++] = node;
}

static void keep_goal(struct walk *walk, const struct node *parent, unsigned d)
{
    write_path(walk->heuristic, parent, walk->move);
    walk->move[parent->depth] = (uint8_t)d;
    walk->depth = parent->depth + 1u;
    walk->found = true;
}

/* Puts the children that are within the bound on the stack, the nearer ones on top, and uses the node up. */
INLINE void answer(struct pattern_walk *own, const struct pdb *pdb, unsigned lookups,
                   struct expansion *expansion)
{
    struct node *node = expansion->node;
    unsigned here = greater_sum(node->sum);
    unsigned left = own->walk.bound - node->depth; /* moves that may follow, one of which leads to a child */
    unsigned within = 0;
    unsigned nearer = 0;
    unsigned highest = 0;
    for (unsigned ways = expansion->ways; ways != 0; ways &= ways - 1) {
        unsigned d = (unsigned)__builtin_ctz(ways);
        unsigned value = read_child(pdb, lookups, node, &expansion->child[d], d);
        if (value == 0)
            keep_goal(&own->walk, node, d);
        highest = value > highest ? value : highest;
        within |= (unsigned)(value < left) << d;
        nearer |= (unsigned)(value < here) << d;
    }
    if (highest > left + 1)
        within = 0;
    while (within != 0) {
        unsigned farther = within & ~nearer;
        unsigned d = 31u - (unsigned)__builtin_clz(farther != 0 ? farther : within);
        within &= ~(1u << d);
        push_child(own, pdb, lookups, within != 0 ? node_copy(own, node) : node, &expansion->child[d], d);
        node = within != 0 ? node : NULL;
    }
    if (node != NULL)
        node_free(own, node);
}

/* Expands the uppermost nodes of the stack, and returns how many it has taken. */
INLINE unsigned round_body(struct pattern_walk *own, unsigned lookups, unsigned most)
{
    const struct pdb *pdb = own->walk.heuristic;
    unsigned taken = own->height < most ? own->height : most;
    unsigned asked = 0;
    for (unsigned i = 0; i < taken; i++) {
        struct node *node = own->stack[--own->height];
        if (seen_before(&own->seen, node->state, own->walk.bound, node->depth)) {
            node_free(own, node);
            continue;
        }
        own->window[asked].node = node;
        ask(own, pdb, lookups, &own->window[asked++]);
    }
    while (asked > 0)
        answer(own, pdb, lookups, &own->window[--asked]);
    return taken;
}

static unsigned round_plain(struct pattern_walk *own, unsigned most)
{
    const struct pdb *pdb = own->walk.heuristic;
    return round_body(own, pdb->lookups, most);
}

POPCOUNT_TARGET static unsigned round_twice(struct pattern_walk *own, unsigned most)
{
    return round_body(own, PDB_LOOKUPS_MAX, most);
}

POPCOUNT_TARGET static unsigned round_once(struct pattern_walk *own, unsigned most)
{
    return round_body(own, 1, most);
}

typedef unsigned round_function(struct pattern_walk *own, unsigned most);

static round_function *round_of(const struct walk *walk)
{
    const struct pdb *pdb = walk->heuristic;
    if (!POPCOUNT_PRESENT)
        return round_plain;
    return pdb->lookups == 1 ? round_once : round_twice;
}

/* ---- the kernel ---- */

static void pattern_begin(struct walk *walk)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    const struct pdb *pdb = walk->heuristic;
    size_t path_words = walk->bound / PATH_MOVES + 1;
    size_t bytes = sizeof(struct node) + pdb->slots * sizeof(struct part) + path_words * sizeof(uint64_t);
    own->node_bytes = (bytes + LINE - 1) / LINE * LINE;
    own->height = own->spare_count = own->made = 0;
    seen_init(&own->seen, pdb->grid.cells);
    for (unsigned cell = 0; cell < pdb->grid.cells; cell++) {
        own->open[cell] = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (pdb->grid.neighbour[cell][d] != GRID_NO_CELL)
                own->open[cell] |= (uint8_t)(1u << d);
    }
}

static void pattern_add(struct walk *walk, const struct board *root)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    const struct pdb *pdb = walk->heuristic;
    struct pdb_place places[PDB_SLOTS_MAX];
    struct node *node = node_new(own);
    pdb_places(pdb, root, places);
    memset(node, 0, sizeof *node);
    for (unsigned i = 0; i < pdb->slots; i++) {
        node->part[i] = (struct part){places[i], *pdb_entry(&pdb->slot[i], places[i])};
        node->sum[i / pdb->partition.patterns] =
            (uint16_t)(node->sum[i / pdb->partition.patterns] + node->part[i].value);
    }
    seen_pack(&own->seen, root, node->state);
    memcpy(node->tile, root->tile, sizeof node->tile);
    node->blank = (uint8_t)board_blank(root);
    for (unsigned i = 0; i < walk->depth; i++)
        path_append(pdb, node, walk->move[i]);
    walk->found = node->sum[0] == 0;
    if (walk->depth + greater_sum(node->sum) <= walk->bound)
        own->stack[own->height++] = node;
    else
        node_free(own, node);
}

static bool pattern_holds(const struct walk *walk)
{
    return ((const struct pattern_walk *)walk)->height > 0;
}

static void pattern_run(struct walk *walk)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    round_function *expand = round_of(walk);
    while (own->height > 0 && !walk->found) {
        unsigned taken = expand(own, own->height > STACK_WIDE ? 1 : walk->window);
        walk->fuel -= taken < walk->fuel ? taken : walk->fuel;
        if (walk->fuel == 0 && walk_poll(walk))
            return;
    }
}

static bool pattern_next_cut(struct walk *walk)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    round_function *expand = round_of(walk);
    while (own->height > 0 && !walk->found) {
        struct node *node = own->stack[own->height - 1];
        unsigned depth = node->depth;
        if (walk_on_cut(walk, depth)) {
            write_path(walk->heuristic, node, walk->move);
            walk->depth = depth;
            own->height--;
            node_free(own, node);
            return true;
        }
        (void)expand(own, 1);
        walk_driven(walk, depth);
    }
    return false;
}

/* Gives away the lowest in the stack: the last in the walk's order. */
static unsigned pattern_give(struct walk *walk, unsigned deepest, uint8_t *move)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    if (own->height < 2 || own->stack[0]->depth > deepest)
        return 0;
    struct node *node = own->stack[0];
    unsigned depth = node->depth;
    write_path(walk->heuristic, node, move);
    node_free(own, node);
    own->height--;
    memmove(own->stack, own->stack + 1, own->height * sizeof(struct node *));
    return depth;
}

static void pattern_list(const struct walk *walk, subtree_function *function, void *context)
{
    const struct pattern_walk *own = (const struct pattern_walk *)walk;
    uint8_t move[WALK_DEPTH_MAX];
    for (unsigned i = own->height; i-- > 0;) {
        write_path(walk->heuristic, own->stack[i], move);
        function(context, move, own->stack[i]->depth);
    }
}

static void *pattern_remembered(struct walk *walk, size_t *bytes)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    seen_init(&own->seen, walk->grid->cells);
    *bytes = seen_bytes(&own->seen);
    return *bytes > 0 ? own->seen.entry : NULL;
}

static unsigned pattern_value(const void *heuristic, const struct board *board)
{
    return pdb_value(heuristic, board);
}

const struct walk_kernel pattern_kernel = {
    .walk_bytes = sizeof(struct pattern_walk),
    .window = WINDOW,
    .capacity = STACK_WIDE,
    .begin = pattern_begin,
    .add = pattern_add,
    .holds = pattern_holds,
    .run = pattern_run,
    .next_cut = pattern_next_cut,
    .give = pattern_give,
    .list = pattern_list,
    .remembered = pattern_remembered,
    .value = pattern_value,
};
