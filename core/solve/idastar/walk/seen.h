/* SPDX-License-Identifier: MIT */
/*
 * The transposition table: remembers the boards that a walk has lately entered, so that of the many ways to
 * one board only one is walked. If a board was entered with as many moves left or more, in this iteration or
 * an earlier one, all that it leads to was walked then, or is being walked. A cache of whole states, which
 * only ever forgets: a hit is never wrong, a miss costs time. One thread's own.
 *
 * A board may be in two entries beside each other. The first one keeps what had most moves left, since that
 * took longest to walk; the second one what came last.
 */
#ifndef IDASTAR_SEEN_H
#define IDASTAR_SEEN_H

#include "board/pack.h"
#include "solve/idastar/walk/idastar_kernel.h"

#include <assert.h>
#include <string.h>

enum {
    SEEN_WORDS = 2,      /* of a state */
    SEEN_CELLS_MAX = 25, /* larger boards are not remembered */
    SEEN_BITS_SMALL =
        12, /* up to 16 cells, where a walk is short: stays in the second-level cache, is soon cleared */
    SEEN_BITS = 21,       /* 32 MB; a twentieth fewer nodes than with 20 in searches of 10 seconds */
    SEEN_BITS_LEAST = 16, /* where memory is short */
    SEEN_PAIR = 2,        /* entries beside each other */
    SEEN_LEFT_AT = 56,    /* in the second word: half the moves left; the board gives their parity */
    SEEN_LEFT_MOST = 511  /* a board with more moves left is not remembered */
};

/* A packed board of one or two words, without the tile of the 25th cell, which the others determine. Zero in
 * an unused entry. */
struct seen_entry {
    uint64_t word[SEEN_WORDS];
};

struct seen {
    struct pack_plan plan;
    bool used;
    unsigned shift; /* of the hash */
    /* Zeroed by the owner. There are as many as seen_bytes says. */
    _Alignas(SEEN_PAIR * sizeof(struct seen_entry)) struct seen_entry entry[1 << SEEN_BITS];
};

/* Returns the entries there are, as a power of two: no more than 2^most, if most is not 0, on larger boards.
 */
static inline unsigned seen_bits(unsigned cells, unsigned most)
{
    const unsigned large = most > 0 && most < SEEN_BITS ? most : SEEN_BITS;
    return cells <= 16 ? SEEN_BITS_SMALL : large;
}

/* Before any other call, with seen_bits' most. What was seen stays. */
static inline void seen_init(struct seen *seen, unsigned cells, unsigned most)
{
    pack_plan_init(&seen->plan, cells);
    seen->used = seen->plan.words <= SEEN_WORDS && most != WALK_FORGETS;
    seen->shift = 64 - (seen_bits(cells, most) - 1);
}

/* Returns the bytes of the entries that are used. */
static inline size_t seen_bytes(unsigned cells, unsigned most)
{
    return cells <= SEEN_CELLS_MAX ? sizeof(struct seen_entry) << seen_bits(cells, most) : 0;
}

/* Returns the entry of a board with no moves left. */
static inline struct seen_entry seen_key(const uint64_t *state, unsigned words)
{
    /* Of the second word the nibbles of 8 cells, and then bit 4 of 24 (board/pack.h). */
    const uint64_t second =
        words > 1 ? (uint32_t)state[1] | (state[1] >> 36 & ((UINT64_C(1) << 24) - 1)) << 32 : 0;
    return (struct seen_entry){{state[0], second}};
}

/* Returns the first of the two places of a board. */
static inline struct seen_entry *seen_pair(struct seen *seen, struct seen_entry key)
{
    /* Two rounds of multiply and fold: MurmurHash3's idea with SplitMix64's constants. */
    uint64_t hash = (key.word[0] ^ key.word[1] * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EBu;
    return &seen->entry[(hash >> seen->shift) * SEEN_PAIR];
}

/* Returns true if the entry is of the same board, with as many moves left or more. */
static inline bool seen_covers(struct seen_entry entry, struct seen_entry key)
{
    const uint64_t more = entry.word[1] - key.word[1];
    return entry.word[0] == key.word[0] && more << (64 - SEEN_LEFT_AT) == 0 && entry.word[1] >= key.word[1];
}

/* Returns true if the board may be left out, with so many moves left; otherwise it is remembered. */
static inline bool seen_before(struct seen *seen, struct seen_entry key, unsigned left)
{
    if (!seen->used || left > SEEN_LEFT_MOST)
        return false;
    struct seen_entry *pair = seen_pair(seen, key);
    key.word[1] |= (uint64_t)(left / 2) << SEEN_LEFT_AT;
    if (seen_covers(pair[0], key) || seen_covers(pair[1], key))
        return true;
    assert(pair >= seen->entry && pair + SEEN_PAIR <= seen->entry + ((size_t)2 << (64 - seen->shift)));
    const bool first = key.word[1] >> SEEN_LEFT_AT >= pair[0].word[1] >> SEEN_LEFT_AT;
    pair[1] = first ? pair[0] : key;
    pair[0] = first ? key : pair[0];
    return false;
}

#endif
