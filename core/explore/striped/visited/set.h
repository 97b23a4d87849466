/* SPDX-License-Identifier: MIT */
/*
 * The visited states as a hash set: a power of two of partitions, each with a lock, a segment and an inbox.
 *
 * The high bits of a mixed key choose its partition. Threads push chunks of successors into the partition's
 * inbox without a lock. The thread that makes the inbox full inserts all of it under the partition's lock. A
 * thread that finds the lock taken goes on, unless the inbox is far too full. Partitions and segments are
 * both in key order, so the whole set is sorted.
 */
#ifndef STRIPED_SET_H
#define STRIPED_SET_H

#include "explore/striped/visited/inbox.h"
#include "explore/striped/visited/segment.h"

#include <stdalign.h>

enum { SET_STRIPES_MAX = 1 << 16, SET_DISTANCE_MAX = UINT16_MAX - 1 };

struct stripe {
    alignas(64) struct segment segment; /* guarded by the inbox's lock */
    alignas(64) struct inbox inbox;
};

struct set {
    struct segment_shape shape;
    unsigned stripe_count;
    struct stripe *stripes;
    unsigned char *space; /* one mapping: the key ranges of all partitions, then the distance ranges */
    size_t space_bytes;
    size_t key_range, distance_range; /* bytes of address space a partition */
    bool has_greatest; /* the greatest key is in the set; guarded by the last partition's lock */
    uint16_t greatest_distance;
};

struct set_options {
    struct budget *budget;
    unsigned words;          /* 1, 2 or 4 */
    unsigned stripes;        /* a power of two, 1 … SET_STRIPES_MAX */
    uint64_t first_capacity; /* of each segment; 0 for the usual one */
    unsigned first, own;     /* keys come to `own` partitions only, from `first` on; own = 0: to all */
};

/* Returns PZ_TOO_LARGE if the budget does not even hold an empty set, PZ_MEMORY if the system refuses. */
enum pz_status set_init(struct set *set, const struct set_options *options, struct pz_error *error);
/* Gives all memory back. All zeros is fine. */
void set_clear(struct set *set);

/*
 * Brings the keys of an inbox into rough order before a thread inserts them, so that it walks through the
 * segment once instead of jumping about in it. One for each thread.
 */
enum { SORTER_KEYS = 8192, SORTER_BITS = 12 };

struct sorter {
    uint64_t *keys; /* SORTER_KEYS × words */
    uint8_t *tokens;
    uint16_t starts[(1 << SORTER_BITS) + 1];
};

/*
 * Inserts the keys of a list of chunks, all of this partition, with one distance. The keys that were new
 * remain in the chunks. Returns false if memory ran out: some keys are then lost, and the level is not
 * complete. The caller holds the partition's lock.
 */
bool set_insert(struct set *set, struct stripe *stripe, struct chunk *list, uint16_t distance,
                const struct pool *pool, struct sorter *sorter);

/* Returns the distance of a key, or -1. Not to be called while a thread inserts into this set. */
int32_t set_find(const struct set *set, const uint64_t *key);

/* ---- between levels, by one thread; set_keep also at a level's end, by the only one at that partition ----
 */

/* Removes the keys of a partition whose distance is more than span before newest, modulo 256. The set's
 * distances must be of one byte. */
void set_keep(struct set *set, unsigned stripe, uint8_t newest, uint8_t span);
/* Widens each distance to two bytes. Returns false without memory. */
bool set_widen(struct set *set);
/* Moves all keys into a new set with other options. Returns false, with nothing changed, without memory. */
bool set_restripe(struct set *set, const struct set_options *options);
/* Inserts one key with its distance. Returns false if it is there already, or without memory. */
bool set_put_back(struct set *set, const uint64_t *key, uint16_t distance);
/* Return the number of keys, and the bytes taken from the budget for them. */
uint64_t set_count(const struct set *set);
uint64_t set_bytes(const struct set *set);

/* A walk through all keys in ascending order. All zeros begins it. */
struct set_cursor {
    unsigned stripe;
    uint64_t slot;
};
/* Moves to the next key. Returns false at the end. */
bool set_next(const struct set *set, struct set_cursor *cursor, uint64_t *key, uint16_t *distance);

static inline unsigned set_stripe_of(const struct set *set, uint64_t high_word)
{
    /* Two shifts: with no partition bits a single one would be as wide as the word. */
    return (unsigned)(high_word >> 1 >> (63 - set->shape.stripe_bits));
}

#endif
