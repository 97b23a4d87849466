/* SPDX-License-Identifier: MIT */
/* The cost of each iteration of an iterative deepening. */
#ifndef IDASTAR_ITERATIONS_H
#define IDASTAR_ITERATIONS_H

#include <stdint.h>

enum { ITERATIONS_MAX = 64 };

struct iterations {
    unsigned count; /* the first ITERATIONS_MAX */
    struct {
        uint32_t bound;
        uint64_t generated; /* in it alone */
        double seconds;
    } each[ITERATIONS_MAX];
};

static inline void iterations_note(struct iterations *iterations, uint32_t bound, uint64_t generated,
                                   double seconds)
{
    if (iterations->count == ITERATIONS_MAX)
        return;
    iterations->each[iterations->count].bound = bound;
    iterations->each[iterations->count].generated = generated;
    iterations->each[iterations->count++].seconds = seconds;
}

/* Adds those of one search, but so many nodes of its last one. */
static inline void iterations_add(struct iterations *iterations, const struct iterations *search,
                                  uint64_t unlooked)
{
    for (unsigned i = 0; i < search->count; i++)
        iterations_note(iterations, search->each[i].bound,
                        search->each[i].generated - (i + 1 == search->count ? unlooked : 0),
                        search->each[i].seconds);
}

#endif
