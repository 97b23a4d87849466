/* SPDX-License-Identifier: MIT */
/*
 * Numbers states in the order in which they come, and finds the number of a state. Each state also has a
 * cost and a number for the owner's use. Used by one thread; all memory is from the budget.
 */
#ifndef COSTS_STATE_TABLE_H
#define COSTS_STATE_TABLE_H

#include "base/budget.h"
#include "puzzled/status.h"

#include <stddef.h>

#define STATE_TABLE_FULL UINT32_MAX

struct state_table {
    struct budget *budget;
    size_t state_bytes;
    uint8_t *states;                /* reserved for capacity of them, as are costs and order */
    uint32_t *costs;                /* the owner's */
    uint32_t *order;                /* the owner's */
    uint32_t capacity, paid, count; /* address space, taken from the budget, in use */
    uint32_t *slots;                /* numbers plus 1, open addressing; 0 when free */
    uint64_t slot_count;
};

/* Returns false without memory, or if the budget has no room to begin with. The caller clears it in any case.
 */
bool state_table_init(struct state_table *table, struct budget *budget, size_t state_bytes);
void state_table_clear(struct state_table *table);
/* Returns the state's number, that of a new state if it was not there; STATE_TABLE_FULL without memory. Costs
 * and order of a new one are not set. */
uint32_t state_table_add(struct state_table *table, const void *state);
/* Returns the number of a state that is there. */
uint32_t state_table_find(const struct state_table *table, const void *state);

static inline const void *state_table_at(const struct state_table *table, uint32_t number)
{
    return table->states + number * table->state_bytes;
}

#endif
