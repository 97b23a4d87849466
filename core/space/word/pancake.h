/* SPDX-License-Identifier: MIT */
/*
 * Pancakes: a stack is sorted by flipping its top pancakes; burnt ones have to lie on their burnt side, too.
 * A state has the pancakes from the top on, in 4 bits each, or in 5 with the burnt side above in the fifth.
 */
#ifndef SPACE_PANCAKE_H
#define SPACE_PANCAKE_H

#include "space/word/word_space.h"

extern const struct pz_puzzle pancake_puzzle;

struct twist_lazy;

struct pancake {
    struct word_space word; /* first: a pancake is a pz_space */
    unsigned pancakes;
    unsigned width; /* bits of a pancake */
    bool burnt;
    uint8_t wanted[32];      /* what each pancake, burnt side and all, is called where the goal is sorted */
    struct twist_lazy *lazy; /* the numbers */
};

static inline const struct pancake *pancake_of(const struct pz_space *space)
{
    return (const struct pancake *)space;
}

/* Returns how many pancakes a move flips. Move number 0 flips two, of burnt ones the first alone. */
static inline unsigned pancake_flipped(const struct pancake *pancake, unsigned move)
{
    return move + (pancake->burnt ? 1 : 2);
}

#endif
