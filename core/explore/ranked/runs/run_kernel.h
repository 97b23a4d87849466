/* SPDX-License-Identifier: MIT */
/*
 * Runs of states (struct pz_runs), two bits a position as in states.h, and what moves make of them.
 *
 * A run has its rows one after the other, each pz_row_positions long, and is a whole number of blocks. So it
 * has words and marks of its own, and one writer. What lies between rows stays UNREACHED.
 *
 * Sets of a run's states have as many words, with the low bit of each state's two.
 */
#ifndef EXPLORE_RANKED_RUN_KERNEL_H
#define EXPLORE_RANKED_RUN_KERNEL_H

#include "explore/ranked/states.h"
#include "puzzled/space.h"

struct run_shape {
    uint32_t rows, columns;
    uint32_t row_words, run_words;
};

struct run_shape run_shape_of(const struct pz_runs *runs);
/* Returns how many words the marks of a run take: a bit for each of its blocks. */
static inline size_t run_mark_words(const struct run_shape *shape)
{
    return shape->run_words * WORD_STATES / BLOCK_STATES;
}

/* A run in the last level's terms. */
struct run_source {
    const _Atomic uint64_t *levels;
    const _Atomic uint64_t *marks;
    unsigned last; /* the last level modulo 3 */
};

/* Adds the states that a move makes of those of the last level. It may add some of three levels before. */
void run_scatter(const struct run_shape *shape, const struct run_source *source, const struct pz_edge *edge,
                 uint64_t *next);
/* Takes those states out of `left` and into `next` that a move leads to the last level. The edge leads from
 * them to the source. Returns how many states were found. */
uint64_t run_gather(const struct run_shape *shape, const struct run_source *source,
                    const struct pz_edge *edge, uint64_t *left, uint64_t *next);
/* Writes the unreached states of a run. */
void run_unreached(const struct run_shape *shape, const _Atomic uint64_t *levels, uint64_t *left);
/* Writes the states of a level, modulo 3, in words that have a mark. */
void run_marked(const struct run_shape *shape, const _Atomic uint64_t *levels, const _Atomic uint64_t *marks,
                unsigned level, uint64_t *set);
/* Returns the bits of a run's word that stand for states, the low one of each state's two. */
uint64_t run_word_mask(const struct run_shape *shape, uint32_t word);
/* Clears the bits between rows. */
void run_trim(const struct run_shape *shape, uint64_t *next);

#endif
