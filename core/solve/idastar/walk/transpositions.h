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
#ifndef IDASTAR_TRANSPOSITIONS_H
#define IDASTAR_TRANSPOSITIONS_H

#include "board/pack.h"
#include "solve/idastar/walk/idastar_kernel.h"

#include <assert.h>
#include <string.h>

enum {
    TRANSPOSITION_WORDS = 2,      /* of a state */
    TRANSPOSITION_CELLS_MAX = 25, /* larger boards are not remembered */
    TRANSPOSITION_BITS_SMALL =
        12, /* up to 16 cells, where a walk is short: stays in the second-level cache, is soon cleared */
    TRANSPOSITION_BITS = 21,       /* 32 MB; a twentieth fewer nodes than with 20 in searches of 10 seconds */
    TRANSPOSITION_BITS_LEAST = 16, /* where memory is short */
    TRANSPOSITION_PAIR = 2,        /* entries beside each other */
    TRANSPOSITION_LEFT_AT = 56,    /* in the second word: half the moves left; the board gives their parity */
    TRANSPOSITION_LEFT_MOST = 511  /* a board with more moves left is not remembered */
};

/* A packed board of one or two words, without the tile of the 25th cell, which the others determine. Zero in
 * an unused entry. */
struct transposition {
    uint64_t word[TRANSPOSITION_WORDS];
};

struct transpositions {
    struct pack_plan plan;
    bool used;
    unsigned shift; /* of the hash */
    /* Zeroed by the owner. There are as many as transpositions_bytes says. */
    _Alignas(TRANSPOSITION_PAIR *
             sizeof(struct transposition)) struct transposition entry[1 << TRANSPOSITION_BITS];
};

/* Returns the entries there are, as a power of two: no more than 2^most, if most is not 0, on larger boards.
 */
static inline unsigned transpositions_bits(unsigned cells, unsigned most)
{
    const unsigned large = most > 0 && most < TRANSPOSITION_BITS ? most : TRANSPOSITION_BITS;
    return cells <= 16 ? TRANSPOSITION_BITS_SMALL : large;
}

/* Before any other call, with transpositions_bits' most. What was seen stays. */
static inline void transpositions_init(struct transpositions *table, unsigned cells, unsigned most)
{
    pack_plan_init(&table->plan, cells);
    table->used = table->plan.words <= TRANSPOSITION_WORDS && most != WALK_FORGETS;
    table->shift = 64 - (transpositions_bits(cells, most) - 1);
}

/* Returns the bytes of the entries that are used. */
static inline size_t transpositions_bytes(unsigned cells, unsigned most)
{
    return cells <= TRANSPOSITION_CELLS_MAX ? sizeof(struct transposition) << transpositions_bits(cells, most)
                                            : 0;
}

/* Returns the entry of a board with no moves left. */
static inline struct transposition transpositions_key(const uint64_t *state, unsigned words)
{
    /* Of the second word the nibbles of 8 cells, and then bit 4 of 24 (board/pack.h). */
    const uint64_t second =
        words > 1 ? (uint32_t)state[1] | (state[1] >> 36 & ((UINT64_C(1) << 24) - 1)) << 32 : 0;
    return (struct transposition){{state[0], second}};
}

/* Returns the first of the two places of a board. */
static inline struct transposition *transpositions_pair(struct transpositions *table,
                                                        struct transposition key)
{
    /* Two rounds of multiply and fold: MurmurHash3's idea with SplitMix64's constants. */
    uint64_t hash = (key.word[0] ^ key.word[1] * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EBu;
    return &table->entry[(hash >> table->shift) * TRANSPOSITION_PAIR];
}

/* Returns true if the entry is of the same board, with as many moves left or more. */
static inline bool transpositions_covers(struct transposition entry, struct transposition key)
{
    const uint64_t more = entry.word[1] - key.word[1];
    return entry.word[0] == key.word[0] && more << (64 - TRANSPOSITION_LEFT_AT) == 0 &&
           entry.word[1] >= key.word[1];
}

/* Returns true if the board may be left out, with so many moves left; otherwise it is remembered. */
static inline bool transpositions_entered(struct transpositions *table, struct transposition key,
                                          unsigned left)
{
    if (!table->used || left > TRANSPOSITION_LEFT_MOST)
        return false;
    struct transposition *pair = transpositions_pair(table, key);
    key.word[1] |= (uint64_t)(left / 2) << TRANSPOSITION_LEFT_AT;
    if (transpositions_covers(pair[0], key) || transpositions_covers(pair[1], key))
        return true;
    assert(pair >= table->entry &&
           pair + TRANSPOSITION_PAIR <= table->entry + ((size_t)2 << (64 - table->shift)));
    const bool first = key.word[1] >> TRANSPOSITION_LEFT_AT >= pair[0].word[1] >> TRANSPOSITION_LEFT_AT;
    pair[1] = first ? pair[0] : key;
    pair[0] = first ? key : pair[0];
    return false;
}

#endif
