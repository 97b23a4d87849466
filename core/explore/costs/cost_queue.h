/* SPDX-License-Identifier: MIT */
/* Numbers of states by cost, a stack for each cost (R. B. Dial, Algorithm 360, CACM 1969). One thread. */
#ifndef COSTS_COST_QUEUE_H
#define COSTS_COST_QUEUE_H

#include "base/budget.h"

#include <stddef.h>

struct cost_queue_entry {
    uint32_t number;
    uint32_t below; /* the next in its stack; COST_QUEUE_NONE */
};
#define COST_QUEUE_NONE UINT32_MAX

struct cost_queue {
    struct budget *budget;
    struct cost_queue_entry *entries; /* reserved */
    uint32_t capacity, paid, count;   /* address space, taken from the budget, used so far */
    uint32_t unused;                  /* a stack of entries that were popped */
    uint32_t *stacks;                 /* one for each cost up to EXPLORE_LEVEL_MAX */
};

/* Returns false without memory. The caller clears it in any case. */
bool cost_queue_init(struct cost_queue *queue, struct budget *budget);
void cost_queue_clear(struct cost_queue *queue);
/* Returns false without memory. */
bool cost_queue_push(struct cost_queue *queue, uint32_t number, uint32_t cost);
/* Returns the number that was pushed last with this cost; COST_QUEUE_NONE if there is none. */
uint32_t cost_queue_pop(struct cost_queue *queue, uint32_t cost);

#endif
