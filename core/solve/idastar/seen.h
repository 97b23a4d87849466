/* SPDX-License-Identifier: MIT */
/*
 * Remembers the boards that a walk has lately entered, so that of the many ways to one board only one is
 * walked. If a board was entered in the same iteration after as many moves or fewer, all that it leads to was
 * walked then, or is being walked. A direct-mapped cache of whole states, which only ever forgets: a hit is
 * never wrong, a miss costs time. One thread's own.
 */
#ifndef IDASTAR_SEEN_H
#define IDASTAR_SEEN_H

#include "board/pack.h"

#include <string.h>

enum {
    SEEN_WORDS = 2, /* of a state: up to 25 cells; larger boards are not remembered */
    SEEN_BITS_SMALL =
        12, /* up to 16 cells, where a walk is short: stays in the second-level cache, is soon cleared */
    SEEN_BITS = 18 /* a tenth fewer nodes than with 16, in the same time */
};

/* A packed board of one or two words; any of more, which are not remembered. */
struct seen_key {
    uint64_t word[SEEN_WORDS];
};

struct seen_entry {
    struct seen_key key;
    uint32_t bound, depth; /* the iteration's; bound 0 in an unused entry, for no walk has it */
};

struct seen {
    struct pack_plan plan;
    bool used;
    unsigned shift;                          /* of the hash */
    struct seen_entry entry[1 << SEEN_BITS]; /* zeroed by the owner; what is not used is never touched */
};

static inline unsigned seen_bits(unsigned cells)
{
    return cells <= 16 ? SEEN_BITS_SMALL : SEEN_BITS;
}

/* Before any other call. What was seen stays. */
static inline void seen_init(struct seen *seen, unsigned cells)
{
    pack_plan_init(&seen->plan, cells);
    seen->used = seen->plan.words <= SEEN_WORDS;
    seen->shift = 64 - seen_bits(cells);
}

/* Returns the bytes of the entries that are used. */
static inline size_t seen_bytes(const struct seen *seen)
{
    return seen->used ? sizeof(struct seen_entry) << seen_bits(seen->plan.cells) : 0;
}

static inline struct seen_key seen_key(const uint64_t *state, unsigned words)
{
    return (struct seen_key){{state[0], words > 1 ? state[1] : 0}};
}

static inline struct seen_entry *seen_entry(struct seen *seen, struct seen_key key)
{
    /* Two rounds of multiply and fold: MurmurHash3's idea with SplitMix64's constants. */
    uint64_t hash = (key.word[0] ^ key.word[1] * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EBu;
    return &seen->entry[hash >> seen->shift];
}

/* Returns true if the board may be left out; otherwise it is remembered. */
static inline bool seen_before(struct seen *seen, struct seen_key key, unsigned bound, unsigned depth)
{
    if (!seen->used)
        return false;
    struct seen_entry *entry = seen_entry(seen, key);
    if (entry->key.word[0] == key.word[0] && entry->key.word[1] == key.word[1] && entry->bound == bound &&
        entry->depth <= depth)
        return true;
    *entry = (struct seen_entry){key, bound, depth};
    return false;
}

#endif
