/* SPDX-License-Identifier: MIT */
/* Pancakes, TopSpin and Hanoi: a state is one word, and one state is the goal. */
#ifndef SPACE_WORD_PUZZLES_H
#define SPACE_WORD_PUZZLES_H

#include "space/making.h"
#include "space/options.h"
#include "space/twist/twist_numbers.h"

#include <string.h>

extern const struct pz_puzzle pancake_puzzle;
extern const struct pz_puzzle topspin_puzzle;
extern const struct pz_puzzle hanoi_puzzle;

/* Writes the state that everybody begins Hanoi with: all discs on the first peg. */
void hanoi_start(const struct pz_space *space, void *state);

/* ---- for these puzzles ---- */

static inline uint64_t word_of(const void *state)
{
    uint64_t word;
    memcpy(&word, state, sizeof word);
    return word;
}

/* A space of pieces that moves permute. */
struct word_space {
    struct goal_space ends;  /* first: a word_space is a pz_space */
    struct twist_lazy *lazy; /* the numbers */
};

/* As struct pz_puzzle's. */
static inline uint64_t word_count(const struct pz_space *space)
{
    return twist_lazy_count(((const struct word_space *)space)->lazy);
}

static inline struct pz_runs *word_runs(const struct pz_space *space)
{
    return twist_lazy_runs(((const struct word_space *)space)->lazy);
}

static inline void word_close(struct pz_space *space)
{
    if (space != NULL)
        twist_lazy_free(((struct word_space *)space)->lazy);
    space_free(space);
}

#endif
