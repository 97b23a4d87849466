/* SPDX-License-Identifier: MIT */
/*
 * Stacks of numbers by cost, for a search that seldom goes back to a lower cost (R. B. Dial, Algorithm 360,
 * CACM 1969). The tops lie in pages that are made when a stack of theirs is first used, and freed when the
 * search has passed them: so the memory depends on how far the costs lie apart, not on how great they are.
 * What lies below a top is the owner's affair. One thread.
 */
#ifndef COSTS_COST_STACKS_H
#define COSTS_COST_STACKS_H

#include "base/budget.h"

enum { COST_STACKS_PAGE = 1 << 12 };

struct cost_stacks {
    struct budget *budget;
    uint32_t **pages; /* by cost / COST_STACKS_PAGE; NULL where there is none; reserved for all costs */
    uint32_t end;     /* one more than the last page that was made */
    uint32_t lowest;  /* no stack below it is in use; who uses one lowers it */
};

/* Returns false without memory. The caller clears it in any case. */
bool cost_stacks_init(struct cost_stacks *stacks, struct budget *budget);
void cost_stacks_clear(struct cost_stacks *stacks); /* a zeroed one is fine */
/* Makes the page of a stack, which has none. Returns the stack's top; NULL without memory. */
uint32_t *cost_stacks_make(struct cost_stacks *stacks, uint32_t cost);
/* Goes on to the lowest stack that is not empty, and makes it the lowest. Returns its top; NULL for none. */
uint32_t *cost_stacks_first(struct cost_stacks *stacks);

/* Returns the top of a stack, which is 0 if the stack is empty; NULL without memory. */
static inline uint32_t *cost_stacks_top(struct cost_stacks *stacks, uint32_t cost)
{
    uint32_t *page = stacks->pages[cost / COST_STACKS_PAGE];
    return page != NULL ? page + cost % COST_STACKS_PAGE : cost_stacks_make(stacks, cost);
}

#endif
