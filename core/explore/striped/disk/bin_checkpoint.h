/* SPDX-License-Identifier: MIT */
/*
 * The checkpoint of a search on disk: the indices of its levels, and the states that are kept in memory. The
 * states in scratch space stay where they are; each level is safe there before a checkpoint names it.
 */
#ifndef STRIPED_BIN_CHECKPOINT_H
#define STRIPED_BIN_CHECKPOINT_H

#include "explore/striped/disk/bin_search.h"

/* The first eight bytes of such a checkpoint, after those of the run. The checkpoint of a search in memory
 * has its level there, which is never as high. */
#define BIN_CHECKPOINT_MAGIC UINT64_C(0x6C6576656C6E6962)

/* Returns the bytes that bin_search_save puts at most. */
uint64_t bin_search_save_bytes(const struct bin_search *search);
void bin_search_save(struct bin_search *search, struct checkpointer *checkpointer);
/* Returns true if the next level removes files that the last checkpoint needs, or if the frontier is wide, so
 * that it took long. A narrow level is made faster than a checkpoint is written. */
bool bin_search_outdates(const struct bin_search *search);
/* Restores the saved place into a search that has no level yet. Returns false if it is damaged, of another
 * version or store, or if files are missing. */
bool bin_search_load(struct bin_search *search, struct checkpointer *checkpointer);

#endif
