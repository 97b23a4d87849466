/* SPDX-License-Identifier: MIT */
#include "base/table/state_table.h"

#include "base/budget.h"

#include <assert.h>
#include <string.h>

enum {
    CHUNK = 1 << 15, /* states whose memory is taken from the budget at once, at most */
    FIRST_CHUNK = 1 << 10,
    FIRST_SLOTS = 1 << 12, /* of the table of numbers */
    POLL_STATES = 1 << 16  /* moved to a larger table between two polls: milliseconds */
};

static uint64_t state_table_each(const struct state_table *table)
{
    return table->state_bytes + table->own_bytes;
}

static bool state_table_map(struct state_table *table)
{
    table->mask = FIRST_SLOTS - 1;
    table->states = memory_map(table->capacity * table->state_bytes, MEMORY_GROWING);
    table->own = memory_map(table->capacity * table->own_bytes, MEMORY_GROWING);
    if (table->states != NULL && table->own != NULL)
        table->slots = budget_map(table->budget, FIRST_SLOTS * sizeof *table->slots);
    else if (table->budget != NULL)
        budget_starve(table->budget);
    return table->slots != NULL;
}

bool state_table_init(struct state_table *table, struct budget *budget, size_t state_bytes, size_t own_bytes)
{
    *table = (struct state_table){.budget = budget, .state_bytes = state_bytes, .own_bytes = own_bytes};
    const uint64_t most = budget_free(budget) / state_table_each(table) + CHUNK;
    table->capacity = most < STATE_TABLE_NONE - 1 ? (uint32_t)most : STATE_TABLE_NONE - 1;
    return state_table_map(table);
}

bool state_table_init_alone(struct state_table *table, uint32_t most, size_t state_bytes, size_t own_bytes)
{
    assert(most > 0 && most < STATE_TABLE_NONE);
    *table = (struct state_table){
        .state_bytes = state_bytes, .own_bytes = own_bytes, .capacity = most, .paid = most};
    return state_table_map(table);
}

void state_table_clear(struct state_table *table)
{
    memory_unmap(table->states, table->capacity * table->state_bytes);
    memory_unmap(table->own, table->capacity * table->own_bytes);
    budget_give(table->budget, table->paid * state_table_each(table));
    budget_unmap(table->budget, table->slots, (table->mask + 1) * sizeof *table->slots);
}

static uint64_t hash_of_state(const struct state_table *table, const void *state)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t hash = 0;
    for (size_t i = 0; i < table->state_bytes; i += sizeof hash) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)state + i, sizeof word);
        const wide product = (wide)(hash ^ word) * 0x9E3779B97F4A7C15u; /* Knuth's multiplicative hash, */
        hash = (uint64_t)product ^ (uint64_t)(product >> 64);           /* folded */
    }
    return hash;
}

uint32_t *state_table_slot(const struct state_table *table, const void *state)
{
    for (uint64_t at = hash_of_state(table, state);; at++) {
        uint32_t *slot = &table->slots[at & table->mask];
        if (*slot == 0 || memcmp(state_table_at(table, *slot - 1), state, table->state_bytes) == 0)
            return slot;
    }
}

void state_table_prefetch(const struct state_table *table, const void *state)
{
    __builtin_prefetch(&table->slots[hash_of_state(table, state) & table->mask]);
}

void state_table_prefetch_found(const struct state_table *table, const void *state)
{
    const uint32_t found = table->slots[hash_of_state(table, state) & table->mask];
    if (found == 0)
        return;
    __builtin_prefetch(state_table_at(table, found - 1));
    __builtin_prefetch(table->own + (found - 1) * table->own_bytes);
}

/* Doubles the slots, unless it is halted: then they stay. */
static bool grow_slots(struct state_table *table)
{
    const uint64_t mask = 2 * table->mask + 1;
    uint32_t *grown = budget_map(table->budget, (mask + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    for (uint32_t i = 0; i < table->count; i++) {
        uint64_t at = hash_of_state(table, state_table_at(table, i));
        while (grown[at & mask] != 0)
            at++;
        grown[at & mask] = i + 1;
        if (i % POLL_STATES == 0 && table->halts != NULL && table->halts(table->context)) {
            budget_unmap(table->budget, grown, (mask + 1) * sizeof *grown);
            return false;
        }
    }
    budget_unmap(table->budget, table->slots, (table->mask + 1) * sizeof *table->slots);
    table->slots = grown;
    table->mask = mask;
    return true;
}

static bool state_table_room(struct state_table *table)
{
    if (table->count == table->paid) {
        const uint32_t doubled = table->paid < FIRST_CHUNK ? FIRST_CHUNK : table->paid;
        const uint32_t more = doubled < CHUNK ? doubled : CHUNK;
        if (table->capacity - table->paid < more ||
            !budget_take(table->budget, more * state_table_each(table)))
            return false;
        table->paid += more;
    }
    const uint64_t full =
        table->budget != NULL ? table->mask / 3 * 2 : table->mask / 2; /* room is for speed */
    return table->count < full || grow_slots(table);
}

uint32_t state_table_put(struct state_table *table, uint32_t *slot, const void *state)
{
    const uint32_t *slots = table->slots;
    assert(*slot == 0);
    if (!state_table_room(table))
        return STATE_TABLE_NONE;
    if (table->slots != slots)
        slot = state_table_slot(table, state);
    memcpy(table->states + table->count * table->state_bytes, state, table->state_bytes);
    *slot = ++table->count;
    return table->count - 1;
}
