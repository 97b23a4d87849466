/* SPDX-License-Identifier: MIT */
/*
 * The visited set: a power of two of stripes, each with a lock, a segment and a pile.
 *
 * The high bits of a mixed key choose the stripe. Threads hand successors over in chunks: a chunk is laid on
 * the stripe's pile without a lock, and whoever makes the pile high enough inserts all of it under the
 * stripe's lock. A thread that finds the lock taken leaves its chunk lying, unless the pile is far too high:
 * it never waits for a thread that merely inserts. Because stripes and segments are both in key order, the
 * whole set is sorted.
 */
#ifndef STRIPED_SET_H
#define STRIPED_SET_H

#include "explore/striped/pile.h"
#include "explore/striped/segment.h"

#include <stdalign.h>

enum { SET_STRIPES_MAX = 1 << 16, SET_DISTANCE_MAX = UINT16_MAX - 1 };

struct stripe {
    alignas(64) struct segment segment; /* guarded by the pile's lock */
    alignas(64) struct pile pile;
};

struct set {
    struct segment_shape shape;
    unsigned stripe_count;
    struct stripe *stripes;
    unsigned char *space; /* one mapping: the key ranges of all stripes, then the distance ranges */
    size_t space_bytes;
    size_t key_range, distance_range; /* bytes of address space a stripe */
    bool has_greatest;                /* the greatest key was inserted; guarded by the last stripe's lock */
    uint16_t greatest_distance;
};

struct set_options {
    struct budget *budget;
    unsigned words;          /* 1, 2 or 4 */
    unsigned stripes;        /* a power of two, 1 … SET_STRIPES_MAX */
    uint64_t first_capacity; /* of each segment; 0 for the usual one */
};

/* PZ_TOO_LARGE when the budget does not even hold an empty set, PZ_MEMORY when the system refuses. */
enum pz_status set_init(struct set *set, const struct set_options *options, struct pz_error *error);
/* Gives all memory back. A set that is all zeros is fine. */
void set_clear(struct set *set);

/*
 * Where a thread brings the keys of a pile into rough order before it inserts them, so that it walks through
 * the segment once instead of jumping about in it. One for each thread.
 */
enum { SORTER_KEYS = 8192, SORTER_BITS = 12 };

struct sorter {
    uint64_t *keys; /* SORTER_KEYS × words */
    uint8_t *tokens;
    uint16_t starts[(1 << SORTER_BITS) + 1];
};

/*
 * Inserts the keys of a list of chunks, all of this stripe, with one distance; what remains in the chunks are
 * the keys that were new. false when memory ran out: some keys are then lost, and the level is not complete.
 * The caller holds the stripe's lock.
 */
bool set_insert(struct set *set, struct stripe *stripe, struct chunk *list, uint16_t distance,
                const struct pool *pool, struct sorter *sorter);

/* The distance of a key, or -1. Not while a thread inserts into this set. */
int32_t set_find(const struct set *set, const uint64_t *key);

/* What follows is called between levels only, by one thread; set_keep also while a level is settled, by the
 * only one at that stripe. */

/* Forgets the keys of a stripe whose distance is more than span before newest, modulo 256; the set's
 * distances must be of one byte. */
void set_keep(struct set *set, unsigned stripe, uint8_t newest, uint8_t span);
/* Two bytes a distance from now on. false when there is no memory for it. */
bool set_widen(struct set *set);
/* Moves all keys into a new set with other options, and clears the old one. false: nothing has changed. */
bool set_restripe(struct set *set, const struct set_options *options);
/* Puts one key back that is not there, with its distance. false when there is no memory for it, or when it is
 * there. */
bool set_put_back(struct set *set, const uint64_t *key, uint16_t distance);
/* Keys in the set, and bytes taken from the budget for them. */
uint64_t set_count(const struct set *set);
uint64_t set_bytes(const struct set *set);

/* Walks through all keys in ascending order: zeros to begin with. */
struct set_cursor {
    unsigned stripe;
    uint64_t slot;
};
/* The next key and its distance; false at the end. */
bool set_next(const struct set *set, struct set_cursor *cursor, uint64_t *key, uint16_t *distance);
/* The next one of the cursor's stripe; false when that is at its end. For who holds its lock, also during a
 * level. */
bool set_next_of(const struct set *set, struct set_cursor *cursor, uint64_t *key, uint16_t *distance);

static inline unsigned set_stripe_of(const struct set *set, uint64_t high_word)
{
    /* In two shifts, because no stripe bits at all would make one of them as wide as the word. */
    return (unsigned)(high_word >> 1 >> (63 - set->shape.stripe_bits));
}

#endif
