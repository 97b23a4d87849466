/* SPDX-License-Identifier: MIT */
/*
 * Keeps byte strings of any length in memory that is taken from a budget as it is needed: in chains of blocks
 * of 4 KiB, which are used again when a string goes. Memory once taken is kept until the end.
 *
 * Every function but new and free may be called from any thread.
 */
#ifndef EXPLORE_PIECES_ARENA_H
#define EXPLORE_PIECES_ARENA_H

#include "base/budget.h"
#include "puzzled/status.h"

#include <stddef.h>

struct arena;

/* A string that is kept; length 0 takes nothing. */
struct arena_string {
    uint32_t block; /* the first one */
    uint32_t length;
};

/* Reserves address space for most bytes and takes nothing yet. The budget must outlive it. PZ_MEMORY. */
enum pz_status arena_new(struct budget *budget, uint64_t most, struct arena **out, struct pz_error *error);
/* Gives back everything, to the budget too. NULL is fine. */
void arena_free(struct arena *arena);

/* Copies the string; false when the budget or the space reserved is used up. */
bool arena_put(struct arena *arena, const void *bytes, size_t length, struct arena_string *out);
/* Copies it back to out. */
void arena_get(const struct arena *arena, struct arena_string string, void *out);
/* Forgets it: its length is 0 afterwards. */
void arena_drop(struct arena *arena, struct arena_string *string);

/* Bytes of the strings that are kept, in whole blocks. */
uint64_t arena_used(struct arena *arena);

#endif
