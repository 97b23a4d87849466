/* SPDX-License-Identifier: MIT */
/*
 * The siblings of a run: those that moves join to it as they are. Where runs are aligned, all runs of an
 * orbit are siblings, and each gets the same states of the last level from the others. So siblings are made
 * one after the other, by one worker, which makes their set once. A run's own states do no harm in it: they
 * are reached.
 */
#ifndef EXPLORE_RANKED_RUN_KIN_H
#define EXPLORE_RANKED_RUN_KIN_H

#include "explore/ranked/runs/run_share.h"
#include "puzzled/space.h"

#include <stddef.h>

/* The set of states of the last level in a run and its siblings. Owned by one worker. */
struct run_kin {
    size_t words;
    uint64_t *set;
    uint32_t last;   /* the level */
    unsigned count;  /* of the runs with states in it; 0: there is no set yet */
    uint64_t *runs;  /* these, ascending */
    uint64_t *found; /* those of the run being made, in any order; its owner writes */
};

bool run_kin_init(struct run_kin *kin, size_t words, unsigned moves);
void run_kin_clear(struct run_kin *kin);
/* Returns true if the set is not yet that of the runs found, count of them. Then it is empty, and the caller
 * adds their states. */
bool run_kin_begin(struct run_kin *kin, uint32_t last, unsigned count);

static inline bool run_kin_joins(const struct pz_edge *edge)
{
    return edge->outer != PZ_NO_RUN && edge->rows == NULL && edge->columns == NULL;
}

/* Puts the places of a rank's runs in an order in which siblings are together. Returns the most that are
 * siblings; 0 without memory. */
uint32_t run_kin_order(const struct pz_runs *runs, struct run_share share, uint32_t *order);

#endif
