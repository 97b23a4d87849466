/* SPDX-License-Identifier: MIT */
/*
 * The visited states of a space, level by level: delayed duplicate detection (R. E. Korf, "Best-first
 * frontier search with delayed duplicate detection", AAAI 2004) by partitions.
 *
 * For spaces whose moves can be undone. There is a power of two of partitions, each with a lock, an inbox and
 * a log. The high bits of a mixed key choose its partition. Successors lie in their partition's inbox until
 * the level's end. Then its duplicates are merged: the inbox is sorted, equal states become one, and the
 * states of the two levels before are subtracted. What is left is the partition's part of the new level. An
 * inbox that is full before the level's end is compacted in the same way, under the partition's lock, and
 * stays an inbox.
 *
 * Where tokens join (PZ_JOINED_TOKENS) the tokens of equal states are joined, and a state then leaves out
 * all its moves back. So it has no successor in an older level, and nothing is subtracted, except in the
 * first level after the states came from a hash set or a checkpoint, and in all levels where those of level 0
 * lead to one another: then states of later levels do, too.
 */
#ifndef STRIPED_LAYERS_H
#define STRIPED_LAYERS_H

#include "explore/key/radix.h"
#include "explore/striped/search/searchers.h"
#include "explore/striped/visited/inbox.h"
#include "explore/striped/visited/visited_log.h"

#include <stdalign.h>

enum { LAYERS_PARTITIONS_MIN = 1 << ENTRY_TOKEN_BITS };

struct layer {
    alignas(64) struct inbox inbox;
    _Atomic uint32_t inbox_limit; /* chunks; written under the lock and between levels, read by all: a hint */
    alignas(
        64) struct log log; /* guarded by the inbox's lock while a level runs; what is in it may be read */
};

struct layers {
    struct log_shape shape;
    unsigned partition_bits;
    unsigned partition_count;
    struct layer *partitions;
};

/* Constant while a level is made. */
struct layers_step {
    uint32_t level;  /* being made */
    bool joins;      /* the tokens of equal states are joined (PZ_JOINED_TOKENS) */
    bool subtracts;  /* the two levels before it are subtracted */
    uint32_t height; /* chunks that every inbox may have before it is compacted */
};

/* pool: of the searchers that will use the layers. Returns false without memory. */
bool layers_init(struct layers *layers, struct pool *pool, unsigned partitions);
/* All zeros is fine. The chunks go with the pool. */
void layers_clear(struct layers *layers);

static inline unsigned layers_partition_of(const struct layers *layers, uint64_t high_word)
{
    return (unsigned)(high_word >> (64 - layers->partition_bits));
}

/* Returns the highest bits of the keys of a partition, as entry_key wants them. */
static inline uint64_t layers_top(const struct layers *layers, unsigned partition)
{
    return (uint64_t)(partition >> (layers->partition_bits - ENTRY_TOKEN_BITS)) << (64 - ENTRY_TOKEN_BITS);
}

/* Sets how many chunks every inbox may have before it is compacted. Called before a level, by one thread. */
void layers_expect(struct layers *layers, uint32_t height);

/* Compacts an inbox. The caller holds its lock, which is released. Returns false if memory is spent. */
bool layers_compact(struct layers *layers, unsigned partition, const struct layers_step *step,
                    struct searcher *worker);
/*
 * Merges the inbox's duplicates, after the last push, and appends what is left to the partition's log as its
 * part of the level; *range becomes its positions. Returns false if memory is spent. No other thread may be
 * at this partition.
 */
bool layers_merge(struct layers *layers, unsigned partition, const struct layers_step *step,
                  struct searcher *worker, struct range *range);
/* Appends entries, which are in ascending order, to a partition's log, as a level above all that it has.
 * Returns false without memory. */
bool layers_add(struct layers *layers, unsigned partition, uint32_t level, const uint64_t *entries,
                uint64_t count, struct searcher *worker);

/* Returns the level of a key, or -1. Not to be called while duplicates are merged. */
int64_t layers_find(const struct layers *layers, const uint64_t *key);
/* Returns true if a key is in that level. */
bool layers_has(const struct layers *layers, uint32_t level, const uint64_t *key);
/* Returns the position of the first entry of the partition's range whose key is in the range `with` of the
 * other layers as well, or range.end. Both layers have the same number of partitions. */
uint32_t layers_meet(const struct layers *layers, unsigned partition, struct range range,
                     const struct layers *other, struct range with);

#endif
