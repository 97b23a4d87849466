/* SPDX-License-Identifier: MIT */
/* Numbers of states by cost. A number may wait several times. One thread. */
#ifndef COSTS_COST_QUEUE_H
#define COSTS_COST_QUEUE_H

#include "explore/costs/cost_stacks.h"

#include <stddef.h>

struct cost_queue_entry {
    uint32_t number;
    uint32_t below; /* the next in its stack, plus 1; 0 for none */
};
#define COST_QUEUE_NONE UINT32_MAX

struct cost_queue {
    struct cost_stacks stacks;        /* of entries, plus 1 */
    struct cost_queue_entry *entries; /* reserved */
    uint32_t capacity, paid, count;   /* address space, taken from the budget, used so far */
    uint32_t unused;                  /* a stack of entries that were popped */
};

/* Returns false without memory. The caller clears it in any case. */
bool cost_queue_init(struct cost_queue *queue, struct budget *budget);
void cost_queue_clear(struct cost_queue *queue);
/* The cost must not be below the lowest one, which a search that goes back lowers itself. Returns false
 * without memory. */
bool cost_queue_push(struct cost_queue *queue, uint32_t number, uint32_t cost);
/* Finds the lowest cost of all that wait. Returns false if none does. */
bool cost_queue_lowest(struct cost_queue *queue, uint32_t *cost);
/* Returns the number that was pushed last with the lowest cost, which is this; COST_QUEUE_NONE if there is
 * none. */
uint32_t cost_queue_pop(struct cost_queue *queue, uint32_t cost);

#endif
