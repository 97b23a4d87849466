/* SPDX-License-Identifier: MIT */
/*
 * Pancakes: a stack is sorted by flipping its top pancakes; burnt ones have to lie on their burnt side, too.
 * This header is for pancake.c (the rules) and pancake_step.c (flips on numbers); others need pancake_puzzle
 * only.
 *
 * A state has the pancakes from the top on, in 4 bits each, or in 5 with the burnt side above in the fifth.
 */
#ifndef SPACE_PANCAKE_H
#define SPACE_PANCAKE_H

#include "puzzled/space.h"
#include "space/permutation.h"

extern const struct pz_puzzle pancake_puzzle;

struct pancake_steps;

struct pancake {
    struct pz_space base; /* first: a pancake is a pz_space */
    unsigned pancakes;
    unsigned width; /* bits of a pancake */
    bool burnt;
    struct pancake_steps *steps;
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

/* ---- pancake_step.c ---- */

/* Returns NULL without memory. */
struct pancake_steps *pancake_steps_new(unsigned pancakes, bool burnt);
void pancake_steps_free(struct pancake_steps *steps); /* NULL is fine */
void pancake_step(const struct pz_space *space, unsigned move, const uint64_t *numbers, unsigned count,
                  uint64_t *out);

#endif
