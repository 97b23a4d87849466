/* SPDX-License-Identifier: MIT */
/* A search in a checkpoint: its place, and the states of its complete levels in ascending key order. */
#ifndef STRIPED_RESUME_H
#define STRIPED_RESUME_H

#include "explore/checkpoint.h"
#include "explore/striped/search.h"

/* What is saved: a search at a place where it was between two levels. */
struct striped_moment {
    struct search *search;
    struct search_place place;
    unsigned words; /* of a state */
};

/* The moment is now. */
void striped_moment(struct striped_moment *moment, struct search *search, unsigned words);
/* Bytes of a checkpoint, at most. */
uint64_t striped_resume_bytes(const struct striped_moment *moment);
/* Puts the struct striped_moment (checkpointer_write), also while the search goes on after search_save_begin.
 */
void striped_save(void *context, struct checkpointer *checkpointer);
/* Makes the search that was saved; *out is NULL when that cannot be done. */
void striped_load(struct crew *crew, const struct search_options *options, struct checkpointer *checkpointer,
                  struct search **out);

#endif
