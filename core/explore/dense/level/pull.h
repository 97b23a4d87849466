/* SPDX-License-Identifier: MIT */
/* Where the blocks of one level are reached from. */
#ifndef EXPLORE_DENSE_PULL_H
#define EXPLORE_DENSE_PULL_H

#include "explore/dense/kernel/kernel.h"
#include "explore/dense/plane/planes.h"

/* The level being made: the transition leads into the plane of its colour, from the other one. */
struct pull {
    const struct plan *plan;
    const struct planes *planes;
    const struct plan_transition *transition;
};

enum { PULL_CROSSED = PLAN_BLOCK_MAX + 2 * PLANES_PAD };

/* Room of one thread for the runs of an edge that are too short to be handed over where they are. */
struct pull_room {
    _Alignas(64) uint8_t runs[DENSE_EDGES_MAX][KERNEL_STAGE];
    /* For what crosses between groups, as bytes: PULL_CROSSED for each run edge. NULL for whole planes. */
    uint8_t *crossed;
};

/* Fills block->own and ->segment. Returns false if no state can lead into the block. */
bool pull_block(const struct pull *pull, uint32_t number, struct pull_room *room, struct kernel_block *block);

/* Notes in planes->reached where a block's states lead by the edges whose runs are shorter than a block. Then
 * a block to which none leads costs no look at its many runs. Called for each block of a sparse group, by any
 * member. */
void pull_reach(const struct pull *pull, uint32_t number);

/* Returns false if it is easily seen that no state can lead into any block of the range. */
bool pull_range(const struct pull *pull, uint32_t range);

#endif
