/* SPDX-License-Identifier: MIT */
#include "explore/striped/visited/set.h"

#include "base/budget.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, FIRST_CAPACITY = 32, PREFETCH_AHEAD = 24 };

static size_t to_pages(uint64_t bytes)
{
    return (size_t)((bytes + PAGE - 1) / PAGE * PAGE);
}

/* Returns the most bytes that the set could ever touch: the free budget, and no more than the machine has. */
static uint64_t set_most(const struct budget *budget)
{
    uint64_t most = budget_free(budget);
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return most < machine ? most : machine;
}

static uint64_t stripes_bytes(unsigned count)
{
    return count * sizeof(struct stripe);
}

/* Sets the size of the ranges: an eighth more than a partition's share, since partitions fill unevenly. */
static void set_ranges(struct set *set, unsigned own, uint64_t *room)
{
    uint64_t slot_bytes = set->shape.words * sizeof(uint64_t);
    uint64_t share = set_most(set->shape.budget) / (slot_bytes + 1) / own;
    *room = share + share / 8 + 128;
    set->key_range = to_pages(*room * slot_bytes);
    set->distance_range = to_pages(*room * sizeof(uint16_t));
    set->space_bytes = (set->key_range + set->distance_range) * own;
}

static void set_place_segments(struct set *set, unsigned first, unsigned own, uint64_t room)
{
    unsigned char *distances = set->space + set->key_range * own;
    for (unsigned i = 0; i < set->stripe_count; i++) {
        memset(&set->stripes[i], 0, sizeof set->stripes[i]);
        inbox_init(&set->stripes[i].inbox);
    }
    for (unsigned i = 0; i < own; i++) {
        struct stripe *stripe = &set->stripes[first + i];
        stripe->segment.keys = (uint64_t *)(void *)(set->space + i * set->key_range);
        stripe->segment.distances = distances + i * set->distance_range;
        stripe->segment.room = room;
    }
}

enum pz_status set_init(struct set *set, const struct set_options *options, struct pz_error *error)
{
    uint64_t bytes = stripes_bytes(options->stripes);
    assert(options->stripes > 0 && options->stripes <= SET_STRIPES_MAX);
    assert((options->stripes & (options->stripes - 1)) == 0);
    unsigned own = options->own != 0 ? options->own : options->stripes;
    uint64_t room = 0;
    memset(set, 0, sizeof *set);
    set->shape = (struct segment_shape){
        .budget = options->budget,
        .words = options->words,
        .stripe_bits = (unsigned)__builtin_ctz(options->stripes),
        .first_capacity = options->first_capacity != 0 ? options->first_capacity : FIRST_CAPACITY,
    };
    set->stripe_count = options->stripes;
    if (!budget_take(options->budget, bytes))
        return pz_fail(error, PZ_TOO_LARGE, "%u stripes need %llu bytes, more than the memory limit leaves",
                       options->stripes, (unsigned long long)bytes);
    set->stripes = aligned_alloc(alignof(struct stripe), bytes);
    if (set->stripes != NULL) {
        set_ranges(set, own, &room);
        set->space = memory_map(set->space_bytes, MEMORY_SMALL_PAGES);
    }
    if (set->stripes == NULL || set->space == NULL) {
        free(set->stripes);
        budget_give(options->budget, bytes);
        memset(set, 0, sizeof *set);
        return pz_fail(error, PZ_MEMORY, "the system gives no memory for a set of visited states");
    }
    set_place_segments(set, options->first, own, room);
    return PZ_OK;
}

void set_clear(struct set *set)
{
    if (set->stripes == NULL)
        return;
    for (unsigned i = 0; i < set->stripe_count; i++) {
        segment_release(&set->shape, &set->stripes[i].segment);
        inbox_clear(&set->stripes[i].inbox);
    }
    memory_unmap(set->space, set->space_bytes);
    free(set->stripes);
    budget_give(set->shape.budget, stripes_bytes(set->stripe_count));
    memset(set, 0, sizeof *set);
}

/* ---- inserting ---- */

/* Constant while a list is inserted into one partition. */
struct insertion {
    struct set *set;
    struct segment *segment;
    struct sorter *sorter;
    const struct pool *pool;
    uint16_t distance;
};

/* Returns the number of keys in the first chunks of a list, as many as fit the sorter; *beyond becomes the
 * next chunk. */
static unsigned sorter_share(const struct chunk *list, struct chunk **beyond)
{
    unsigned count = 0;
    struct chunk *chunk = (struct chunk *)list;
    do {
        count += chunk->count;
        chunk = chunk->next;
    } while (chunk != NULL && count + chunk->count <= SORTER_KEYS);
    *beyond = chunk;
    assert(count <= SORTER_KEYS);
    return count;
}

static unsigned bits_for(unsigned count)
{
    unsigned bits = 0;
    while (bits < SORTER_BITS && 2u << bits < count)
        bits++;
    return bits;
}

/* Sorts the chunks' keys into the sorter by the bits that follow those of the partition (a counting sort). */
__attribute__((always_inline)) static inline void sort_inbox(const struct insertion *insertion,
                                                             struct chunk *list, const struct chunk *beyond,
                                                             unsigned bits, unsigned words)
{
    unsigned stripe_bits = insertion->set->shape.stripe_bits;
    struct sorter *sorter = insertion->sorter;
    uint16_t *starts = sorter->starts;
    memset(starts, 0, ((1u << bits) + 1) * sizeof *starts);
    for (const struct chunk *chunk = list; chunk != beyond; chunk = chunk->next)
        for (unsigned i = 0; i < chunk->count; i++)
            starts[(chunk->keys[(size_t)i * words] << stripe_bits >> 1 >> (63 - bits)) + 1]++;
    for (unsigned i = 1; i < 1u << bits; i++)
        starts[i] = (uint16_t)(starts[i] + starts[i - 1]);
    for (struct chunk *chunk = list; chunk != beyond; chunk = chunk->next) {
        const uint8_t *tokens = chunk_tokens(insertion->pool, chunk);
        for (unsigned i = 0; i < chunk->count; i++) {
            const uint64_t *key = chunk->keys + (size_t)i * words;
            unsigned at = starts[key[0] << stripe_bits >> 1 >> (63 - bits)]++;
            key_copy(sorter->keys + (size_t)at * words, key, words);
            sorter->tokens[at] = tokens[i];
        }
    }
}

/* Writes the new keys over the chunks that brought them. */
struct compaction {
    const struct pool *pool;
    struct chunk *chunk;
    unsigned count;
};

__attribute__((always_inline)) static inline void compact(struct compaction *compaction, const uint64_t *key,
                                                          uint8_t token, unsigned words)
{
    if (compaction->count == compaction->pool->capacity) {
        compaction->chunk->count = compaction->count;
        compaction->chunk = compaction->chunk->next;
        compaction->count = 0;
        assert(compaction->chunk != NULL);
    }
    key_copy(compaction->chunk->keys + (size_t)compaction->count * words, key, words);
    chunk_tokens(compaction->pool, compaction->chunk)[compaction->count++] = token;
}

static void compact_end(struct compaction *compaction, const struct chunk *beyond)
{
    for (; compaction->chunk != beyond; compaction->chunk = compaction->chunk->next, compaction->count = 0)
        compaction->chunk->count = compaction->count;
}

/* Inserts the greatest key, which no segment can hold. Returns false if it was there. */
static bool set_greatest(struct set *set, uint16_t distance)
{
    if (set->has_greatest)
        return false;
    set->has_greatest = true;
    set->greatest_distance = distance;
    return true;
}

/* Inserts the keys in the sorter. Returns false if the segment has no room for one. */
__attribute__((always_inline)) static inline bool insert_sorted(const struct insertion *insertion,
                                                                unsigned count, struct compaction *compaction,
                                                                unsigned words, bool wide)
{
    struct segment *segment = insertion->segment;
    const struct segment_shape *shape = &insertion->set->shape;
    const struct sorter *sorter = insertion->sorter;
    uint16_t distance = insertion->distance;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t *key = sorter->keys + (size_t)i * words;
        if (i + PREFETCH_AHEAD < count) {
            uint64_t home = segment_home(segment, shape->stripe_bits, key[(size_t)PREFETCH_AHEAD * words]);
            __builtin_prefetch(segment->keys + home * words, 1);
            __builtin_prefetch(segment->distances + (wide ? 2 * home : home), 1);
        }
        enum segment_insert found = segment_insert(shape, segment, key, distance, words, wide);
        if (found == SEGMENT_FULL)
            return false;
        if (found == SEGMENT_NEW || (found == SEGMENT_GREATEST && set_greatest(insertion->set, distance)))
            compact(compaction, key, sorter->tokens[i], words);
    }
    return true;
}

__attribute__((always_inline)) static inline bool insert_list(const struct insertion *insertion,
                                                              struct chunk *list, unsigned words)
{
    while (list != NULL) {
        struct chunk *beyond;
        unsigned count = sorter_share(list, &beyond);
        struct compaction compaction = {.pool = insertion->pool, .chunk = list};
        sort_inbox(insertion, list, beyond, bits_for(count), words);
        bool room = insertion->set->shape.wide ? insert_sorted(insertion, count, &compaction, words, true)
                                               : insert_sorted(insertion, count, &compaction, words, false);
        if (!room)
            return false;
        compact_end(&compaction, beyond);
        list = beyond;
    }
    return true;
}

bool set_insert(struct set *set, struct stripe *stripe, struct chunk *list, uint16_t distance,
                const struct pool *pool, struct sorter *sorter)
{
    const struct insertion insertion = {
        .set = set, .segment = &stripe->segment, .sorter = sorter, .pool = pool, .distance = distance};
    return MIX_BY_WORDS(set->shape.words, insert_list, &insertion, list);
}

/* ---- finding ---- */

int32_t set_find(const struct set *set, const uint64_t *key)
{
    const struct segment *segment = &set->stripes[set_stripe_of(set, key[0])].segment;
    unsigned words = set->shape.words;
    if (key_is_greatest(key, words))
        return set->has_greatest ? set->greatest_distance : -1;
    uint64_t slot = segment_find(segment, set->shape.stripe_bits, key, words);
    return slot == UINT64_MAX ? -1 : segment_distance(segment, set->shape.wide, slot);
}

void set_keep(struct set *set, unsigned stripe, uint8_t newest, uint8_t span)
{
    assert(stripe < set->stripe_count);
    segment_keep(&set->shape, &set->stripes[stripe].segment, newest, span);
    if (stripe + 1 == set->stripe_count && (uint8_t)(newest - set->greatest_distance) > span)
        set->has_greatest = false;
}

bool set_widen(struct set *set)
{
    for (unsigned i = 0; i < set->stripe_count; i++)
        if (!segment_reserve_wide(&set->shape, &set->stripes[i].segment))
            return false; /* what was reserved is used later, or goes back with the set */
    for (unsigned i = 0; i < set->stripe_count; i++)
        segment_widen(&set->stripes[i].segment);
    set->shape.wide = true;
    return true;
}

bool set_restripe(struct set *set, const struct set_options *options)
{
    struct set new_set;
    if (set_init(&new_set, options, NULL) != PZ_OK)
        return false;
    new_set.shape.wide = set->shape.wide;
    new_set.has_greatest = set->has_greatest;
    new_set.greatest_distance = set->greatest_distance;
    struct set_cursor cursor = {0};
    uint64_t key[KEY_WORDS_MAX] = {0};
    uint16_t distance = 0;
    while (set_next(set, &cursor, key, &distance)) {
        if (key_is_greatest(key, set->shape.words))
            continue;
        struct segment *to = &new_set.stripes[set_stripe_of(&new_set, key[0])].segment;
        if (segment_insert(&new_set.shape, to, key, distance, set->shape.words, set->shape.wide) ==
            SEGMENT_FULL) {
            set_clear(&new_set);
            return false;
        }
    }
    set_clear(set);
    *set = new_set;
    return true;
}

bool set_put_back(struct set *set, const uint64_t *key, uint16_t distance)
{
    if (key_is_greatest(key, set->shape.words))
        return set_greatest(set, distance);
    struct segment *to = &set->stripes[set_stripe_of(set, key[0])].segment;
    return segment_insert(&set->shape, to, key, distance, set->shape.words, set->shape.wide) == SEGMENT_NEW;
}

uint64_t set_count(const struct set *set)
{
    uint64_t count = set->has_greatest ? 1 : 0;
    for (unsigned i = 0; i < set->stripe_count; i++)
        count += set->stripes[i].segment.used;
    return count;
}

uint64_t set_bytes(const struct set *set)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < set->stripe_count; i++)
        bytes += set->stripes[i].segment.key_bytes + set->stripes[i].segment.distance_bytes;
    return bytes;
}

/* Moves to the next key of the cursor's partition. Returns false at its end. */
static bool set_next_of(const struct set *set, struct set_cursor *cursor, uint64_t *key, uint16_t *distance)
{
    unsigned words = set->shape.words;
    const struct segment *segment = &set->stripes[cursor->stripe].segment;
    while (cursor->slot < segment->slots) {
        uint64_t slot = cursor->slot++;
        key_copy(key, segment->keys + slot * words, words);
        *distance = segment_distance(segment, set->shape.wide, slot);
        if (!key_is_greatest(key, words))
            return true;
    }
    bool last = cursor->stripe + 1 == set->stripe_count;
    if (!last || !set->has_greatest || cursor->slot > segment->slots)
        return false;
    cursor->slot = segment->slots + 1;
    for (unsigned i = 0; i < words; i++)
        key[i] = SEGMENT_EMPTY;
    *distance = set->greatest_distance;
    return true;
}

bool set_next(const struct set *set, struct set_cursor *cursor, uint64_t *key, uint16_t *distance)
{
    for (; cursor->stripe < set->stripe_count; cursor->stripe++, cursor->slot = 0)
        if (set_next_of(set, cursor, key, distance))
            return true;
    return false;
}
