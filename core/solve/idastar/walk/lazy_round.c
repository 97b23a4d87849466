/* SPDX-License-Identifier: MIT */
/*
 * Expands nodes with many lookups. Only a lookup that is tight can prune a child: its sum is all that the
 * iteration's bound leaves, and the move raises it. So a child is first looked up where its tile's slots
 * have pruned most, then in the others of the tight lookups, and only if it is within the bound in the rest.
 * A slot that prunes moves up. All children of the window go through each step together, so that their cache
 * misses overlap, and each step is one loop over a list of queries: branches are rare. What is pruned does
 * not depend on the order.
 */
#include "solve/idastar/walk/pattern_walk.h"

#include <assert.h>

/* The sums of all lookups, in one register where the processor has such. */
typedef uint16_t lanes __attribute__((vector_size(LANES * sizeof(uint16_t))));
typedef uint16_t half_lanes __attribute__((vector_size(LANES / 2 * sizeof(uint16_t))));
typedef uint64_t half_words __attribute__((vector_size(LANES / 2 * sizeof(uint16_t))));

/* ---- lanes ---- */

/* Returns a bit for each lane that is not 0. By a pointer, since clang passes no such vector by value where
 * the processor has no register for it. */
INLINE unsigned lanes_set(const lanes *all)
{
    static const lanes bits = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                               1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    const lanes found = (lanes)(*all != 0) & bits;
    half_words halves[2];
    memcpy(halves, &found, sizeof halves);
    halves[0] |= halves[1];
    uint64_t word = halves[0][0] | halves[0][1];
    word |= word >> 32;
    return (unsigned)(word | word >> 16) & UINT16_MAX;
}

INLINE unsigned lanes_greatest(const uint16_t *sums)
{
    half_lanes a;
    half_lanes b;
    memcpy(&a, sums, sizeof a);
    memcpy(&b, sums + LANES / 2, sizeof b);
    const half_lanes more = (half_lanes)(a > b);
    a = (a & more) | (b & ~more);
    unsigned greatest = a[0];
    for (unsigned i = 1; i < LANES / 2; i++)
        greatest = a[i] > greatest ? a[i] : greatest;
    return greatest;
}

/* Finds the lookups whose sum no child may exceed. */
INLINE unsigned find_tight(struct node_layout layout, const struct parent *parent)
{
    lanes sums;
    memcpy(&sums, node_sums(layout, parent->node), sizeof sums);
    sums = (lanes)(sums == parent->left);
    return lanes_set(&sums);
}

/* ---- slots by rank ---- */

#define EIGHT_TIMES UINT64_C(0x0101010101010101)

void lazy_begin(struct pattern_walk *own)
{
    for (unsigned byte = 0; byte <= UINT8_MAX; byte++) {
        own->listed.bits[byte] = 0;
        for (unsigned i = 0, left = byte; left != 0; left &= left - 1, i++)
            own->listed.bits[byte] |= (uint64_t)__builtin_ctz(left) << 8 * i;
    }
    const struct pdb *pdb = pdb_of(&own->walk);
    memset(own->pruners, 0, sizeof own->pruners);
    for (unsigned tile = 0; tile < pdb->grid.cells; tile++) {
        for (unsigned i = 0; i < pdb->touched_count[tile]; i++) {
            const unsigned at = pdb->touched[tile][i];
            own->pruners[tile].slot[i] = (uint8_t)at;
            own->pruners[tile].lookups[i] = pdb->slot[at].lookups;
        }
    }
}

/* Returns the ranks of the tile's slots that those lookups add up. */
INLINE unsigned lazy_ranks_of(const struct pruners *pruners, unsigned lookups)
{
    lanes all;
    memcpy(&all, pruners->lookups, sizeof all);
    all &= (uint16_t)lookups;
    return lanes_set(&all);
}

static void move_up(struct pruners *pruners, unsigned at)
{
    unsigned i = 0;
    while (pruners->slot[i] != at) {
        i++;
        assert(i < PDB_LOOKUPS_MAX);
    }
    if (i == 0)
        return;
    const uint16_t lookups = pruners->lookups[i];
    pruners->slot[i] = pruners->slot[i - 1];
    pruners->lookups[i] = pruners->lookups[i - 1];
    pruners->slot[i - 1] = (uint8_t)at;
    pruners->lookups[i - 1] = lookups;
}

/* Adds the child with each of those ranks. Writes eight pairs a byte of them, whatever their number is. */
INLINE void list_ranks(struct lazy_list *list, unsigned number, unsigned ranks)
{
    for (unsigned low = 0; low < PDB_LOOKUPS_MAX; low += 8, ranks >>= 8) {
        const uint64_t eight = list->bits[ranks & UINT8_MAX] + low * EIGHT_TIMES;
        const uint64_t numbers = number * EIGHT_TIMES;
        assert(number < CHILDREN && list->count + 8 <= QUERIES);
        memcpy(list->rank + list->count, &eight, sizeof eight);
        memcpy(list->number + list->count, &numbers, sizeof numbers);
        list->count += (unsigned)__builtin_popcount(ranks & UINT8_MAX);
    }
}

/* ---- queries ---- */

/* Reads the answer. Returns true if the value is raised. */
INLINE bool is_raised(const struct pattern_walk *own, struct node_layout layout, struct pattern_query *query)
{
    const struct node *node = own->parent[query->number / DIRECTION_COUNT].node;
    assert(query->number < CHILDREN && query->slot < layout.slots);
    const unsigned before = node_values(layout, node)[query->slot];
    return read_query(query, before) > before;
}

/* Reads queries of tight lookups. */
INLINE void read_tight(struct pattern_walk *own, struct node_layout layout, unsigned begin, unsigned end)
{
    for (unsigned i = begin; i < end; i++) {
        const bool raised = is_raised(own, layout, &own->queries[i]);
        own->child[own->queries[i].number].lazy.pruned |= raised;
        own->raised[own->raised_count] = (uint16_t)i;
        own->raised_count += raised;
    }
    assert(own->raised_count <= end && end <= own->query_count);
}

/* Drops the children that are pruned. Returns how many are left. */
INLINE unsigned drop_pruned(struct pattern_walk *own, unsigned asked)
{
    unsigned left = 0;
    for (unsigned i = 0; i < asked; i++) {
        const uint8_t number = own->asked[i];
        own->asked[left] = number;
        left += !own->child[number].lazy.pruned;
    }
    return left;
}

/* Asks for what is listed, and empties the list. */
INLINE void ask_listed(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout)
{
    struct lazy_list *list = &own->listed;
    const unsigned begin = own->query_count;
    assert(begin + list->count <= QUERIES);
    for (unsigned i = 0; i < list->count; i++)
        place_query(own, pdb, layout, &own->queries[begin + i], list->number[i],
                    own->pruners[own->child[list->number[i]].tile].slot[list->rank[i]]);
    for (unsigned i = 0; i < list->count; i++)
        ask_query(pdb, layout, &own->queries[begin + i]);
    own->query_count += list->count;
    list->count = 0;
}

/* Writes what was found into the child's node. */
INLINE void write_query(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                        const struct pattern_query *query)
{
    struct node *node = own->child[query->number].lazy.node;
    uint8_t *value = node_values(layout, node) + query->slot;
    const uint16_t change = (uint16_t)(query->value - *value);
    lanes its;
    lanes sums;
    node_set_mask(layout, node, query->slot, query->mask);
    node_orders(layout, node)[query->slot] = query->order;
    *value = query->value;
    memcpy(&its, pdb->slot[query->slot].lanes, sizeof its);
    memcpy(&sums, node_sums(layout, node), sizeof sums);
    sums += its & change;
    memcpy(node_sums(layout, node), &sums, sizeof sums);
}

/* ---- a round ---- */

/* Begins with all children. Returns their number. */
INLINE unsigned begin_children(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                               unsigned parents)
{
    unsigned asked = 0;
    for (unsigned i = parents; i-- > 0;) {
        own->parent[i].tight = (uint16_t)find_tight(layout, &own->parent[i]);
        asked = list_children(own->asked, asked, i, own->parent[i].node->ways);
    }
    for (unsigned i = 0; i < asked; i++) {
        struct pattern_child *child = begin_child(own, pdb, layout, own->asked[i]);
        child->lazy.node = (struct node *)(void *)own->scratch;
        child->lazy.pruned = false;
        child->lazy.tight = (uint16_t)lazy_ranks_of(&own->pruners[child->tile],
                                                    own->parent[own->asked[i] / DIRECTION_COUNT].tight);
    }
    return asked;
}

/* Looks children up in the tight slot that is most likely to prune, then in the others of them. Returns how
 * many children are left. */
INLINE unsigned prune(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                      unsigned asked)
{
    for (unsigned others = 0; others < 2; others++) {
        const unsigned begin = own->query_count;
        for (unsigned i = 0; i < asked; i++) {
            const unsigned tight = own->child[own->asked[i]].lazy.tight;
            const unsigned rest = tight & (tight - 1);
            list_ranks(&own->listed, own->asked[i], others ? rest : tight ^ rest);
        }
        ask_listed(own, pdb, layout);
        read_tight(own, layout, begin, own->query_count);
        asked = drop_pruned(own, asked);
    }
    return asked;
}

/* Makes nodes of the children within the bound, once they are looked up in all their slots. */
INLINE void make_nodes(struct pattern_walk *own, const struct pdb *pdb, struct node_layout layout,
                       unsigned asked)
{
    const unsigned read = own->query_count;
    for (unsigned i = 0; i < asked; i++) {
        const struct pattern_child *child = &own->child[own->asked[i]];
        const unsigned all = (1u << pdb->touched_count[child->tile]) - 1;
        list_ranks(&own->listed, own->asked[i], all & ~(unsigned)child->lazy.tight);
    }
    ask_listed(own, pdb, layout);
    for (unsigned i = 0; i < asked; i++)
        own->child[own->asked[i]].lazy.node = make_child(own, layout, own->asked[i]);
    for (unsigned i = 0; i < read; i++)
        write_query(own, pdb, layout, &own->queries[i]);
    for (unsigned i = read; i < own->query_count; i++) {
        (void)is_raised(own, layout, &own->queries[i]);
        write_query(own, pdb, layout, &own->queries[i]);
    }
    for (unsigned i = 0; i < asked; i++)
        keep_child(own, own->asked[i],
                   lanes_greatest(node_sums(layout, own->child[own->asked[i]].lazy.node)));
}

INLINE unsigned lazy_body(struct pattern_walk *own, struct node_layout layout, unsigned most)
{
    const struct pdb *pdb = pdb_of(&own->walk);
    const unsigned taken = own->height < most ? own->height : most;
    const unsigned parents = take_parents(own, layout, taken);
    own->query_count = own->raised_count = 0;
    const unsigned generated = begin_children(own, pdb, layout, parents);
    make_nodes(own, pdb, layout, prune(own, pdb, layout, generated));
    for (unsigned i = 0; i < own->raised_count; i++) {
        const struct pattern_query *query = &own->queries[own->raised[i]];
        move_up(&own->pruners[own->child[query->number].tile], query->slot);
    }
    end_round(own, layout, parents, generated);
    return taken;
}

static unsigned lazy_plain(struct pattern_walk *own, unsigned most)
{
    return lazy_body(own, own->layout, most);
}

V3_TARGET static unsigned lazy_v3(struct pattern_walk *own, unsigned most)
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
    if (!V3_PRESENT)
        return lazy_plain;
    return small ? lazy_small : lazy_v3;
}
