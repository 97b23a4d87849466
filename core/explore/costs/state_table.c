/* SPDX-License-Identifier: MIT */
#include "explore/costs/state_table.h"

#include "base/memory.h"
#include "explore/key/mix.h"

#include <assert.h>
#include <string.h>

enum {
    CHUNK = 1 << 15,      /* states whose memory is taken from the budget at once */
    FIRST_SLOTS = 1 << 12 /* of the table of numbers */
};

static uint64_t each(const struct state_table *table)
{
    return table->state_bytes + sizeof *table->costs + sizeof *table->order;
}

bool state_table_init(struct state_table *table, struct budget *budget, size_t state_bytes)
{
    *table = (struct state_table){.budget = budget, .state_bytes = state_bytes, .slot_count = FIRST_SLOTS};
    const uint64_t most = budget_free(budget) / each(table) + CHUNK;
    table->capacity = most < STATE_TABLE_FULL - 1 ? (uint32_t)most : STATE_TABLE_FULL - 1;
    table->states = memory_map(table->capacity * state_bytes, MEMORY_HUGE_PAGES);
    table->costs = memory_map(table->capacity * sizeof *table->costs, MEMORY_HUGE_PAGES);
    table->order = memory_map(table->capacity * sizeof *table->order, MEMORY_HUGE_PAGES);
    if (table->states == NULL || table->costs == NULL || table->order == NULL)
        budget_starve(budget);
    else
        table->slots = budget_map(budget, FIRST_SLOTS * sizeof *table->slots);
    return table->slots != NULL;
}

void state_table_clear(struct state_table *table)
{
    if (table->budget == NULL)
        return;
    memory_unmap(table->states, table->capacity * table->state_bytes);
    memory_unmap(table->costs, table->capacity * sizeof *table->costs);
    memory_unmap(table->order, table->capacity * sizeof *table->order);
    budget_give(table->budget, table->paid * each(table));
    budget_unmap(table->budget, table->slots, table->slot_count * sizeof *table->slots);
}

/* Returns the slot of a state's number, or the free one where it would go. */
static uint32_t *slot_of(const struct state_table *table, const void *state)
{
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state, table->state_bytes, key);
    for (uint64_t at = key[0];; at++) {
        uint32_t *slot = &table->slots[at & (table->slot_count - 1)];
        if (*slot == 0 || memcmp(state_table_at(table, *slot - 1), state, table->state_bytes) == 0)
            return slot;
    }
}

/* Doubles the table of numbers. */
static bool grow(struct state_table *table)
{
    uint32_t *old = table->slots;
    const uint64_t old_count = table->slot_count;
    uint32_t *grown = budget_map(table->budget, 2 * old_count * sizeof *grown);
    if (grown == NULL)
        return false;
    table->slots = grown;
    table->slot_count = 2 * old_count;
    for (uint32_t i = 0; i < table->count; i++)
        *slot_of(table, state_table_at(table, i)) = i + 1;
    budget_unmap(table->budget, old, old_count * sizeof *old);
    return true;
}

static bool make_room(struct state_table *table)
{
    if (table->count == table->paid) {
        if (table->capacity - table->paid < CHUNK || !budget_take(table->budget, CHUNK * each(table)))
            return false;
        table->paid += CHUNK;
    }
    return table->count < table->slot_count / 3 * 2 || grow(table);
}

uint32_t state_table_add(struct state_table *table, const void *state)
{
    uint32_t *slot = slot_of(table, state);
    if (*slot != 0)
        return *slot - 1;
    if (!make_room(table))
        return STATE_TABLE_FULL;
    slot = slot_of(table, state); /* the table may have grown */
    memcpy(table->states + table->count * table->state_bytes, state, table->state_bytes);
    *slot = ++table->count;
    return table->count - 1;
}

uint32_t state_table_find(const struct state_table *table, const void *state)
{
    const uint32_t *slot = slot_of(table, state);
    assert(*slot != 0);
    return *slot - 1;
}
