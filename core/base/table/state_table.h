/* SPDX-License-Identifier: MIT */
/*
 * Numbers states in the order in which they come, and finds the number of a state. Each state also has some
 * bytes of the owner's. States never move: they lie in reserved address space, whose memory is taken from the
 * budget as the table grows. One thread adds states; once it is done, any thread may find them.
 */
#ifndef BASE_STATE_TABLE_H
#define BASE_STATE_TABLE_H

#include "base/budget.h"

#define STATE_TABLE_NONE UINT32_MAX

struct state_table {
    struct budget *budget; /* NULL: nothing is accounted */
    size_t state_bytes, own_bytes;
    uint8_t *states, *own;          /* reserved for capacity of them */
    uint32_t capacity, paid, count; /* address space, taken from the budget, in use */
    uint32_t *slots;                /* numbers plus 1, open addressing; 0 when free */
    uint64_t mask;                  /* slots but one: a power of two */
    bool (*halts)(void *context); /* asked now and then while the slots grow: true stops it; NULL for none */
    void *context;
};

/* States of state_bytes, a multiple of 8, with own_bytes (1 or more) of the owner's, zero at first. Returns
 * false without memory, or if the budget has no room to begin with. The caller clears it in any case. */
bool state_table_init(struct state_table *table, struct budget *budget, size_t state_bytes, size_t own_bytes);
/* Makes one of up to `most` states, without a budget: the owner may move the struct. Returns false without
 * memory. */
bool state_table_init_alone(struct state_table *table, uint32_t most, size_t state_bytes, size_t own_bytes);
void state_table_clear(struct state_table *table); /* a zeroed one is fine */

/* Returns the slot of a state: 0, or its number plus 1. */
uint32_t *state_table_slot(const struct state_table *table, const void *state);
/* Adds a state whose slot is 0; returns its number. STATE_TABLE_NONE without memory or room, or if it was
 * halted.
 */
uint32_t state_table_put(struct state_table *table, uint32_t *slot, const void *state);

/* Returns the state's number, that of a new state if it was not there; STATE_TABLE_NONE as above. */
static inline uint32_t state_table_add(struct state_table *table, const void *state)
{
    uint32_t *slot = state_table_slot(table, state);
    return *slot != 0 ? *slot - 1 : state_table_put(table, slot, state);
}

/* Returns the number of a state, STATE_TABLE_NONE if it is not there. */
static inline uint32_t state_table_find(const struct state_table *table, const void *state)
{
    return *state_table_slot(table, state) - 1;
}

static inline const void *state_table_at(const struct state_table *table, uint32_t number)
{
    return table->states + number * table->state_bytes;
}

/* Brings what a look at a state's slot needs into the cache, or what it leads to. */
void state_table_prefetch(const struct state_table *table, const void *state);
void state_table_prefetch_found(const struct state_table *table, const void *state);

#endif
