/* SPDX-License-Identifier: MIT */
/* The planes of a search in a checkpoint: where it is, and every block that is not empty. */
#ifndef EXPLORE_DENSE_RESUME_H
#define EXPLORE_DENSE_RESUME_H

#include "explore/checkpoint.h"
#include "explore/dense/planes.h"

/* Between two ranges of the level that is being made. */
struct dense_place {
    uint32_t level;  /* whose states are in the plane of colour */
    uint32_t ranges; /* of the other plane that are of the next level already */
    uint32_t colour;
    uint32_t unused;
    uint64_t width; /* states in that level */
};

/* Bytes of a checkpoint, at most, when so many states were met. */
uint64_t dense_resume_bytes(const struct planes *planes, uint64_t states);
void dense_save(const struct planes *planes, const struct dense_place *place,
                struct checkpointer *checkpointer);
/* Fills planes that are empty. false when it cannot, or when what is there contradicts itself. */
bool dense_load(struct planes *planes, struct dense_place *place, struct checkpointer *checkpointer);

#endif
