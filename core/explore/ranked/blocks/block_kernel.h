/* SPDX-License-Identifier: MIT */
/*
 * Blocks of states (struct pz_runs), two bits a position as in states.h, and the moves applied to whole
 * blocks.
 *
 * A block consists of rows, one after the other, each pz_row_positions long, and is a whole number of pages.
 * So no two blocks share a word or an active bit, and a block has one writer. Positions between rows stay
 * UNREACHED.
 *
 * A set of a block's states has as many words; it uses the low bit of each state's two.
 */
#ifndef EXPLORE_RANKED_BLOCK_KERNEL_H
#define EXPLORE_RANKED_BLOCK_KERNEL_H

#include "explore/ranked/states.h"
#include "puzzled/space.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct block_shape {
    uint32_t rows, columns;
    uint32_t row_words, block_words;
};

struct block_shape block_shape_of(const struct pz_runs *runs);
/* Returns how many words the active bits of a block take: one for each of its pages. */
static inline size_t block_active_words(const struct block_shape *shape)
{
    return shape->block_words * WORD_STATES / PAGE_STATES;
}

/* A block from which moves lead, and its states of the last level. */
struct block_source {
    const _Atomic uint64_t *levels;
    const _Atomic uint64_t *active;
    unsigned last; /* the last level modulo 3 */
};

/* States of a block one by one: the columns of each row, ascending. */
struct block_list {
    uint16_t *columns; /* those of a row begin at row × shape.columns; has one more */
    uint32_t *count;   /* by row */
};

/* Adds the states that a move leads to from those of the last level. It may also add states of the level
 * three before. Writes over the list. */
void block_scatter(const struct block_shape *shape, const struct block_source *source,
                   const struct pz_edge *edge, struct block_list *list, uint64_t *next);
/* Removes from `left` the states that have a neighbour in the last level by a move that keeps columns. The
 * edge leads from them to the source. Returns how many they are. */
uint64_t block_gather_words(const struct block_shape *shape, const struct block_source *source,
                            const struct pz_edge *edge, uint64_t *left);
/* Lists a set. */
void block_list(const struct block_shape *shape, const uint64_t *set, struct block_list *list);
/* Removes the listed states from a set. */
void block_unlist(const struct block_shape *shape, const struct block_list *list, uint64_t *set);
/* Does what block_gather_words does, by a move that changes columns. Removes the states from the list. */
uint64_t block_gather(const struct block_shape *shape, const struct block_source *source,
                      const struct pz_edge *edge, struct block_list *list);
/* Writes the unreached states of a block. */
void block_unreached(const struct block_shape *shape, const _Atomic uint64_t *levels, uint64_t *left);
/* Writes the states of a level, modulo 3, in words that have an active bit. */
void block_active_states(const struct block_shape *shape, const _Atomic uint64_t *levels,
                         const _Atomic uint64_t *active, unsigned level, uint64_t *set);
/* Returns the bits of a block's word that stand for states, the low one of each state's two. */
uint64_t block_word_mask(const struct block_shape *shape, uint32_t word);
/* Clears the bits between rows. */
void block_trim(const struct block_shape *shape, uint64_t *next);

/* ---- which blocks a rank of a cluster has ---- */

struct block_share {
    unsigned rank, ranks; /* rank < ranks */
};

static inline unsigned block_share_owner(struct block_share share, uint64_t block)
{
    assert(share.rank < share.ranks);
    return (unsigned)(block % share.ranks);
}

static inline bool block_share_has(struct block_share share, uint64_t block)
{
    return share.ranks == 1 || block_share_owner(share, block) == share.rank;
}

/* Returns the place of a block at its owner. */
static inline uint64_t block_share_place(struct block_share share, uint64_t block)
{
    assert(share.rank < share.ranks);
    return share.ranks == 1 ? block : block / share.ranks;
}

/* Returns the block that has a place at this rank. */
static inline uint64_t block_share_at(struct block_share share, uint64_t place)
{
    return place * share.ranks + share.rank;
}

/* Returns how many of so many blocks this rank has. */
static inline uint64_t block_share_count(struct block_share share, uint64_t blocks)
{
    assert(share.rank < share.ranks);
    return (blocks + share.ranks - 1 - share.rank) / share.ranks;
}

/* Returns how many of so many blocks this rank has, but at least 1. */
static inline uint64_t block_share_places(struct block_share share, uint64_t blocks)
{
    const uint64_t own = block_share_count(share, blocks);
    return own > 0 ? own : 1;
}

#endif
