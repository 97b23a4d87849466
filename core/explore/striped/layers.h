/* SPDX-License-Identifier: MIT */
/*
 * The visited states of a space, level by level: delayed duplicate detection (R. E. Korf, "Best-first
 * frontier search with delayed duplicate detection", AAAI 2004) by stripes.
 *
 * For spaces whose moves can be undone and whose tokens join (PZ_JOINED_TOKENS). A power of two of stripes,
 * chosen by the high bits of the mixed key, each with a lock, a pile and a log. Successors lie on their
 * stripe's pile until the level's end; then the pile is sorted, which brings equal states together, whose
 * tokens join, and what is left is the stripe's part of the new level: a state that leaves out all its ways
 * back has no successor in a level before. A pile that becomes high before the level's end is thinned out in
 * the same way, under the stripe's lock, and put back.
 *
 * Where the frontier's tokens are not all there, at the first level after the states came from a hash set or
 * a checkpoint, the states of the two levels before are taken out of the sorted pile.
 */
#ifndef STRIPED_LAYERS_H
#define STRIPED_LAYERS_H

#include "explore/striped/crew.h"
#include "explore/striped/log.h"
#include "explore/striped/pile.h"
#include "explore/striped/radix.h"

#include <stdalign.h>

enum { LAYERS_STRIPES_MIN = 1 << ENTRY_TOKEN_BITS, LAYERS_STRIPES_MAX = 1 << 16 };

struct layer {
    alignas(64) struct pile pile;
    _Atomic uint32_t
        pile_limit; /* chunks; written under the pile's lock and between levels, read by all: a hint */
    alignas(64) struct log log; /* guarded by the pile's lock while a level runs; what is in it may be read */
};

struct layers {
    struct log_shape shape;
    unsigned stripe_bits;
    unsigned stripe_count;
    struct layer *stripes;
};

/* What makes a pile a part of a level: constant while the level is made. */
struct layers_step {
    uint32_t level;  /* being made */
    bool take_out;   /* the states of the two levels before it */
    uint32_t height; /* chunks that a pile may have before it is thinned out, at the least */
};

/* pool: of the crew that will use it. false when there is no memory. */
bool layers_init(struct layers *layers, struct pool *pool, unsigned stripes);
/* All zeros is fine. The chunks go with the pool. */
void layers_clear(struct layers *layers);

static inline unsigned layers_stripe_of(const struct layers *layers, uint64_t high_word)
{
    return (unsigned)(high_word >> (64 - layers->stripe_bits));
}

/* The highest bits of the keys of a stripe, as entry_key wants them. */
static inline uint64_t layers_top(const struct layers *layers, unsigned stripe)
{
    return (uint64_t)(stripe >> (layers->stripe_bits - ENTRY_TOKEN_BITS)) << (64 - ENTRY_TOKEN_BITS);
}

/* Before a level: how high piles may become. By one thread. */
void layers_expect(struct layers *layers, uint32_t height);

/* Thins the pile out. The caller holds its lock, which is released. false when memory is spent. */
bool layers_thin(struct layers *layers, unsigned stripe, const struct layers_step *step,
                 struct member *member);
/*
 * Makes the pile the stripe's part of the level, after the last push: *range, positions of its log. false
 * when memory is spent. The caller is the only one at this stripe.
 */
bool layers_settle(struct layers *layers, unsigned stripe, const struct layers_step *step,
                   struct member *member, struct range *range);
/* Adds entries in ascending order to a stripe's log, as a level above all that it has. false: no memory. */
bool layers_add(struct layers *layers, unsigned stripe, uint32_t level, const uint64_t *entries,
                uint64_t count, struct member *member);

/* The level of a key, or -1. Not while a level is settled. */
int64_t layers_find(const struct layers *layers, const uint64_t *key);
/* Whether a key is in that level. */
bool layers_has(const struct layers *layers, uint32_t level, const uint64_t *key);
/* The position in the stripe's range of the first entry whose key is in the range of another log as well,
 * which is in layers of as many stripes; range.end when there is none. */
uint32_t layers_meet(const struct layers *layers, unsigned stripe, struct range range,
                     const struct layers *other, struct range with);

#endif
