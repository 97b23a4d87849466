/* SPDX-License-Identifier: MIT */
/* Spreads a search that has become large over its partitions, and puts states into layers: from a checkpoint,
 * or from the hash set of such a search. They come in the order of their keys, with all levels mixed. */
#include "explore/striped/search/search.h"
#include "explore/striped/search/search_parts.h"

#include <assert.h>
#include <stdlib.h>

/* ---- putting states into layers ---- */

/* Returns the words of a state that is put back: its key, then its level. */
static size_t restore_stride(const struct search *search)
{
    return search->words + 1;
}

void restore_clear(struct search *search)
{
    struct restore *restore = &search->restore;
    free(restore->pairs);
    budget_give(search->searchers->budget, restore->room * restore_stride(search) * sizeof *restore->pairs);
    *restore = (struct restore){0};
}

static bool restore_grow(struct search *search)
{
    struct restore *restore = &search->restore;
    const uint64_t room = restore->room == 0 ? 256 : restore->room * 2;
    const uint64_t bytes = restore_stride(search) * sizeof *restore->pairs;
    uint64_t *pairs =
        budget_realloc(search->searchers->budget, restore->pairs, restore->room * bytes, room * bytes);
    if (pairs == NULL)
        return false;
    restore->pairs = pairs;
    restore->room = room;
    return true;
}

static int by_level(const void *a, const void *b)
{
    const uint64_t *first = a;
    const uint64_t *second = b;
    return *first < *second ? -1 : *first > *second;
}

/*
 * Appends the states of one partition to its log, level by level. They came in ascending order. Sorting them
 * by level and then by place keeps that order within each level.
 */
static bool restore_flush(struct search *search)
{
    struct restore *restore = &search->restore;
    struct searcher *worker = &search->searchers->workers[0];
    unsigned words = search->words;
    uint64_t count = restore->count;
    restore->count = 0;
    if (!radix_reserve(&worker->radix, count * words))
        return false;
    uint64_t *order = worker->radix.entries;
    uint64_t *sorted = worker->radix.other;
    for (uint64_t i = 0; i < count; i++)
        order[i] = restore->pairs[i * restore_stride(search) + words] << 32 | i;
    qsort(order, count, sizeof *order, by_level);
    uint64_t begin = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *key = restore->pairs + (order[i] & UINT32_MAX) * restore_stride(search);
        entry_make(sorted + i * words, key, PZ_NO_TOKEN, words);
        bool last = i + 1 == count || order[i + 1] >> 32 != order[i] >> 32;
        if (last && !layers_add(&search->layers, restore->partition, (uint32_t)(order[i] >> 32),
                                sorted + begin * words, i + 1 - begin, worker))
            return false;
        begin = last ? i + 1 : begin;
    }
    return true;
}

bool layers_put_back(struct search *search, const uint64_t *key, uint32_t level)
{
    struct restore *restore = &search->restore;
    unsigned partition = layers_partition_of(&search->layers, key[0]);
    assert(level <= search->level && restore->count <= restore->room);
    if (restore->count > 0) {
        const uint64_t *last = restore->pairs + (restore->count - 1) * restore_stride(search);
        if (partition < restore->partition || !key_less(last, key, search->words))
            return false;
        if (partition != restore->partition && !restore_flush(search))
            return false;
    }
    if (restore->count == restore->room && !restore_grow(search))
        return false;
    restore->partition = partition;
    uint64_t *pair = restore->pairs + restore->count++ * restore_stride(search);
    key_copy(pair, key, search->words);
    pair[search->words] = level;
    return true;
}

bool layers_reopen(struct search *search)
{
    uint64_t states = 0;
    bool flushed = restore_flush(search);
    restore_clear(search);
    for (unsigned i = 0; i < search->layers.partition_count; i++) {
        struct range range = log_level(&search->layers.partitions[i].log, search->level);
        states += range.end - range.begin;
    }
    return flushed && states == search->frontier_states;
}

/* ---- spreading ---- */

/* Gives back the chunks of the frontier, whose states are in the store as well. */
static void give_frontier(struct search *search)
{
    pool_give(&search->searchers->pool, search->frontier.chunks);
    search->frontier = (struct frontier){0};
}

static bool set_to_layers(struct search *search)
{
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX] = {0};
    uint32_t level = 0;
    bool kept = layers_init(&search->layers, &search->searchers->pool, search->large_partitions);
    cursor_begin(&cursor, search, 0, search->level);
    while (kept && cursor_next(&cursor, key, &level))
        kept = layers_put_back(search, key, level);
    cursor_end(&cursor);
    return kept && layers_reopen(search);
}

static bool spread_layers(struct search *search)
{
    if (!set_to_layers(search)) {
        restore_clear(search);
        layers_clear(&search->layers); /* their chunks are lost to the pool until it is cleared */
        return false;
    }
    give_frontier(search);
    set_clear(&search->set);
    search->visited = &visited_layers;
    return true;
}

/* Returns true if the visited states are few enough for one partition and the caller's thread. */
static bool search_is_small(const struct search *search)
{
    bool joins = visited_tokens_join(search->space) &&
                 visited_for(search->space, search->large_partitions) == &visited_layers;
    if (search->states < SEARCH_LARGE_STATES)
        return true;
    return !joins && search->frontier_states < SEARCH_WIDE_LEVEL && search->states < SEARCH_LARGE_NARROW;
}

static bool spread_set(struct search *search)
{
    struct set_options options = {.budget = search->searchers->budget,
                                  .words = search->words,
                                  .stripes = search->large_partitions,
                                  .first_capacity = search->states / search->large_partitions * 2 + 32};
    return set_restripe(&search->set, &options);
}

void search_spread(struct search *search)
{
    if (search->visited != &visited_hash || search->large_partitions <= search->set.stripe_count ||
        search_is_small(search))
        return;
    bool layers = visited_for(search->space, search->large_partitions) == &visited_layers;
    if (layers && search->level > SET_DISTANCE_MAX) /* so deep, the set does not know levels */
        return;
    if (!(layers ? spread_layers(search) : spread_set(search)))
        search->large_partitions = 0;
}
