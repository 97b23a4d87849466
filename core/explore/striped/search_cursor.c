/* SPDX-License-Identifier: MIT */
#include "explore/striped/search_cursor.h"

#include "explore/striped/search_parts.h"

#include <string.h>

void cursor_begin(struct search_cursor *cursor, const struct search *search, uint32_t lowest,
                  uint32_t deepest)
{
    memset(cursor, 0, sizeof *cursor);
    cursor->search = search;
    cursor->lowest = lowest;
    cursor->deepest = deepest < search->level ? deepest : search->level;
    /* Sorting takes a few thousandths of what the states take. The job's budget may be spent by now, so this
     * is not taken from it. */
    budget_init(&cursor->own, NULL, UINT64_MAX);
    cursor->radix.budget = &cursor->own;
}

void cursor_end(struct search_cursor *cursor)
{
    radix_clear(&cursor->radix);
}

static bool wants(const struct search_cursor *cursor, uint32_t level)
{
    return level >= cursor->lowest && level <= cursor->deepest;
}

/* ---- a hash set ---- */

static bool next_of_set(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    uint16_t distance = 0;
    while (set_next(&search->set, &cursor->place, key, &distance)) {
        *level = search_exact(search, distance, search->level);
        if (wants(cursor, *level))
            return true;
    }
    return false;
}

/* ---- layers ---- */

/* The states of one level, as they lie in the logs. */
static bool next_of_level(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    const struct layers *layers = &search->layers;
    while (cursor->at == cursor->count) {
        if (cursor->stripe == layers->stripe_count)
            return false;
        struct range range = log_level(&layers->stripes[cursor->stripe++].log, cursor->deepest);
        cursor->at = range.begin;
        cursor->count = range.end;
    }
    const struct log *log = &layers->stripes[cursor->stripe - 1].log;
    entry_key(log_entry(&layers->shape, log, (uint32_t)cursor->at++), layers_top(layers, cursor->stripe - 1),
              key, search->words);
    *level = cursor->deepest;
    return true;
}

/* Copies a stripe's states, each followed by its level. Returns their number, or UINT64_MAX: no memory. */
static uint64_t copy_stripe(struct search_cursor *cursor, const struct log *log)
{
    const struct search *search = cursor->search;
    const struct log_shape *shape = &search->layers.shape;
    unsigned stride = search->words + 1;
    if (!radix_reserve(&cursor->radix, (uint64_t)(log->end - log->begin) * stride))
        return UINT64_MAX;
    uint64_t *to = cursor->radix.entries;
    for (uint32_t mark = 0; mark < log->mark_count; mark++) {
        if (!wants(cursor, log->marks[mark].level))
            continue;
        struct range range = log_level(log, log->marks[mark].level);
        for (uint32_t at = range.begin; at < range.end; at++, to += stride) {
            entry_copy(to, log_entry(shape, log, at), search->words);
            to[search->words] = log->marks[mark].level;
        }
    }
    return (uint64_t)(to - cursor->radix.entries) / stride;
}

/* Takes up the next stripe, its states in the order of their keys. Returns false without memory. */
static bool load_stripe(struct search_cursor *cursor)
{
    const struct layers *layers = &cursor->search->layers;
    uint64_t count = copy_stripe(cursor, &layers->stripes[cursor->stripe++].log);
    cursor->failed = count == UINT64_MAX;
    if (cursor->failed)
        return false;
    cursor->at = 0;
    cursor->count = count;
    radix_sort_pairs(&cursor->radix, count, cursor->search->words, layers->stripe_bits - ENTRY_TOKEN_BITS);
    return true;
}

static bool next_of_stripes(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    while (cursor->at == cursor->count)
        if (cursor->stripe == search->layers.stripe_count || !load_stripe(cursor))
            return false;
    const uint64_t *entry = cursor->radix.entries + cursor->at++ * (search->words + 1);
    entry_key(entry, layers_top(&search->layers, cursor->stripe - 1), key, search->words);
    *level = (uint32_t)entry[search->words];
    return true;
}

bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    if (!cursor->search->layered)
        return next_of_set(cursor, key, level);
    return cursor->lowest == cursor->deepest ? next_of_level(cursor, key, level)
                                             : next_of_stripes(cursor, key, level);
}
