/* SPDX-License-Identifier: MIT */
/* Whole planes in a checkpoint: every block of them that is not empty. */
#ifndef EXPLORE_DENSE_PLANES_STREAM_H
#define EXPLORE_DENSE_PLANES_STREAM_H

#include "explore/checkpoint/checkpointer.h"
#include "explore/dense/plane/planes.h"

/* Returns how many bytes planes_save puts at most if the search has met so many states. */
uint64_t planes_save_bytes(const struct planes *planes, uint64_t states);
/* Puts the planes, between begin and end. No other thread may use them meanwhile. */
void planes_save(const struct planes *planes, struct checkpointer *checkpointer);
/* Reads them into empty planes, and counts the states of each colour. Returns false if they cannot be read;
 * the content of the planes is then undefined. */
bool planes_load(struct planes *planes, struct checkpointer *checkpointer, uint64_t states[2]);

#endif
