/* SPDX-License-Identifier: MIT */
/*
 * The honest opponent: one thread, packed 64-bit boards in an open-addressing table of a fixed power of two
 * (so it never grows, and must be told its size), successors gathered in batches whose slots are prefetched.
 * No distances are kept.
 */
#ifndef BASELINE_PACKED_H
#define BASELINE_PACKED_H

#include "base/budget.h"
#include "puzzled/space.h"

#include <stdlib.h>
#include <string.h>

enum { PACKED_BATCH = 256 };

struct packed_table {
    uint64_t *slots; /* 0 is empty: no packed board is */
    size_t bytes;
    unsigned shift;
};

struct packed_list {
    uint64_t *states;
    uint64_t count, room;
};

static inline uint64_t packed_slot(const struct packed_table *table, uint64_t state)
{
    state ^= state >> 32;
    state *= 0x9E3779B97F4A7C15u;
    state ^= state >> 29;
    state *= 0xBF58476D1CE4E5B9u;
    return state >> table->shift;
}

static inline bool packed_insert(const struct packed_table *table, uint64_t slot, uint64_t state)
{
    uint64_t mask = UINT64_MAX >> table->shift;
    for (; table->slots[slot] != 0; slot = (slot + 1) & mask)
        if (table->slots[slot] == state)
            return false;
    table->slots[slot] = state;
    return true;
}

static inline void packed_add(struct packed_list *list, uint64_t state)
{
    if (list->count == list->room) {
        list->room = list->room * 2 + 1024;
        list->states = realloc(list->states, list->room * sizeof *list->states);
        if (list->states == NULL)
            abort();
    }
    list->states[list->count++] = state;
}

static inline void packed_flush(const struct packed_table *table, const uint64_t *batch, unsigned count,
                                struct packed_list *next)
{
    uint64_t slots[PACKED_BATCH];
    for (unsigned i = 0; i < count; i++) {
        slots[i] = packed_slot(table, batch[i]);
        __builtin_prefetch(&table->slots[slots[i]], 1);
    }
    for (unsigned i = 0; i < count; i++)
        if (packed_insert(table, slots[i], batch[i]))
            packed_add(next, batch[i]);
}

/* Explores to a depth; returns the states, and the bytes of table and lists at the end. */
static uint64_t baseline_packed(const struct pz_space *space, uint64_t root, uint32_t depth,
                                unsigned slot_bits, uint64_t *bytes)
{
    struct packed_table table = {.bytes = sizeof(uint64_t) << slot_bits, .shift = 64 - slot_bits};
    struct packed_list current = {0};
    struct packed_list next = {0};
    uint64_t batch[PACKED_BATCH + 4];
    uint8_t tokens[4];
    unsigned filled = 0;
    uint64_t total = 1;
    table.slots = memory_map(table.bytes, MEMORY_HUGE_PAGES);
    if (table.slots == NULL)
        return 0;
    (void)packed_insert(&table, packed_slot(&table, root), root);
    packed_add(&current, root);
    for (uint32_t level = 0; level < depth && current.count > 0; level++) {
        for (uint64_t i = 0; i < current.count; i++) {
            filled += space->puzzle->expand(space, &current.states[i], PZ_NO_TOKEN, batch + filled, tokens);
            if (filled < PACKED_BATCH - 4)
                continue;
            packed_flush(&table, batch, filled, &next);
            filled = 0;
        }
        packed_flush(&table, batch, filled, &next);
        filled = 0;
        total += next.count;
        struct packed_list kept = current;
        current = next;
        next = kept;
        next.count = 0;
    }
    *bytes = table.bytes + (current.room + next.room) * sizeof(uint64_t);
    memory_unmap(table.slots, table.bytes);
    free(current.states);
    free(next.states);
    return total;
}

#endif
