/* SPDX-License-Identifier: MIT */
/*
 * The boards that a walk has lately entered, so that the many ways to one board are walked once: a board that
 * was entered in the same iteration after as many moves or fewer leads to nothing that was not, or is not
 * being, looked at. A direct-mapped cache of whole states, which only ever forgets: a hit is never wrong, a
 * miss costs time. One thread's own.
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
    unsigned shift; /* of the hash */
    uint64_t state[PACK_WORDS_MAX];
    struct seen_entry entry[1 << SEEN_BITS]; /* zeroed by the owner; what is not used is never touched */
};

static inline unsigned seen_bits(unsigned cells)
{
    return cells <= 16 ? SEEN_BITS_SMALL : SEEN_BITS;
}

/* Of the entries that are used for boards of so many cells. */
static inline size_t seen_bytes(unsigned cells)
{
    struct pack_plan plan;
    pack_plan_init(&plan, cells);
    return plan.words > SEEN_WORDS ? 0 : sizeof(struct seen_entry) << seen_bits(cells);
}

/* Begins at a board. */
static inline void seen_begin(struct seen *seen, const struct board *board)
{
    memset(seen->state, 0, sizeof seen->state);
    pack_plan_init(&seen->plan, board->cells);
    pack_board(&seen->plan, board, seen->state);
    seen->shift = 64 - seen_bits(board->cells);
}

/* A tile goes between two cells, one of which is the blank's. */
static inline void seen_move(struct seen *seen, unsigned a, unsigned b, unsigned tile)
{
    pack_toggle(&seen->plan, seen->state, a, tile);
    pack_toggle(&seen->plan, seen->state, b, tile);
}

/* Whether the present board may be left out; otherwise it is remembered. */
static inline bool seen_before(struct seen *seen, unsigned bound, unsigned depth)
{
    if (seen->plan.words > SEEN_WORDS)
        return false;
    /* Two rounds of multiply and fold: MurmurHash3's idea with SplitMix64's constants. */
    uint64_t hash = (seen->state[0] ^ seen->state[1] * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EBu;
    struct seen_entry *entry = &seen->entry[hash >> seen->shift];
    if (entry->state[0] == seen->state[0] && entry->state[1] == seen->state[1] && entry->bound == bound &&
        entry->depth <= depth)
        return true;
    *entry = (struct seen_entry){{seen->state[0], seen->state[1]}, bound, depth};
    return false;
}

#endif
