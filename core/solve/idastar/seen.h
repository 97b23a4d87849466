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

struct seen_entry {
    uint64_t state[SEEN_WORDS];
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

static inline void seen_pack(const struct seen *seen, const struct board *board, uint64_t state[SEEN_WORDS])
{
    memset(state, 0, SEEN_WORDS * sizeof *state);
    if (seen->used)
        pack_board(&seen->plan, board, state);
}

/* A tile goes between two cells, one of which is the blank's. */
static inline void seen_move(const struct seen *seen, uint64_t state[SEEN_WORDS], unsigned a, unsigned b,
                             unsigned tile)
{
    if (!seen->used)
        return;
    pack_toggle(&seen->plan, state, a, tile);
    pack_toggle(&seen->plan, state, b, tile);
}

static inline struct seen_entry *seen_entry(struct seen *seen, const uint64_t state[SEEN_WORDS])
{
    /* Two rounds of multiply and fold: MurmurHash3's idea with SplitMix64's constants. */
    uint64_t hash = (state[0] ^ state[1] * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EBu;
    return &seen->entry[hash >> seen->shift];
}

/* Returns true if the board may be left out; otherwise it is remembered. */
static inline bool seen_before(struct seen *seen, const uint64_t state[SEEN_WORDS], unsigned bound,
                               unsigned depth)
{
    if (!seen->used)
        return false;
    struct seen_entry *entry = seen_entry(seen, state);
    if (entry->state[0] == state[0] && entry->state[1] == state[1] && entry->bound == bound &&
        entry->depth <= depth)
        return true;
    *entry = (struct seen_entry){{state[0], state[1]}, bound, depth};
    return false;
}

#endif
