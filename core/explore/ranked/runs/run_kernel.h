/* SPDX-License-Identifier: MIT */
/*
 * Runs of states (struct pz_runs), two bits a position as in states.h, and the moves applied to whole runs.
 *
 * A run consists of rows, one after the other, each pz_row_positions long, and is a whole number of blocks.
 * So no two runs share a word or an active bit, and a run has one writer. Positions between rows stay
 * UNREACHED.
 *
 * A set of a run's states has as many words; it uses the low bit of each state's two.
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
/* Returns how many words the active bits of a run take: a bit for each of its blocks. */
static inline size_t run_mark_words(const struct run_shape *shape)
{
    return shape->run_words * WORD_STATES / BLOCK_STATES;
}

/* A run from which moves lead, and its states of the last level. */
struct run_source {
    const _Atomic uint64_t *levels;
    const _Atomic uint64_t *marks;
    unsigned last; /* the last level modulo 3 */
};

/* States of a run one by one: the columns of each row, ascending. */
struct run_list {
    uint16_t *columns; /* those of a row begin at row × shape.columns; has one more */
    uint32_t *count;   /* by row */
};

/* Adds the states that a move leads to from those of the last level. It may also add states of the level
 * three before. Writes over the list. */
void run_scatter(const struct run_shape *shape, const struct run_source *source, const struct pz_edge *edge,
                 struct run_list *list, uint64_t *next);
/* Removes from `left` the states that have a neighbour in the last level by a move that keeps columns. The
 * edge leads from them to the source. Returns how many they are. */
uint64_t run_gather_words(const struct run_shape *shape, const struct run_source *source,
                          const struct pz_edge *edge, uint64_t *left);
/* Lists a set. */
void run_list(const struct run_shape *shape, const uint64_t *set, struct run_list *list);
/* Removes the listed states from a set. */
void run_unlist(const struct run_shape *shape, const struct run_list *list, uint64_t *set);
/* Does what run_gather_words does, by a move that changes columns. Removes the states from the list. */
uint64_t run_gather(const struct run_shape *shape, const struct run_source *source,
                    const struct pz_edge *edge, struct run_list *list);
/* Writes the unreached states of a run. */
void run_unreached(const struct run_shape *shape, const _Atomic uint64_t *levels, uint64_t *left);
/* Writes the states of a level, modulo 3, in words that have an active bit. */
void run_marked(const struct run_shape *shape, const _Atomic uint64_t *levels, const _Atomic uint64_t *marks,
                unsigned level, uint64_t *set);
/* Returns the bits of a run's word that stand for states, the low one of each state's two. */
uint64_t run_word_mask(const struct run_shape *shape, uint32_t word);
/* Clears the bits between rows. */
void run_trim(const struct run_shape *shape, uint64_t *next);

#endif
