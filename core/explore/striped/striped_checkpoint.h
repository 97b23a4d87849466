/* SPDX-License-Identifier: MIT */
/* A striped search in a checkpoint: its place, and the states that it needs to go on, in ascending key order.
 * These are the states of all complete levels, or of the last two if it keeps three levels. */
#ifndef STRIPED_CHECKPOINT_H
#define STRIPED_CHECKPOINT_H

#include "explore/checkpoint/checkpointer.h"
#include "explore/striped/search/search.h"

/* Returns how many bytes striped_save puts at most. */
uint64_t striped_resume_bytes(const struct search *search);
/* Puts the search, between begin and end. It must be whole (search_is_whole). */
void striped_save(const struct search *search, struct checkpointer *checkpointer);
/* Makes the saved search; *out becomes NULL if that fails. *kept_disk becomes true if the checkpoint is that
 * of a search on disk. */
void striped_load(struct searchers *searchers, const struct search_options *options,
                  struct checkpointer *checkpointer, struct search **out, bool *kept_disk);

#endif
