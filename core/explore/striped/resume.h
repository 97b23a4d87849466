/* SPDX-License-Identifier: MIT */
/* A search in a checkpoint: its place, and the states of its complete levels in ascending key order. */
#ifndef STRIPED_RESUME_H
#define STRIPED_RESUME_H

#include "explore/checkpoint.h"
#include "explore/striped/search.h"

/* Bytes of a checkpoint, at most. words: of a state. */
uint64_t striped_resume_bytes(const struct search *search, unsigned words);
void striped_save(const struct search *search, unsigned words, struct checkpointer *checkpointer);
/* Makes the search that was saved; *out is NULL when that cannot be done. */
void striped_load(struct crew *crew, const struct search_options *options, struct checkpointer *checkpointer,
                  struct search **out);

#endif
