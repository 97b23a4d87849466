/* SPDX-License-Identifier: MIT */
/* A few states of a level, chosen by a seed. The choice is the same for any number of threads. */
#ifndef EXPLORE_DENSE_EXAMPLES_H
#define EXPLORE_DENSE_EXAMPLES_H

#include "explore/dense/plane/planes.h"

struct examples_place {
    uint64_t number; /* class */
    uint8_t place;
};

/* A choice among the states of one level: every subset of that size is equally likely. */
struct examples {
    uint64_t states; /* in the level */
    unsigned most;   /* wanted */
    uint64_t seed;
    struct examples_place *chosen; /* has room for most */
    unsigned count;                /* chosen: all states if there are no more than most */
};

/* Chooses among the states in the plane of one colour, in ascending order. Of metric:multi among those of
 * both colours, of the newest level or, if older, of the one before it. */
void examples_choose(const struct planes *planes, unsigned colour, bool older, struct examples *examples);

/* The two halves of examples_choose. The first draws the ranks of the chosen states, in ascending order, and
 * puts them in number. */
void examples_draw(struct examples *examples);
/* Returns the state that has rank others before it in these bytes, which are readable up to 8 bytes beyond.
 * Its number counts from the first byte. */
struct examples_place examples_find(const uint8_t *bytes, uint64_t rank, unsigned colour);

#endif
