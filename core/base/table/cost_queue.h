/* SPDX-License-Identifier: MIT */
/*
 * A queue of states' numbers by cost, for a search that seldom goes back to a lower cost: a stack for each
 * cost (R. B. Dial, Algorithm 360, CACM 1969). The tops lie in pages that are made when a stack of theirs is
 * first used, and freed when the search has passed them: so the memory depends on how far the costs lie
 * apart, not on how great they are. A number may wait several times. One thread.
 */
#ifndef BASE_COST_QUEUE_H
#define BASE_COST_QUEUE_H

#include "base/budget.h"

#define COST_QUEUE_NONE UINT32_MAX

/* A state's cost, by number, as the owner keeps it. */
#define COST_MAX       UINT32_C(4294967292)
#define COST_FAR       (UINT32_MAX - 1) /* only paths of more than COST_MAX are known */
#define COST_UNREACHED UINT32_MAX

struct cost_queue {
    struct budget *budget;
    uint32_t *
        *pages;      /* of tops, entries plus 1; by cost / page; NULL where there is none; reserved for all */
    uint32_t end;    /* one more than the last page that was made */
    uint32_t lowest; /* no stack below it is in use; a search that goes back lowers it */
    struct cost_queue_entry *entries; /* reserved */
    uint32_t capacity, paid, count;   /* address space, taken from the budget, used so far */
    uint32_t unused;                  /* a stack of entries that were popped */
    uint32_t reached, far;            /* numbers offered at a cost of at most COST_MAX; at COST_FAR */
};

/* Returns false without memory. The caller clears it in any case. */
bool cost_queue_init(struct cost_queue *queue, struct budget *budget);
void cost_queue_clear(struct cost_queue *queue); /* a zeroed one is fine */
/* The cost must not be below the lowest one. Returns false without memory. */
bool cost_queue_push(struct cost_queue *queue, uint32_t number, uint32_t cost);
/* Records a path to a state whose known cost is *known, and pushes it if that is cheaper. Returns false
 * without memory. */
bool cost_queue_offer(struct cost_queue *queue, uint32_t number, uint64_t cost, uint32_t *known);
/* Finds the lowest cost of all that wait. Returns false if none does. */
bool cost_queue_lowest(struct cost_queue *queue, uint32_t *cost);
/* Returns the number that was pushed last with the lowest cost, which is this; COST_QUEUE_NONE if there is
 * none. */
uint32_t cost_queue_pop(struct cost_queue *queue, uint32_t cost);

#endif
