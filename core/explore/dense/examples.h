/* SPDX-License-Identifier: MIT */
/* A few states of a level, chosen by a seed, the same for any number of threads. */
#ifndef EXPLORE_DENSE_EXAMPLES_H
#define EXPLORE_DENSE_EXAMPLES_H

#include "explore/dense/planes.h"

struct examples_place {
    uint64_t number; /* class */
    uint8_t place;
};

/*
 * Chooses up to most of the states in the plane of one colour, every subset of that size equally likely, all
 * of them when there are no more; in ascending order. states is their number. Returns how many were chosen.
 */
unsigned examples_choose(const struct planes *planes, unsigned colour, uint64_t states, unsigned most,
                         uint64_t seed, struct examples_place *out);

/* Its two halves. Draws the ranks of up to most of so many states, in ascending order, and puts them in
 * number; returns how many. */
unsigned examples_draw(uint64_t states, unsigned most, uint64_t seed, struct examples_place *out);
/* The state that has rank others before it in these bytes, which are readable up to 8 bytes beyond. Its
 * number counts from the first of them. */
struct examples_place examples_find(const uint8_t *bytes, uint64_t rank, unsigned colour);

#endif
