/* SPDX-License-Identifier: MIT */
/*
 * Memory of a search that what is coded does not need at the moment. It makes the search faster, and is given
 * back group by group when there is less of it. Called by the owner.
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

/* Returns true if so many bytes more may be taken; for 0: if none need be given back. */
static inline bool spare_has(const struct spare *spare, uint64_t bytes)
{
    uint64_t used = atomic_load_explicit(&spare->budget->used, memory_order_relaxed);
    uint64_t left = used < spare->fill ? spare->fill - used : 0;
    uint64_t within = budget_free(spare->budget);
    return (left < within ? left : within) >= spare->reserve + bytes;
}

static inline bool spare_take(struct spare *spare, uint64_t bytes)
{
    if (!spare_has(spare, bytes) || !budget_take(spare->budget, bytes))
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
