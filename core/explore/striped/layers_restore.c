/* SPDX-License-Identifier: MIT */
/* Puts the states of a search into layers, where they come in the order of their keys, of all levels mixed:
 * from a checkpoint, or from the hash set of a search that has become large. */
#include "explore/striped/search_parts.h"

#include <stdlib.h>

static uint64_t returned_bytes(const struct search *search, uint64_t room)
{
    return room * (2 * search->words * sizeof(uint64_t) + sizeof(uint32_t));
}

void returned_clear(struct search *search)
{
    struct returned *returned = &search->returned;
    free(returned->keys);
    free(returned->sorted);
    free(returned->levels);
    budget_give(search->crew->budget, returned_bytes(search, returned->room));
    *returned = (struct returned){0};
}

/* The array with room for count elements, or as it was where memory is not to be had: then *grown becomes
 * false. */
static void *grow(void *array, size_t count, size_t size, bool *grown)
{
    void *larger = reallocarray(array, count, size);
    if (larger != NULL)
        return larger;
    *grown = false;
    return array;
}

static bool returned_grow(struct search *search)
{
    struct returned *returned = &search->returned;
    uint64_t room = returned->room == 0 ? 256 : returned->room * 2;
    uint64_t more = returned_bytes(search, room) - returned_bytes(search, returned->room);
    if (!budget_take(search->crew->budget, more))
        return false;
    size_t words = room * search->words;
    bool grown = true;
    returned->keys = grow(returned->keys, words, sizeof *returned->keys, &grown);
    returned->sorted = grow(returned->sorted, words, sizeof *returned->sorted, &grown);
    returned->levels = grow(returned->levels, room, sizeof *returned->levels, &grown);
    if (!grown) {
        budget_give(search->crew->budget, more);
        return false;
    }
    returned->room = room;
    return true;
}

static int by_level(const void *a, const void *b)
{
    const uint64_t *first = a;
    const uint64_t *second = b;
    return *first < *second ? -1 : *first > *second;
}

/*
 * Adds what was returned of one stripe to its log, level by level. Sorting "level, then place" keeps the keys
 * of a level in their order, for they came in ascending order.
 */
static bool returned_flush(struct search *search)
{
    struct returned *returned = &search->returned;
    struct member *member = &search->crew->members[0];
    unsigned words = search->words;
    uint64_t count = returned->count;
    returned->count = 0;
    if (!radix_reserve(&member->radix, count))
        return false;
    uint64_t *order = member->radix.entries;
    for (uint64_t i = 0; i < count; i++)
        order[i] = (uint64_t)returned->levels[i] << 32 | i;
    qsort(order, count, sizeof *order, by_level);
    uint64_t begin = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *key = returned->keys + (order[i] & UINT32_MAX) * words;
        entry_make(returned->sorted + i * words, key, PZ_NO_TOKEN, words);
        bool last = i + 1 == count || order[i + 1] >> 32 != order[i] >> 32;
        if (last && !layers_add(&search->layers, returned->stripe, (uint32_t)(order[i] >> 32),
                                returned->sorted + begin * words, i + 1 - begin, member))
            return false;
        begin = last ? i + 1 : begin;
    }
    return true;
}

bool layers_put_back(struct search *search, const uint64_t *key, uint32_t level)
{
    struct returned *returned = &search->returned;
    unsigned stripe = layers_stripe_of(&search->layers, key[0]);
    if (returned->count > 0) {
        const uint64_t *last = returned->keys + (returned->count - 1) * search->words;
        if (stripe < returned->stripe || !key_less(last, key, search->words))
            return false;
        if (stripe != returned->stripe && !returned_flush(search))
            return false;
    }
    if (returned->count == returned->room && !returned_grow(search))
        return false;
    returned->stripe = stripe;
    key_copy(returned->keys + returned->count * search->words, key, search->words);
    returned->levels[returned->count++] = level;
    return true;
}

bool layers_reopen(struct search *search)
{
    uint64_t states = 0;
    bool flushed = returned_flush(search);
    returned_clear(search);
    for (unsigned i = 0; i < search->layers.stripe_count; i++) {
        struct range range = log_level(&search->layers.stripes[i].log, search->level);
        states += range.end - range.begin;
    }
    return flushed && states == search->frontier_states;
}
