/* SPDX-License-Identifier: MIT */
/*
 * The branches of a tree: its subtrees at a fixed depth. An iteration counts in each of them the nodes it
 * expands, and how near to the goal they come; the next one begins with the branches that came nearest on
 * average. All iterations but the last walk the whole tree, whatever the order; the last one ends in the
 * branch that has the goal. (To begin with what a shallower search found best is as old as iterative
 * deepening: A. Reinefeld and T. Marsland, "Enhanced Iterative-Deepening Search", PAMI 16, 1994.)
 */
#ifndef IDASTAR_BRANCHES_H
#define IDASTAR_BRANCHES_H

#include "solve/idastar/walk/idastar_kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Subtrees that nobody holds, named by the moves that lead to them, in lists. */

struct subtree {
    struct subtree *next;
    unsigned depth;
    uint8_t move[]; /* depth of them */
};

/* Makes one of those moves, or with room for so many where move is NULL; NULL without memory. */
static inline struct subtree *subtree_new(const uint8_t *move, unsigned depth)
{
    assert(depth <= WALK_DEPTH_MAX);
    struct subtree *subtree = malloc(sizeof *subtree + depth);
    if (subtree == NULL)
        return NULL;
    subtree->next = NULL;
    subtree->depth = depth;
    if (move != NULL)
        memcpy(subtree->move, move, depth);
    return subtree;
}

static inline void subtree_free_all(struct subtree *first)
{
    while (first != NULL) {
        struct subtree *next = first->next;
        free(first);
        first = next;
    }
}

enum { BRANCH_DEPTH = 10 };

struct branch {
    uint64_t path;           /* its moves, two bits each, the first one in front */
    uint64_t expanded, near; /* in this iteration, so far; near: the sum of walk_nearness */
};

struct branches {
    struct branch *branch; /* by path, ascending */
    uint32_t count;        /* 0 in an iteration that is not divided */
};

/* Returns a number that no tree on a grid of so many cells has more branches than. 5x5 has up
 * to 11,600. */
static inline uint32_t branches_most(unsigned cells)
{
    return 20 * cells * cells;
}
/* Returns the bytes of the branches on a grid of so many cells, while one iteration follows the other. */
uint64_t branches_bytes(unsigned cells);
/* Returns the branch that those moves lead into; NULL where they end above all branches, or lead into one
 * that was beyond the iteration's bound. */
struct branch *branches_find(const struct branches *branches, const uint8_t *move, unsigned depth);
/* Begins an iteration: takes the roots of its branches, in the order of the walk. Moves those to the front
 * that came nearest in the iteration before, and begins to count anew. Returns false without memory: then the
 * list is as it was. */
bool branches_begin(struct branches *branches, struct subtree **list);
void branches_free(struct branches *branches);

#endif
