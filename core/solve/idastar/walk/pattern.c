/* SPDX-License-Identifier: MIT */
/*
 * Walks by additive pattern databases. The tables are far larger than the caches, so a walk waits for memory
 * unless it has something else to do. It keeps the nodes that are still to be expanded in a stack, in the
 * order of a depth-first search, and expands those on top together. First the table entries of all their
 * children are asked for, then they are read: the cache misses overlap. Each step is one loop over all the
 * children, so that branches are rare and easy to predict.
 *
 * A move touches one pattern of each lookup, and changes its value by one: a bit says in which direction.
 * Children that are nearer to the goal than their parent go first: in the last iteration they find it sooner.
 * The bound is consistent: no child can raise its parent's.
 */
#include "solve/idastar/walk/pattern_walk.h"

#include <assert.h>
#include <stddef.h>

enum {
    WINDOW = 16, /* nodes that are expanded together */
    /* Above that one node is expanded at a time: a depth-first search adds two nodes for each move at most.
     */
    STACK_WIDE = STACK_MAX - 2 * WALK_DEPTH_MAX - 3 * WINDOW_MAX
};

/* Finds the places of a child. */
INLINE void place_pattern(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                          unsigned number)
{
    struct pattern_child *child = begin_child(own, pdb, layout, number);
    for (unsigned lookup = 0; lookup < layout.lookups; lookup++)
        place_query(own, pdb, layout, &child->query[lookup], number, pdb->touched[child->tile][lookup]);
}

/* Prefetches the entries of a child. */
INLINE void ask_pattern(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                        unsigned number)
{
    for (unsigned lookup = 0; lookup < layout.lookups; lookup++)
        ask_query(pdb, layout, &own->child[number].query[lookup]);
}

/* Reads the entries of a child. */
INLINE void read_child(struct pattern_walk *own, struct node_layout layout, unsigned number)
{
    const struct parent *parent = &own->parent[number / DIRECTION_COUNT];
    struct pattern_child *child = &own->child[number];
    unsigned bound = 0;
    for (unsigned lookup = 0; lookup < layout.lookups; lookup++) {
        struct pattern_query *query = &child->query[lookup];
        const unsigned before = node_values(layout, parent->node)[query->slot];
        const unsigned sum = node_sums(layout, parent->node)[lookup] - before + read_query(query, before);
        child->sum[lookup] = (uint16_t)sum;
        bound = sum > bound ? sum : bound;
    }
    if (bound < parent->left)
        keep_child(own, number, bound);
}

/* Expands the uppermost nodes of the stack, and returns how many it has taken. Asks for the children of the
 * lowest node first, since they are also read and pushed first. */
INLINE unsigned round_body(struct pattern_walk *own, struct node_layout layout, unsigned most)
{
    const struct pdb *pdb = pdb_of(&own->walk);
    unsigned taken = own->height < most ? own->height : most;
    unsigned parents = take_parents(own, layout, taken);
    unsigned asked = 0;
    for (unsigned i = parents; i-- > 0;)
        asked = list_children(own->asked, asked, i, own->parent[i].node->ways);
    for (unsigned i = 0; i < asked; i++)
        place_pattern(own, pdb, layout, own->asked[i]);
    for (unsigned i = 0; i < asked; i++)
        ask_pattern(own, pdb, layout, own->asked[i]);
    for (unsigned i = 0; i < asked; i++)
        read_child(own, layout, own->asked[i]);
    end_round(own, layout, parents, asked);
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
    return round_body(own, (struct node_layout){.words = 1, .lookups = 2, .slots = 4}, most);
}

/* As 5x5 by 6-6-6-6. */
V3_TARGET static unsigned round_four_patterns(struct pattern_walk *own, unsigned most)
{
    return round_body(own, (struct node_layout){.words = 2, .lookups = 2, .slots = 8}, most);
}

static round_function *round_of(struct node_layout layout)
{
    if (layout.lookups > FEW_LOOKUPS)
        return lazy_round_of(layout);
    if (!V3_PRESENT)
        return round_plain;
    if (layout.words == 1 && layout.lookups == 2 && layout.slots == 4)
        return round_two_patterns;
    if (layout.words == 2 && layout.lookups == 2 && layout.slots == 8)
        return round_four_patterns;
    return round_v3;
}

/* ---- the kernel ---- */

static size_t pattern_walk_bytes(unsigned cells, unsigned remember)
{
    return offsetof(struct pattern_walk, transpositions.entry) + transpositions_bytes(cells, remember);
}

static void pattern_begin(struct idastar_walk *walk)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    const struct pdb *pdb = pdb_of(walk);
    transpositions_init(&own->transpositions, pdb->grid.cells, walk->remember);
    own->layout = (struct node_layout){
        .words = own->transpositions.plan.words, .lookups = pdb->lookups, .slots = pdb->slots};
    own->expand = round_of(own->layout);
    own->node_bytes = node_bytes(own->layout, walk->bound);
    own->height = own->spare_count = own->made = 0;
    assert(own->node_bytes <= NODE_BYTES_MAX && walk->window <= WINDOW_MAX);
    lazy_begin(own);
    for (unsigned cell = 0; cell < pdb->grid.cells; cell++) {
        own->open[cell] = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (pdb->grid.neighbour[cell][d] != GRID_NO_CELL)
                own->open[cell] |= (uint8_t)(1u << d);
    }
}

/* Plays the walk's moves from the start, whose values are known. */
static void pattern_add(struct idastar_walk *walk, const struct board *root)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    const struct pdb *pdb = pdb_of(walk);
    struct node_layout layout = own->layout;
    struct pdb_state state = *((const struct pattern_bound *)walk->heuristic)->start;
    struct node *node = node_new(own);
    for (unsigned i = 0; i < walk->depth; i++)
        pdb_state_move(pdb, &state, pdb->grid.neighbour[state.blank][walk->move[i]]);
    memset(node, 0, own->node_bytes);
    for (unsigned i = 0; i < pdb->slots; i++) {
        node_set_mask(layout, node, i, state.place[i].mask);
        node_orders(layout, node)[i] = (uint16_t)state.place[i].order;
        node_values(layout, node)[i] = state.value[i];
    }
    for (unsigned i = 0; i < pdb->lookups; i++)
        node_sums(layout, node)[i] = (uint16_t)pdb_state_sum(pdb, &state, i);
    node->bound = (uint16_t)pdb_state_bound(pdb, &state);
    pack_board(&own->transpositions.plan, root, node->array);
    node->blank = (uint8_t)board_blank(root);
    node->ways = (uint8_t)walk_ways(own->open[node->blank], walk->depth, walk->move);
    for (unsigned i = 0; i < walk->depth; i++)
        path_append(layout, node, walk->move[i]);
    walk->found = node->bound == 0;
    assert(node->depth == walk->depth && own->height < STACK_MAX);
    if (walk->depth + node->bound <= walk->bound)
        own->stack[own->height++] = node;
    else
        node_free(own, node);
}

static bool pattern_holds(const struct idastar_walk *walk)
{
    return ((const struct pattern_walk *)walk)->height > 0;
}

static void pattern_run(struct idastar_walk *walk)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    while (own->height > 0 && !walk->found) {
        unsigned taken = own->expand(own, own->height > STACK_WIDE ? 1 : walk->window);
        walk->fuel -= taken < walk->fuel ? taken : walk->fuel;
        if (walk->fuel == 0 && walk_poll(walk))
            return;
    }
}

static bool pattern_next_cut(struct idastar_walk *walk)
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
static unsigned pattern_give(struct idastar_walk *walk, unsigned deepest, uint8_t *move)
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

static void pattern_list(const struct idastar_walk *walk, subtree_function *function, void *context)
{
    const struct pattern_walk *own = (const struct pattern_walk *)walk;
    uint8_t move[WALK_DEPTH_MAX];
    for (unsigned i = own->height; i-- > 0;) {
        path_write(own->layout, own->stack[i], move);
        function(context, move, own->stack[i]->depth);
    }
}

static void *pattern_remembered(struct idastar_walk *walk, size_t *bytes)
{
    struct pattern_walk *own = (struct pattern_walk *)walk;
    transpositions_init(&own->transpositions, walk->grid->cells, walk->remember);
    *bytes = transpositions_bytes(walk->grid->cells, walk->remember);
    return *bytes > 0 ? own->transpositions.entry : NULL;
}

static unsigned pattern_value(const void *heuristic, const struct board *board)
{
    const struct pattern_bound *bound = heuristic;
    const bool known = memcmp(board->tile, bound->start->board.tile, board->cells) == 0;
    return known ? pdb_state_bound(bound->pdb, bound->start) : pdb_value(bound->pdb, board);
}

const struct walk_kernel pattern_kernel = {
    .walk_bytes = pattern_walk_bytes,
    .window = WINDOW,
    .capacity = STACK_WIDE,
    .bound_step = 2,
    .begin = pattern_begin,
    .add = pattern_add,
    .holds = pattern_holds,
    .run = pattern_run,
    .next_cut = pattern_next_cut,
    .give = pattern_give,
    .list = pattern_list,
    .remembered = pattern_remembered,
    .value = pattern_value,
    .play = walk_play,
};
