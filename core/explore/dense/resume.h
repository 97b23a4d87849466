/* SPDX-License-Identifier: MIT */
/* A dense search in a checkpoint: its place, and every block of its planes that is not empty. */
#ifndef EXPLORE_DENSE_RESUME_H
#define EXPLORE_DENSE_RESUME_H

#include "explore/checkpoint/checkpointer.h"
#include "explore/dense/planes.h"

/* Between two turns of the level that is being made. */
struct dense_place {
    uint32_t level; /* whose states are in the plane of colour */
    uint32_t turns; /* whose ranges of the other plane hold the next level already */
    uint32_t colour;
    uint32_t unused;
    uint64_t width; /* states in that level */
};

/* Returns how many bytes dense_save puts at most when the search has met so many states. */
uint64_t dense_resume_bytes(const struct planes *planes, uint64_t states);
/* Puts the place and the planes, between begin and end. Nobody else may use the planes meanwhile. */
void dense_save(const struct planes *planes, const struct dense_place *place,
                struct checkpointer *checkpointer);
/* Gets them into planes that are empty. Returns false when they cannot be read or contradict each other: the
 * planes then hold anything. */
bool dense_load(struct planes *planes, struct dense_place *place, struct checkpointer *checkpointer);

#endif
