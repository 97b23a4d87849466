/* SPDX-License-Identifier: MIT */
/*
 * Memory of a search that its coded data does not need at the moment. The search uses it to run faster, and
 * gives it back group by group when it shrinks. Called by the owner.
 */
#ifndef EXPLORE_PIECES_SPARE_H
#define EXPLORE_PIECES_SPARE_H

#include "base/budget.h"

struct spare {
    struct budget *budget;
    uint64_t fill;    /* the search's bytes in the budget up to which memory is taken */
    uint64_t reserve; /* bytes below that which are left for what is coded */
    uint64_t taken;   /* now */
};

/* Returns the bytes up to those that the search may have. */
static inline uint64_t spare_left(const struct spare *spare)
{
    uint64_t used = atomic_load_explicit(&spare->budget->used, memory_order_relaxed);
    uint64_t left = used < spare->fill ? spare->fill - used : 0;
    uint64_t within = budget_free(spare->budget);
    return left < within ? left : within;
}

static inline bool spare_take(struct spare *spare, uint64_t bytes)
{
    if (spare_left(spare) < spare->reserve + bytes || !budget_take(spare->budget, bytes))
        return false;
    spare->taken += bytes;
    return true;
}

static inline void spare_give(struct spare *spare, uint64_t bytes)
{
    spare->taken -= bytes;
    budget_give(spare->budget, bytes);
}

#endif
