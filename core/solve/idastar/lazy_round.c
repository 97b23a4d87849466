/* SPDX-License-Identifier: MIT */
/*
 * Expands nodes with many lookups. Only a lookup that is tight can prune a child: its sum is all that the
 * iteration's bound leaves, and the move raises it. So a child is first looked up where its tile's slots
 * have pruned most, then in the others of the tight lookups, and only if it is within the bound in the rest.
 * A slot that prunes moves up. All children of the window go through each step together, so that their cache
 * misses overlap. What is pruned does not depend on the order.
 */
#include "solve/idastar/pattern_walk.h"

#include <assert.h>

/* The sums of all lookups, in one register where the processor has such. */
typedef uint16_t lanes __attribute__((vector_size(LANES * sizeof(uint16_t))));

INLINE void find_tight(struct parent *parent, struct node_layout layout)
{
    const uint16_t *sum = node_sums(layout, parent->node);
    unsigned tight = 0;
    for (unsigned i = 0; i < LANES; i++)
        tight |= (unsigned)(sum[i] == parent->left) << i;
    parent->tight = (uint16_t)tight;
}

INLINE bool is_tight(const struct pdb *pdb, const struct parent *parent, unsigned at)
{
    return (pdb->slot[at].lookups & parent->tight) != 0;
}

/* Asks for the first slot that may prune, if any may. */
INLINE void ask_first(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                      unsigned number)
{
    const struct parent *parent = &own->parent[number / DIRECTION_COUNT];
    struct pattern_child *child = begin_child(own, pdb, layout, number);
    const unsigned count = pdb->touched_count[child->tile];
    unsigned i = 0;
    child->queries = 0;
    while (i < count && !is_tight(pdb, parent, own->pruners[child->tile][i]))
        i++;
    child->first = (uint8_t)i;
    if (i < count)
        ask_slot(pdb, layout, parent->node, child->from, own->pruners[child->tile][i],
                 &child->query[child->queries++]);
}

/* Asks for the other slots that may prune, or for all that may not. */
INLINE void ask_others(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                       unsigned number, bool tight)
{
    const struct parent *parent = &own->parent[number / DIRECTION_COUNT];
    struct pattern_child *child = &own->child[number];
    const unsigned count = pdb->touched_count[child->tile];
    for (unsigned i = 0; i < count; i++) {
        const unsigned at = pdb->touched[child->tile][i];
        if (is_tight(pdb, parent, at) != tight || (tight && at == child->query[0].slot))
            continue;
        ask_slot(pdb, layout, parent->node, child->from, at, &child->query[child->queries++]);
    }
}

/* Reads the answers from that one on. Returns the slot of one that raises its value, at least one of `none`.
 */
INLINE unsigned read_from(struct pattern_walk *own, struct node_layout layout, unsigned number,
                          unsigned begin, unsigned none)
{
    const struct node *node = own->parent[number / DIRECTION_COUNT].node;
    struct pattern_child *child = &own->child[number];
    unsigned raised = none;
    for (unsigned i = begin; i < child->queries; i++) {
        const unsigned before = node_values(layout, node)[child->query[i].slot];
        if (read_slot(&child->query[i], before) > before)
            raised = child->query[i].slot;
    }
    return raised;
}

INLINE void move_up(struct pattern_walk *own, unsigned tile, unsigned at)
{
    uint8_t *pruners = own->pruners[tile];
    unsigned i = 0;
    while (pruners[i] != at) {
        i++;
        assert(i < PDB_LOOKUPS_MAX);
    }
    if (i == 0)
        return;
    pruners[i] = pruners[i - 1];
    pruners[i - 1] = (uint8_t)at;
}

/* Adds up what a child within the bound has in every lookup. */
INLINE void add_up(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                   unsigned number)
{
    const struct node *node = own->parent[number / DIRECTION_COUNT].node;
    struct pattern_child *child = &own->child[number];
    lanes sum;
    memcpy(&sum, node_sums(layout, node), sizeof sum);
    for (unsigned i = 0; i < child->queries; i++) {
        const struct pattern_query *query = &child->query[i];
        const uint16_t change = (uint16_t)(query->value - node_values(layout, node)[query->slot]);
        lanes its;
        memcpy(&its, pdb->slot[query->slot].lanes, sizeof its);
        sum += its & change;
    }
    memcpy(child->sum, &sum, sizeof sum);
    unsigned bound = 0;
    for (unsigned i = 0; i < LANES; i++)
        bound = child->sum[i] > bound ? child->sum[i] : bound;
    keep_child(own, number, bound);
}

/* Reads what was asked for, from the first query on or from the second, and drops the children that it
 * prunes. Returns how many are left. */
INLINE unsigned prune(struct pattern_walk *own, struct node_layout layout, unsigned asked, unsigned begin)
{
    enum { NONE = PDB_SLOTS_MAX };
    unsigned left = 0;
    for (unsigned i = 0; i < asked; i++) {
        const unsigned number = own->asked[i];
        const unsigned raised = read_from(own, layout, number, begin, NONE);
        if (raised == NONE)
            own->asked[left++] = (uint8_t)number;
        else
            move_up(own, own->child[number].tile, raised);
    }
    return left;
}

INLINE unsigned lazy_body(struct pattern_walk *own, struct node_layout layout, unsigned most)
{
    const struct pdb *pdb = pdb_of(&own->walk);
    const unsigned taken = own->height < most ? own->height : most;
    const unsigned parents = take_parents(own, layout, taken);
    uint8_t pruning[CHILDREN]; /* queries of each child so far */
    unsigned asked = 0;
    for (unsigned i = parents; i-- > 0;) {
        find_tight(&own->parent[i], layout);
        asked = list_children(own->asked, asked, i, own->parent[i].node->ways);
    }
    const unsigned generated = asked;
    for (unsigned i = 0; i < asked; i++)
        ask_first(own, pdb, layout, own->asked[i]);
    asked = prune(own, layout, asked, 0);
    for (unsigned i = 0; i < asked; i++)
        if (own->child[own->asked[i]].queries > 0)
            ask_others(own, pdb, layout, own->asked[i], true);
    asked = prune(own, layout, asked, 1);
    for (unsigned i = 0; i < asked; i++) {
        pruning[i] = own->child[own->asked[i]].queries;
        ask_others(own, pdb, layout, own->asked[i], false);
    }
    for (unsigned i = 0; i < asked; i++) {
        (void)read_from(own, layout, own->asked[i], pruning[i], 0);
        add_up(own, pdb, layout, own->asked[i]);
    }
    end_round(own, layout, parents, generated);
    return taken;
}

static unsigned lazy_plain(struct pattern_walk *own, unsigned most)
{
    return lazy_body(own, own->layout, most);
}

/* As 5x5 by "small". */
V3_TARGET static unsigned lazy_small(struct pattern_walk *own, unsigned most)
{
    return lazy_body(own, (struct node_layout){.words = 2, .lookups = 14, .slots = 28}, most);
}

round_function *lazy_round_of(struct node_layout layout)
{
    const bool small = layout.words == 2 && layout.lookups == 14 && layout.slots == 28;
    return V3_PRESENT && small ? lazy_small : lazy_plain;
}
