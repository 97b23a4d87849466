/* SPDX-License-Identifier: MIT */
/*
 * A small generator of random numbers (SplitMix64: Steele, Lea, Flood 2014). A seed gives the same numbers on
 * every machine. Not for secrets.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <assert.h>
#include <stdint.h>

struct random {
    uint64_t state; /* the seed; any value is good */
};

static inline uint64_t random_next(struct random *random)
{
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Returns a uniform number in 0 … bound − 1; bound > 0 (Lemire 2019: multiply, reject the few that would
 * bias). */
static inline uint64_t random_below(struct random *random, uint64_t bound)
{
    assert(bound > 0);
    __extension__ typedef unsigned __int128 wide;
    uint64_t threshold = (0 - bound) % bound;
    for (;;) {
        wide product = (wide)random_next(random) * bound;
        if ((uint64_t)product >= threshold)
            return (uint64_t)(product >> 64);
    }
}

#endif
