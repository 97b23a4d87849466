/* SPDX-License-Identifier: MIT */
/*
 * One partition's hash table: open addressing with linear probing that keeps the keys in ascending order.
 *
 * A key's home is its value scaled to the capacity, so homes ascend with keys. A key lies at its home or
 * after it, with no empty slot and no greater key between. An empty slot holds the greatest possible key, so
 * one comparison ends a probe in either case. The one state that has this key is kept by the set, apart.
 *
 * A segment grows in place, within a range of address space reserved for it, in two sequential passes: all
 * keys slide to the end of the enlarged range, then are laid out again from the front. Distances lie in an
 * array of their own, one byte each, or two once a search is deeper than a byte can hold.
 *
 * Nothing here locks: the caller holds the partition's lock, or is the only thread.
 */
#ifndef STRIPED_SEGMENT_H
#define STRIPED_SEGMENT_H

#include "base/budget.h"
#include "explore/key/mix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEGMENT_EMPTY UINT64_MAX
__extension__ typedef unsigned __int128 wide_product;

struct segment {
    uint64_t *keys;     /* slots × words */
    uint8_t *distances; /* slots × 1, or × 2 as native uint16_t when wide */
    uint64_t capacity;  /* number of homes */
    uint64_t slots;     /* capacity and a tail for the last cluster; the last slot is always empty */
    uint64_t used;
    uint64_t limit;          /* when used reaches it, the segment grows before it takes another key */
    uint64_t room;           /* slots that its reserved range can hold */
    uint64_t key_bytes;      /* touched of the ranges, in whole pages, and taken from the budget */
    uint64_t distance_bytes; /* as key_bytes, of the distances */
};

/* The shape of a set's segments: the same for all of them, constant while any thread inserts. */
struct segment_shape {
    struct budget *budget;
    unsigned words;
    unsigned stripe_bits;    /* the top bits of a key, equal in a whole segment */
    bool wide;               /* distances of two bytes */
    uint64_t first_capacity; /* of a segment that takes its first key */
};

enum segment_insert { SEGMENT_NEW, SEGMENT_KNOWN, SEGMENT_GREATEST, SEGMENT_FULL };

/* Makes room for at least one more key. Returns false, with nothing changed, if the range or the budget is
 * spent. */
bool segment_grow(const struct segment_shape *shape, struct segment *segment);
/* Removes the keys whose one-byte distance is more than `span` before `newest`, modulo 256, in one pass. */
void segment_keep(const struct segment_shape *shape, struct segment *segment, uint8_t newest, uint8_t span);
/* Takes from the budget what two-byte distances need beyond one-byte ones. Returns false if it is spent. */
bool segment_reserve_wide(const struct segment_shape *shape, struct segment *segment);
/* Turns all distances into two-byte ones, in place, after segment_reserve_wide. */
void segment_widen(struct segment *segment);
/* Gives all its memory back to the budget (the pages belong to the set). */
void segment_release(const struct segment_shape *shape, struct segment *segment);

static inline uint16_t distance_get(const uint8_t *distances, bool wide, uint64_t slot)
{
    return wide ? ((const uint16_t *)(const void *)distances)[slot] : distances[slot];
}

static inline void distance_set(uint8_t *distances, bool wide, uint64_t slot, uint16_t distance)
{
    if (wide)
        ((uint16_t *)(void *)distances)[slot] = distance;
    else
        distances[slot] = (uint8_t)distance;
}

static inline uint16_t segment_distance(const struct segment *segment, bool wide, uint64_t slot)
{
    return distance_get(segment->distances, wide, slot);
}

__attribute__((always_inline)) static inline bool key_less(const uint64_t *a, const uint64_t *b,
                                                           unsigned words)
{
    for (unsigned i = 0; i + 1 < words; i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return a[words - 1] < b[words - 1];
}

__attribute__((always_inline)) static inline bool key_equal(const uint64_t *a, const uint64_t *b,
                                                            unsigned words)
{
    uint64_t difference = 0;
    for (unsigned i = 0; i < words; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

__attribute__((always_inline)) static inline bool key_is_greatest(const uint64_t *key, unsigned words)
{
    uint64_t all = key[0];
    for (unsigned i = 1; i < words; i++)
        all &= key[i];
    return all == SEGMENT_EMPTY;
}

static inline uint64_t home_at(uint64_t capacity, unsigned stripe_bits, uint64_t high_word)
{
    return (uint64_t)(((wide_product)(high_word << stripe_bits) * capacity) >> 64);
}

static inline uint64_t segment_home(const struct segment *segment, unsigned stripe_bits, uint64_t high_word)
{
    return home_at(segment->capacity, stripe_bits, high_word);
}

/* Returns the first slot, from the key's home on, whose key is not less. The segment has slots. */
__attribute__((always_inline)) static inline uint64_t
segment_seek(const struct segment *segment, unsigned stripe_bits, const uint64_t *key, unsigned words)
{
    const uint64_t *keys = segment->keys;
    uint64_t slot = segment_home(segment, stripe_bits, key[0]);
    while (key_less(keys + slot * words, key, words))
        slot++;
    return slot;
}

/* Puts the key into its slot and carries what lies there one slot on, up to the next empty one. */
__attribute__((always_inline)) static inline uint64_t segment_shift_in(const struct segment *segment,
                                                                       bool wide, uint64_t slot,
                                                                       const uint64_t *key, uint16_t distance,
                                                                       unsigned words)
{
    /* Copies of the pointers: a store of a byte might otherwise be one to the segment itself. */
    uint64_t *keys = segment->keys;
    uint8_t *distances = segment->distances;
    uint64_t carried[KEY_WORDS_MAX];
    key_copy(carried, key, words);
    for (;; slot++) {
        uint64_t *place = keys + slot * words;
        uint64_t displaced[KEY_WORDS_MAX];
        key_copy(displaced, place, words);
        key_copy(place, carried, words);
        uint16_t displaced_distance = distance_get(distances, wide, slot);
        distance_set(distances, wide, slot, distance);
        if (key_is_greatest(displaced, words))
            return slot;
        key_copy(carried, displaced, words);
        distance = displaced_distance;
    }
}

/* Inserts a key with its distance if it is not there yet. Returns what it found. */
__attribute__((always_inline)) static inline enum segment_insert
segment_insert(const struct segment_shape *shape, struct segment *segment, const uint64_t *key,
               uint16_t distance, unsigned words, bool wide)
{
    for (;;) {
        if (segment->slots > 0) {
            uint64_t slot = segment_seek(segment, shape->stripe_bits, key, words);
            if (key_equal(segment->keys + slot * words, key, words))
                return key_is_greatest(key, words) ? SEGMENT_GREATEST : SEGMENT_KNOWN;
            if (segment->used < segment->limit) {
                uint64_t last = segment_shift_in(segment, wide, slot, key, distance, words);
                segment->used++;
                if (last + 2 >= segment->slots)
                    segment->limit = segment->used; /* the tail is full: grow before the next one */
                return SEGMENT_NEW;
            }
        } else if (key_is_greatest(key, words)) {
            return SEGMENT_GREATEST;
        }
        if (!segment_grow(shape, segment))
            return SEGMENT_FULL;
    }
}

/* Returns the slot of a key, or UINT64_MAX. */
__attribute__((always_inline)) static inline uint64_t
segment_find(const struct segment *segment, unsigned stripe_bits, const uint64_t *key, unsigned words)
{
    if (segment->slots == 0)
        return UINT64_MAX;
    uint64_t slot = segment_seek(segment, stripe_bits, key, words);
    return key_equal(segment->keys + slot * words, key, words) ? slot : UINT64_MAX;
}

#endif
