/* SPDX-License-Identifier: MIT */
/*
 * The runs that a rank of a cluster has: those with run number modulo ranks = rank. They have places 0, 1, …
 * there, by ascending number. One process has all runs. Runs with close numbers are reached in close levels,
 * so this division gives all ranks about the same work in each level.
 */
#ifndef EXPLORE_RANKED_RUN_SHARE_H
#define EXPLORE_RANKED_RUN_SHARE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct run_share {
    unsigned rank, ranks; /* rank < ranks */
};

static inline unsigned run_share_owner(struct run_share share, uint64_t run)
{
    assert(share.rank < share.ranks);
    return (unsigned)(run % share.ranks);
}

static inline bool run_share_has(struct run_share share, uint64_t run)
{
    return share.ranks == 1 || run_share_owner(share, run) == share.rank;
}

/* Returns the place of a run at its owner. */
static inline uint64_t run_share_place(struct run_share share, uint64_t run)
{
    assert(share.rank < share.ranks);
    return share.ranks == 1 ? run : run / share.ranks;
}

/* Returns the run that has a place at this rank. */
static inline uint64_t run_share_at(struct run_share share, uint64_t place)
{
    return place * share.ranks + share.rank;
}

/* Returns how many of so many runs this rank has. */
static inline uint64_t run_share_count(struct run_share share, uint64_t runs)
{
    assert(share.rank < share.ranks);
    return (runs + share.ranks - 1 - share.rank) / share.ranks;
}

/* Returns how many of so many runs this rank has, but at least 1. */
static inline uint64_t run_share_places(struct run_share share, uint64_t runs)
{
    const uint64_t own = run_share_count(share, runs);
    return own > 0 ? own : 1;
}

#endif
