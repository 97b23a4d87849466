/* SPDX-License-Identifier: MIT */
/*
 * Walks by additive pattern databases. The tables are far larger than the caches, so a walk waits for memory
 * unless it has something else to do. It keeps the nodes that are still to be expanded in a stack, in the
 * order of a depth-first search, and expands those on top together. First the table entries of all their
 * children are asked for, then they are read: the cache misses overlap. Each step is one loop over all the
 * children, so that branches are rare and easy to predict.
 *
 * A move touches one pattern of each lookup, and changes its value by one: a bit tells in which direction.
 * Children that are nearer to the goal than their parent go first: in the last iteration they find it sooner.
 * The bound is consistent: no child can raise its parent's.
 */
#include "solve/idastar/kernel.h"
#include "solve/idastar/node.h"
#include "solve/idastar/seen.h"
#include "solve/pdb/processor.h"

enum {
    WINDOW = 16,     /* nodes that are expanded together */
    WINDOW_MAX = 32, /* and in tests */
    STACK_MAX = 4096,
    /* Above that one node is expanded at a time: a depth-first search adds two nodes for each move at most.
     */
    STACK_WIDE = STACK_MAX - 2 * WALK_DEPTH_MAX - 3 * WINDOW_MAX,
    NODE_WORDS_MAX =
        PACK_WORDS_MAX + PDB_SLOTS_MAX + PDB_SLOTS_MAX / 4 + PDB_SLOTS_MAX / 8 + WALK_DEPTH_MAX / PATH_MOVES,
    NODE_BYTES_MAX = (sizeof(struct node) + (NODE_WORDS_MAX + 1) * sizeof(uint64_t) + LINE) / LINE * LINE
};

/* Nodes that are expanded together are numbered from the top of the stack on. The child of node i in
 * direction d has the number 4i + d. */
enum { CHILDREN = WINDOW_MAX * DIRECTION_COUNT, LIST = CHILDREN + DIRECTION_COUNT };

/* A node that is being expanded. */
struct parent {
    struct node *node;
    uint16_t here;  /* its lower bound */
    uint16_t left;  /* moves that may follow, one of which leads to a child */
    uint8_t within; /* the directions of the children within the iteration's bound, a bit each */
    uint8_t nearer; /* and of those that are nearer to the goal */
};

/* The changes that a move would make to a node, and where the values are that it asks for. */
struct child {
    const uint64_t *word[PDB_LOOKUPS_MAX];
    uint64_t mask[PDB_LOOKUPS_MAX];
    uint16_t order[PDB_LOOKUPS_MAX];
    uint16_t sum[PDB_LOOKUPS_MAX];
    uint8_t value[PDB_LOOKUPS_MAX];
    uint8_t slot[PDB_LOOKUPS_MAX];
    uint8_t shift[PDB_LOOKUPS_MAX];
    uint8_t from, tile;
};

struct pattern_walk;
typedef unsigned round_function(struct pattern_walk *own, unsigned most);

struct pattern_walk {
    struct walk walk;
    uint8_t open[GRID_CELLS_MAX]; /* the directions that stay on the grid, a bit each */
    struct layout layout;
    round_function *expand;
    size_t node_bytes;          /* that are used in this iteration: whole cache lines */
    unsigned height;            /* of the stack */
    unsigned spare_count, made; /* nodes to be used again; nodes that were used at all */
    struct parent parent[WINDOW_MAX];
    struct child child[CHILDREN];
    uint8_t asked[LIST], pushed[LIST]; /* numbers of children */
    struct node *stack[STACK_MAX];
    struct node *spare[STACK_MAX + WINDOW_MAX];
    struct seen seen;
    _Alignas(LINE) uint8_t nodes[(STACK_MAX + WINDOW_MAX) * NODE_BYTES_MAX];
};

INLINE const struct pdb *pdb_of(const struct walk *walk)
{
    return ((const struct pattern_bound *)walk->heuristic)->pdb;
}

/* ---- nodes ---- */

INLINE struct node *node_new(struct pattern_walk *own)
{
    if (own->spare_count > 0)
        return own->spare[--own->spare_count];
    return (struct node *)(void *)(own->nodes + own->node_bytes * own->made++);
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

INLINE unsigned greater_sum(const uint16_t sum[PDB_LOOKUPS_MAX])
{
    return sum[0] > sum[1] ? sum[0] : sum[1];
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
INLINE unsigned take_parents(struct pattern_walk *own, struct layout layout, unsigned most)
{
    unsigned count = 0;
    for (unsigned i = 0; i < most; i++) {
        struct node *node = own->stack[--own->height];
        unsigned here = greater_sum(node->sum);
        if (seen_before(&own->seen, seen_key(node_state(node), layout.words), own->walk.bound, node->depth))
            node_free(own, node);
        else
            own->parent[count++] = (struct parent){
                .node = node, .here = (uint16_t)here, .left = (uint16_t)(own->walk.bound - node->depth)};
    }
    return count;
}

/* Prefetches the entries of a child. */
INLINE void ask(struct pattern_walk *own, const struct pdb *pdb, struct layout layout, unsigned number)
{
    const struct node *node = own->parent[number / DIRECTION_COUNT].node;
    struct child *child = &own->child[number];
    unsigned blank = node->blank;
    unsigned from = pdb->grid.neighbour[blank][number % DIRECTION_COUNT];
    unsigned tile = node_tile(layout, &own->seen.plan, node, from);
    child->from = (uint8_t)from;
    child->tile = (uint8_t)tile;
    for (unsigned lookup = 0; lookup < layout.lookups; lookup++) {
        unsigned at = pdb->slot_of[lookup][tile];
        const struct pdb_slot *slot = &pdb->slot[at];
        struct pdb_place place = {node_masks(layout, node)[at], node_orders(layout, node)[at]};
        place = pdb_place_moved(slot, place, slot->map[from], slot->map[blank]);
        child->slot[lookup] = (uint8_t)at;
        child->mask[lookup] = place.mask;
        child->order[lookup] = (uint16_t)place.order;
        const struct pdb_bit bit = pdb_bit_of(slot, place, slot->map[from], layout.words == 1);
        child->word[lookup] = bit.word;
        child->shift[lookup] = (uint8_t)bit.shift;
        __builtin_prefetch(bit.word);
    }
}

static void keep_goal(struct pattern_walk *own, const struct node *parent, unsigned d)
{
    path_write(own->layout, parent, own->walk.move);
    own->walk.move[parent->depth] = (uint8_t)d;
    own->walk.depth = parent->depth + 1u;
    own->walk.found = true;
}

/* Reads the entries of a child, and compares its bound with its parent's. */
INLINE void read_child(struct pattern_walk *own, struct layout layout, unsigned number)
{
    struct parent *parent = &own->parent[number / DIRECTION_COUNT];
    struct child *child = &own->child[number];
    unsigned d = number % DIRECTION_COUNT;
    unsigned bound = 0;
    for (unsigned lookup = 0; lookup < layout.lookups; lookup++) {
        unsigned before = node_values(layout, parent->node)[child->slot[lookup]];
        unsigned value = pdb_value_next(before, (struct pdb_bit){child->word[lookup], child->shift[lookup]});
        unsigned sum = parent->node->sum[lookup] - before + value;
        child->value[lookup] = (uint8_t)value;
        child->sum[lookup] = (uint16_t)sum;
        bound = sum > bound ? sum : bound;
    }
    if (bound == 0)
        keep_goal(own, parent->node, d);
    parent->within |= (uint8_t)((bound < parent->left) << d);
    parent->nearer |= (uint8_t)((bound < parent->here) << d);
}

/* Lists a node's children within the bound, those nearer to the goal last. */
INLINE unsigned list_within(struct pattern_walk *own, unsigned count, unsigned number)
{
    const struct parent *parent = &own->parent[number];
    count = list_children(own->pushed, count, number, parent->within & ~(unsigned)parent->nearer);
    return list_children(own->pushed, count, number, parent->within & parent->nearer);
}

/* Makes the child a node, and puts it on the stack. */
INLINE void push_child(struct pattern_walk *own, struct layout layout, unsigned number)
{
    const struct child *child = &own->child[number];
    struct node *node = node_copy(own, own->parent[number / DIRECTION_COUNT].node);
    unsigned d = number % DIRECTION_COUNT;
    for (unsigned lookup = 0; lookup < layout.lookups; lookup++) {
        unsigned at = child->slot[lookup];
        node_masks(layout, node)[at] = child->mask[lookup];
        node_orders(layout, node)[at] = child->order[lookup];
        node_values(layout, node)[at] = child->value[lookup];
        node->sum[lookup] = child->sum[lookup];
    }
    node_move_tile(layout, &own->seen.plan, node, node->blank, child->from, child->tile);
    __builtin_prefetch(seen_entry(&own->seen, seen_key(node_state(node), layout.words)));
    node->blank = child->from;
    node->ways = own->open[child->from] & (uint8_t) ~(1u << (d ^ 1u));
    path_append(layout, node, d);
    own->stack[own->height++] = node;
}

/* Expands the uppermost nodes of the stack, and returns how many it has taken. Asks for the children of the
 * lowest node first, since they are also read and pushed first. */
INLINE unsigned round_body(struct pattern_walk *own, struct layout layout, unsigned most)
{
    const struct pdb *pdb = pdb_of(&own->walk);
    unsigned taken = own->height < most ? own->height : most;
    unsigned parents = take_parents(own, layout, taken);
    unsigned asked = 0;
    unsigned pushed = 0;
    for (unsigned i = parents; i-- > 0;)
        asked = list_children(own->asked, asked, i, own->parent[i].node->ways);
    for (unsigned i = 0; i < asked; i++)
        ask(own, pdb, layout, own->asked[i]);
    for (unsigned i = 0; i < asked; i++)
        read_child(own, layout, own->asked[i]);
    for (unsigned i = parents; i-- > 0;)
        pushed = list_within(own, pushed, i);
    for (unsigned i = 0; i < pushed; i++)
        push_child(own, layout, own->pushed[i]);
    for (unsigned i = 0; i < parents; i++)
        node_free(own, own->parent[i].node);
    own->walk.expanded += parents;
    own->walk.generated += asked;
    return taken;
}

static unsigned round_plain(struct pattern_walk *own, unsigned most)
{
    return round_body(own, own->layout, most);
}

V3_TARGET static unsigned round_v3(struct pattern_walk *own, unsigned most)
{
    return round_body(own, own->layout, most);
}

/* As 4x4 by 7-8. */
V3_TARGET static unsigned round_two_patterns(struct pattern_walk *own, unsigned most)
{
    return round_body(own, (struct layout){.words = 1, .lookups = 2, .slots = 4}, most);
}

/* As 5x5 by 6-6-6-6. */
V3_TARGET static unsigned round_four_patterns(struct pattern_walk *own, unsigned most)
{
    return round_body(own, (struct layout){.words = 2, .lookups = 2, .slots = 8}, most);
}

static round_function *round_of(struct layout layout)
{
    if (!V3_PRESENT)
        return round_plain;
    if (layout.words == 1 && layout.lookups == 2 && layout.slots == 4)
        return round_two_patterns;
    if (layout.words == 2 && layout.lookups == 2 && layout.slots == 8)
        return round_four_patterns;
    return round_v3;
}

/* ---- the kernel ---- */

static void pattern_begin(struct walk *walk)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    const struct pdb *pdb = pdb_of(walk);
    seen_init(&own->seen, pdb->grid.cells);
    own->layout =
        (struct layout){.words = own->seen.plan.words, .lookups = pdb->lookups, .slots = pdb->slots};
    own->expand = round_of(own->layout);
    own->node_bytes = node_bytes(own->layout, walk->bound);
    own->height = own->spare_count = own->made = 0;
    for (unsigned cell = 0; cell < pdb->grid.cells; cell++) {
        own->open[cell] = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (pdb->grid.neighbour[cell][d] != GRID_NO_CELL)
                own->open[cell] |= (uint8_t)(1u << d);
    }
}

/* Plays the walk's moves from the start, whose values are known. */
static void pattern_add(struct walk *walk, const struct board *root)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    const struct pdb *pdb = pdb_of(walk);
    struct layout layout = own->layout;
    struct pdb_state state = *((const struct pattern_bound *)walk->heuristic)->start;
    struct node *node = node_new(own);
    for (unsigned i = 0; i < walk->depth; i++)
        pdb_state_move(pdb, &state, pdb->grid.neighbour[state.blank][walk->move[i]]);
    memset(node, 0, own->node_bytes);
    for (unsigned i = 0; i < pdb->slots; i++) {
        uint16_t *sum = &node->sum[i / pdb->partition.patterns];
        node_masks(layout, node)[i] = state.place[i].mask;
        node_orders(layout, node)[i] = (uint16_t)state.place[i].order;
        node_values(layout, node)[i] = state.value[i];
        *sum = (uint16_t)(*sum + state.value[i]);
    }
    pack_board(&own->seen.plan, root, node->array);
    node->blank = (uint8_t)board_blank(root);
    node->ways = (uint8_t)walk_ways(own->open[node->blank], walk->depth, walk->move);
    for (unsigned i = 0; i < walk->depth; i++)
        path_append(layout, node, walk->move[i]);
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
    while (own->height > 0 && !walk->found) {
        unsigned taken = own->expand(own, own->height > STACK_WIDE ? 1 : walk->window);
        walk->fuel -= taken < walk->fuel ? taken : walk->fuel;
        if (walk->fuel == 0 && walk_poll(walk))
            return;
    }
}

static bool pattern_next_cut(struct walk *walk)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    while (own->height > 0 && !walk->found) {
        struct node *node = own->stack[own->height - 1];
        unsigned depth = node->depth;
        if (walk_on_cut(walk, depth)) {
            path_write(own->layout, node, walk->move);
            walk->depth = depth;
            own->height--;
            node_free(own, node);
            return true;
        }
        (void)own->expand(own, 1);
        walk_driven(walk, depth);
    }
    return false;
}

/* Gives away the node at the bottom of the stack, which is the last in the walk's order. */
static unsigned pattern_give(struct walk *walk, unsigned deepest, uint8_t *move)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    if (own->height < 2 || own->stack[0]->depth > deepest)
        return 0;
    struct node *node = own->stack[0];
    unsigned depth = node->depth;
    path_write(own->layout, node, move);
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
        path_write(own->layout, own->stack[i], move);
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
    const struct pattern_bound *bound = heuristic;
    const bool known = memcmp(board->tile, bound->start->board.tile, board->cells) == 0;
    return known ? pdb_state_bound(bound->pdb, bound->start) : pdb_value(bound->pdb, board);
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
