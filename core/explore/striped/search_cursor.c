/* SPDX-License-Identifier: MIT */
#include "explore/striped/search_cursor.h"

#include "explore/striped/search_parts.h"

#include <string.h>

/* Of a set's stripe, copied at a time: its lock is held for some tens of microseconds. */
enum { PIECE_KEYS = 8192 };

void cursor_begin(struct search_cursor *cursor, const struct search *search, int64_t level)
{
    cursor_begin_beside(cursor, search, search->level);
    cursor->level = level;
    cursor->beside = false;
    cursor->lowest = 0;
}

void cursor_begin_beside(struct search_cursor *cursor, const struct search *search, uint32_t level)
{
    memset(cursor, 0, sizeof *cursor);
    cursor->search = search;
    cursor->level = CURSOR_ALL;
    cursor->lowest = search->keep_all || level == 0 ? 0 : level - 1;
    cursor->deepest = level;
    cursor->beside = true;
    cursor->piece = PIECE_KEYS;
    /*
     * What a stripe's states take while they are sorted, or a piece of a set's stripe, is no part of the
     * job's budget, which may be spent: it is a few thousandths of what the states take themselves, or
     * little.
     */
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
        *level = search_exact(search, distance, cursor->deepest);
        if (wants(cursor, *level) && (cursor->level == CURSOR_ALL || *level == cursor->level))
            return true;
    }
    return false;
}

/* Where the stripe goes on after the keys that were copied: the segment may have been laid out anew since. */
static uint64_t slot_to_go_on(const struct search_cursor *cursor, unsigned stripe)
{
    const struct set *set = &cursor->search->set;
    const struct segment *segment = &set->stripes[stripe].segment;
    if (!cursor->inside || segment->slots == 0)
        return 0;
    uint64_t slot = segment_seek(segment, set->shape.stripe_bits, cursor->last, cursor->search->words);
    return slot +
           (key_equal(segment->keys + slot * cursor->search->words, cursor->last, cursor->search->words));
}

/* Copies the next of the stripe's states that are wanted, each followed by its level. Returns their number,
 * or UINT64_MAX: no memory. The stripe is at its end when cursor->inside is false then. */
static uint64_t copy_segment(struct search_cursor *cursor, unsigned stripe)
{
    const struct search *search = cursor->search;
    unsigned stride = search->words + 1;
    struct set_cursor place = {.stripe = stripe, .slot = slot_to_go_on(cursor, stripe)};
    uint16_t distance = 0;
    unsigned looked_at = 0;
    if (!radix_reserve(&cursor->radix, ((uint64_t)cursor->piece + 1) * stride))
        return UINT64_MAX;
    uint64_t *to = cursor->radix.entries;
    cursor->inside = false;
    while (!cursor->inside && set_next_of(&search->set, &place, to, &distance)) {
        uint32_t level = search_exact(search, distance, cursor->deepest);
        cursor->inside = ++looked_at == cursor->piece && !key_is_greatest(to, search->words);
        key_copy(cursor->last, to, search->words);
        to[search->words] = level;
        to += wants(cursor, level) ? stride : 0;
    }
    return (uint64_t)(to - cursor->radix.entries) / stride;
}

/* ---- layers ---- */

/* The states of one level, as they lie in the log. */
static bool next_of_level(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    const struct layers *layers = &search->layers;
    while (cursor->at == cursor->count) {
        if (cursor->stripe == layers->stripe_count)
            return false;
        struct range range = log_level(&layers->stripes[cursor->stripe++].log, (uint32_t)cursor->level);
        cursor->at = range.begin;
        cursor->count = range.end;
    }
    const struct log *log = &layers->stripes[cursor->stripe - 1].log;
    entry_key(log_entry(&layers->shape, log, (uint32_t)cursor->at++), layers_top(layers, cursor->stripe - 1),
              key, search->words);
    *level = (uint32_t)cursor->level;
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
    for (uint32_t mark = 0; mark < log->mark_count && log->marks[mark].level <= cursor->deepest; mark++) {
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

/* ---- either, a stripe after the other ---- */

/* The next stripe, or of a set the next piece of one, in the order of the keys. The lock keeps off who
 * settles it, should the search go on. */
static bool load_stripe(struct search_cursor *cursor)
{
    const struct search *search = cursor->search;
    unsigned number = cursor->stripe;
    struct pile *pile =
        search->layered ? &search->layers.stripes[number].pile : &search->set.stripes[number].pile;
    (void)pthread_mutex_lock(&pile->lock);
    cursor->count = search->layered ? copy_stripe(cursor, &search->layers.stripes[number].log)
                                    : copy_segment(cursor, number);
    (void)pthread_mutex_unlock(&pile->lock);
    cursor->stripe += !cursor->inside;
    cursor->at = 0;
    cursor->failed = cursor->count == UINT64_MAX;
    if (cursor->failed)
        cursor->count = 0;
    if (search->layered)
        radix_sort_pairs(&cursor->radix, cursor->count, search->words,
                         search->layers.stripe_bits - ENTRY_TOKEN_BITS);
    return !cursor->failed;
}

static bool next_of_stripes(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    unsigned stripes = search->layered ? search->layers.stripe_count : search->set.stripe_count;
    while (cursor->at == cursor->count)
        if (cursor->stripe == stripes || !load_stripe(cursor))
            return false;
    const uint64_t *entry = cursor->radix.entries + cursor->at++ * (search->words + 1);
    if (search->layered)
        entry_key(entry, layers_top(&search->layers, cursor->stripe - 1), key, search->words);
    else
        key_copy(key, entry, search->words);
    *level = (uint32_t)entry[search->words];
    return true;
}

bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    if (cursor->beside)
        return next_of_stripes(cursor, key, level);
    if (!cursor->search->layered)
        return next_of_set(cursor, key, level);
    return cursor->level == CURSOR_ALL ? next_of_stripes(cursor, key, level)
                                       : next_of_level(cursor, key, level);
}
