/* SPDX-License-Identifier: MIT */
/*
 * The branches of a tree: its subtrees at a fixed depth. An iteration counts in each of them the nodes it
 * expands, and those that come near to the goal; the next one begins with the branches of which the greatest
 * share came near. All but the last iteration walk the whole tree, whatever the order; the last one ends in
 * the branch that has the goal. (To order children by what a shallower search found is as old as iterative
 * deepening: A. Reinefeld and T. Marsland, "Enhanced Iterative-Deepening Search", PAMI 16, 1994.)
 */
#ifndef IDASTAR_BRANCHES_H
#define IDASTAR_BRANCHES_H

#include "board/grid.h"

#include <stdbool.h>

enum { BRANCH_DEPTH = 10 }; /* some 5,000 of them on 5x5 */

struct branch {
    uint32_t path;           /* its moves, two bits each, the first one in front */
    uint64_t expanded, near; /* in this iteration, so far */
};

struct branches {
    struct branch *branch; /* by path */
    uint32_t count;        /* 0: the tree is not divided */
};

struct subtree;

/* Returns the bytes of the branches of the largest tree on a grid of so many cells, about. */
uint64_t branches_bytes(unsigned cells);
/* Divides the tree that begins with the blank in that cell. Returns false without memory. */
bool branches_make(struct branches *branches, const struct grid *grid, unsigned blank);
void branches_free(struct branches *branches);
/* Returns the branch that those moves lead into; NULL where they end above all branches, or there are none.
 */
struct branch *branches_find(const struct branches *branches, const uint8_t *move, unsigned depth);
/* Lists all branches for the next iteration and sets their counts to 0. The caller frees the list; NULL
 * without memory. */
struct subtree *branches_list(struct branches *branches);

#endif
