/* SPDX-License-Identifier: MIT */
#include "solve/idastar/iteration.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct subtree *subtree_new(const uint8_t *move, unsigned depth)
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

void subtree_free_all(struct subtree *first)
{
    while (first != NULL) {
        struct subtree *next = first->next;
        free(first);
        first = next;
    }
}
