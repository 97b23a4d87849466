/* SPDX-License-Identifier: MIT */
/*
 * Keeps byte strings of any length in chains of blocks. Memory is taken from a budget as it is
 * needed and kept until the end; the blocks of a dropped string are used again.
 *
 * Every function but new and free may be called from any thread.
 */
#ifndef EXPLORE_PIECES_ARENA_H
#define EXPLORE_PIECES_ARENA_H

#include "base/budget.h"
#include "puzzled/status.h"

#include <stddef.h>

struct arena;

/* A kept string. One of length 0 takes nothing. */
struct arena_string {
    uint32_t block; /* the first one */
    uint32_t length;
};

/* Reserves address space for `most` bytes, in blocks of that many. Takes nothing from the budget yet, which
 * must outlive it. Small blocks waste less, large ones are faster. Returns PZ_MEMORY if the system refuses.
 */
enum pz_status arena_new(struct budget *budget, uint64_t most, size_t block, struct arena **out,
                         struct pz_error *error);
/* Gives everything back, also to the budget. NULL is fine. */
void arena_free(struct arena *arena);

/* Copies the string. Returns false if the budget or the reserved space is used up. */
bool arena_put(struct arena *arena, const void *bytes, size_t length, struct arena_string *out);
/* Copies it back to out. */
void arena_get(const struct arena *arena, struct arena_string string, void *out);
/* Reserves contiguous space for a string, in memory that no string has used yet. Returns false if there is
 * too little. */
bool arena_reserve(struct arena *arena, size_t length, struct arena_string *out);
/* Returns the bytes of a string that arena_reserve made. */
uint8_t *arena_bytes(const struct arena *arena, struct arena_string string);
/* Drops it: its length is 0 afterwards. */
void arena_drop(struct arena *arena, struct arena_string *string);

/* Returns the bytes that were taken from the budget and are not in use. */
uint64_t arena_unused(struct arena *arena);

#endif
