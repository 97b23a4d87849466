/* SPDX-License-Identifier: MIT */
/* Finds the sources from which the blocks of a level are reached. */
#ifndef EXPLORE_DENSE_PULL_H
#define EXPLORE_DENSE_PULL_H

#include "explore/dense/kernel/kernel.h"
#include "explore/dense/plane/planes.h"

/* The level being made: the transition leads into the plane of its colour, from the other one. */
struct pull {
    const struct plan *plan;
    const struct planes *planes;
    const struct plan_transition *transition;
    const struct plan_transition *back; /* has the same edges the other way; for pull_reach alone */
};

enum { PULL_CROSSED = PLAN_BLOCK_MAX + 2 * PLANES_PAD };

/* A thread's buffers for the runs of an edge that are too short for a kernel to read in place. */
struct pull_room {
    _Alignas(64) uint8_t runs[DENSE_EDGES_MAX][KERNEL_STAGE];
    /* For the bits that cross between groups, as bytes: PULL_CROSSED for each run edge. NULL for whole
     * planes. */
    uint8_t *crossed;
};

/* Fills block->own and ->segment. Returns false if no state can lead into the block. */
bool pull_block(const struct pull *pull, uint32_t number, struct pull_room *room, struct kernel_block *block);

/* Marks in planes->reached the blocks that a block's states lead to by edges whose runs are shorter than a
 * block. Blocks that nothing reaches are then skipped without looking at their runs. Called for each block
 * of a sparse group, by any worker. */
void pull_reach(const struct pull *pull, uint32_t number);

/* Returns false if a quick check shows that no state can lead into any block of the range. */
bool pull_range(const struct pull *pull, uint32_t range);

#endif
