/* SPDX-License-Identifier: MIT */
/*
 * Examples of levels by orbits. Which states of a line are one nearer than its others is known only while the
 * level is made, so lines are sampled then, by their hashes. A level's states are those that a column reached
 * of its own lines, and the others of the level before.
 */
#ifndef EXPLORE_DENSE_ORBIT_SAMPLE_H
#define EXPLORE_DENSE_ORBIT_SAMPLE_H

#include "explore/checkpoint/checkpointer.h"
#include "explore/dense/level/examples.h"
#include "explore/explore.h"
#include "explore/sample/bottom_k.h"

/* Lines of a level, each with the columns that it was reached by. */
struct orbit_sample {
    struct bottom_k reached; /* of all lines */
    struct bottom_k rest;    /* of those with a state that no column reached */
};

struct orbit_examples {
    const struct dense_geometry *geometry;
    uint64_t seed;
    uint32_t stride;             /* of the level being made: only every so many-th class is sampled */
    uint32_t strides[2];         /* of levels, by their parity */
    struct orbit_sample made[2]; /* the same */
    struct examples_place chosen[2][EXPLORE_DEEPEST_MAX];
    unsigned count[2];
};

bool orbit_sample_init(struct orbit_sample *sample);
void orbit_sample_clear(struct orbit_sample *sample);
/* Adds a line of the level that is made, by the columns at which it was reached. */
void orbit_sample_add(struct orbit_sample *sample, const struct orbit_examples *examples, uint64_t number,
                      unsigned line, unsigned columns);

bool orbit_examples_init(struct orbit_examples *examples, const struct dense_geometry *geometry,
                         uint64_t seed);
void orbit_examples_clear(struct orbit_examples *examples);
/* Moves a worker's sample to those of the level that was made. */
void orbit_examples_take(struct orbit_examples *examples, uint32_t level, struct orbit_sample *sample);
/* Ends a level of so many orbits, whose samples were all taken. */
void orbit_examples_choose(struct orbit_examples *examples, uint32_t level, uint64_t orbits);

/* Write what the levels after `level` need, at most ORBIT_SAVED_MOST bytes, and read it. */
enum {
    ORBIT_SAVED_MOST =
        (EXPLORE_DEEPEST_MAX + 1) * (sizeof(struct examples_place) + sizeof(struct bottom_k_entry))
};
void orbit_examples_save(const struct orbit_examples *examples, uint32_t level,
                         struct checkpointer *checkpointer);
bool orbit_examples_load(struct orbit_examples *examples, uint32_t level, struct checkpointer *checkpointer);

#endif
