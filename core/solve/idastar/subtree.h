/* SPDX-License-Identifier: MIT */
/* Subtrees that nobody holds, named by the moves that lead to them, in lists. */
#ifndef IDASTAR_SUBTREE_H
#define IDASTAR_SUBTREE_H

#include "solve/idastar/walk/idastar_kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

#endif
