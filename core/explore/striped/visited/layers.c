/* SPDX-License-Identifier: MIT */
#include "explore/striped/visited/layers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool layers_init(struct layers *layers, struct pool *pool, unsigned partitions)
{
    uint64_t bytes = partitions * sizeof(struct layer);
    assert(partitions >= LAYERS_PARTITIONS_MIN && (partitions & (partitions - 1)) == 0);
    *layers = (struct layers){
        .shape = {.budget = pool->budget, .words = pool->words, .capacity = pool->entries},
        .partition_bits = (unsigned)__builtin_ctz(partitions),
        .partition_count = partitions,
    };
    if (!budget_take(pool->budget, bytes)) {
        memset(layers, 0, sizeof *layers);
        return false;
    }
    layers->partitions = aligned_alloc(alignof(struct layer), bytes);
    if (layers->partitions == NULL) {
        budget_give(pool->budget, bytes);
        budget_starve(pool->budget);
        memset(layers, 0, sizeof *layers);
        return false;
    }
    memset(layers->partitions, 0, bytes);
    for (unsigned i = 0; i < partitions; i++) {
        inbox_init(&layers->partitions[i].inbox);
        atomic_init(&layers->partitions[i].inbox_limit, 0);
    }
    return true;
}

void layers_clear(struct layers *layers)
{
    if (layers->partitions == NULL)
        return;
    for (unsigned i = 0; i < layers->partition_count; i++) {
        log_clear(&layers->shape, &layers->partitions[i].log);
        inbox_clear(&layers->partitions[i].inbox);
    }
    free(layers->partitions);
    budget_give(layers->shape.budget, layers->partition_count * sizeof(struct layer));
    memset(layers, 0, sizeof *layers);
}

void layers_expect(struct layers *layers, uint32_t height)
{
    for (unsigned i = 0; i < layers->partition_count; i++)
        atomic_store_explicit(&layers->partitions[i].inbox_limit, height, memory_order_relaxed);
}

/* ---- inboxes ---- */

/* Copies the entries of a list to the worker's radix. Returns their number, or UINT64_MAX without memory. */
static uint64_t gather_inbox(const struct layers *layers, struct radix *radix, const struct chunk *list)
{
    unsigned words = layers->shape.words;
    uint64_t count = 0;
    for (const struct chunk *chunk = list; chunk != NULL; chunk = chunk->next)
        count += chunk->count;
    if (!radix_reserve(radix, count * words))
        return UINT64_MAX;
    uint64_t *to = radix->entries;
    for (const struct chunk *chunk = list; chunk != NULL; chunk = chunk->next) {
        if (chunk->next != NULL)
            __builtin_prefetch(chunk->next);
        memcpy(to, chunk->keys, (size_t)chunk->count * words * sizeof *to);
        to += (size_t)chunk->count * words;
    }
    return count;
}

static void give_list(struct searcher *worker, struct chunk *list)
{
    while (list != NULL) {
        struct chunk *next = list->next;
        worker_give(worker, list);
        list = next;
    }
}

/* Removes the entries of a level from sorted ones. Returns how many stay. */
static uint64_t subtract_level(const struct layers *layers, const struct log *log, uint32_t level,
                               uint64_t *entries, uint64_t count)
{
    const struct log_shape *shape = &layers->shape;
    struct range range = log_level(log, level);
    struct entry_cut cut = {0};
    assert(range.begin <= range.end && range.end <= log->end);
    while (range.begin < range.end && cut.at < count) {
        const uint32_t share = log_piece(shape, range.begin, range.end);
        entries_cut(&cut, log_entry(shape, log, range.begin), share, entries, count, shape->words);
        range.begin += share;
    }
    return entries_close(&cut, entries, count, shape->words);
}

/* Sorts the entries in the radix and leaves the new ones. Returns how many. */
static uint64_t remove_duplicates(const struct layers *layers, const struct log *log,
                                  const struct layers_step *step, struct radix *radix, uint64_t count)
{
    unsigned words = layers->shape.words;
    uint64_t kept =
        radix_sort_unique(radix, count, words, layers->partition_bits - ENTRY_TOKEN_BITS, step->joins);
    if (!step->subtracts)
        return kept;
    kept = subtract_level(layers, log, step->level - 1, radix->entries, kept);
    return step->level < 2 ? kept : subtract_level(layers, log, step->level - 2, radix->entries, kept);
}

/* Writes entries over the chunks of a list. Returns the list of chunks left over. */
static struct chunk *refill(const struct layers *layers, struct chunk *list, const uint64_t *entries,
                            uint64_t count, struct chunk **last)
{
    unsigned words = layers->shape.words;
    *last = NULL;
    while (count > 0) {
        unsigned share = count < layers->shape.capacity ? (unsigned)count : layers->shape.capacity;
        assert(list != NULL);
        memcpy(list->keys, entries, (size_t)share * words * sizeof *entries);
        list->count = share;
        entries += (size_t)share * words;
        count -= share;
        *last = list;
        list = list->next;
    }
    return list;
}

/* Puts the remaining entries back into the inbox, which may then grow to twice their number. */
static void put_back_inbox(const struct layers *layers, struct layer *partition,
                           const struct layers_step *step, struct searcher *worker, struct chunk *list,
                           uint64_t count)
{
    struct chunk *last;
    struct chunk *rest = refill(layers, list, worker->radix.entries, count, &last);
    uint32_t height = (uint32_t)((count + layers->shape.capacity - 1) / layers->shape.capacity);
    assert((height == 0) == (last == NULL));
    uint32_t limit = 2 * height > step->height ? 2 * height : step->height;
    atomic_store_explicit(&partition->inbox_limit, limit, memory_order_relaxed);
    if (last != NULL)
        (void)inbox_push(&partition->inbox, list, last, height);
    give_list(worker, rest);
}

bool layers_compact(struct layers *layers, unsigned number, const struct layers_step *step,
                    struct searcher *worker)
{
    struct layer *partition = &layers->partitions[number];
    struct chunk *list = inbox_take(&partition->inbox);
    uint64_t count = gather_inbox(layers, &worker->radix, list);
    if (count != UINT64_MAX) {
        count = remove_duplicates(layers, &partition->log, step, &worker->radix, count);
        put_back_inbox(layers, partition, step, worker, list, count);
    }
    (void)pthread_mutex_unlock(&partition->inbox.lock);
    return count != UINT64_MAX;
}

/* ---- logs ---- */

bool layers_add(struct layers *layers, unsigned number, uint32_t level, const uint64_t *entries,
                uint64_t count, struct searcher *worker)
{
    assert(number < layers->partition_count);
    const struct log_shape *shape = &layers->shape;
    struct log *log = &layers->partitions[number].log;
    if (count == 0)
        return true;
    if (!log_begin(shape, log, level))
        return false;
    while (count > 0) {
        uint32_t room = log_room(shape, log);
        if (room == 0) {
            struct chunk *chunk = worker_take(worker);
            if (chunk == NULL)
                return false;
            if (!log_add_chunk(shape, log, chunk)) {
                worker_give(worker, chunk);
                return false;
            }
            continue;
        }
        uint32_t share = log_piece(shape, log->end, log->end + (count < room ? (uint32_t)count : room));
        log_add(shape, log, entries, share);
        entries += (size_t)share * shape->words;
        count -= share;
    }
    return true;
}

bool layers_merge(struct layers *layers, unsigned number, const struct layers_step *step,
                  struct searcher *worker, struct range *range)
{
    assert(number < layers->partition_count);
    struct layer *partition = &layers->partitions[number];
    *range = (struct range){0};
    if (inbox_is_empty(&partition->inbox))
        return true;
    (void)pthread_mutex_lock(&partition->inbox.lock);
    struct chunk *list = inbox_take(&partition->inbox);
    uint64_t count = gather_inbox(layers, &worker->radix, list);
    bool done = count != UINT64_MAX;
    give_list(worker, list);
    if (done) {
        count = remove_duplicates(layers, &partition->log, step, &worker->radix, count);
        done = layers_add(layers, number, step->level, worker->radix.entries, count, worker);
        *range = log_level(&partition->log, step->level);
    }
    (void)pthread_mutex_unlock(&partition->inbox.lock);
    return done;
}

/* ---- finding ---- */

int64_t layers_find(const struct layers *layers, const uint64_t *key)
{
    uint64_t entry[KEY_WORDS_MAX];
    entry_make(entry, key, 0, layers->shape.words);
    return log_find(&layers->shape, &layers->partitions[layers_partition_of(layers, key[0])].log, entry);
}

bool layers_has(const struct layers *layers, uint32_t level, const uint64_t *key)
{
    uint64_t entry[KEY_WORDS_MAX];
    const struct log *log = &layers->partitions[layers_partition_of(layers, key[0])].log;
    entry_make(entry, key, 0, layers->shape.words);
    return log_has(&layers->shape, log, log_level(log, level), entry);
}

uint32_t layers_meet(const struct layers *layers, unsigned partition, struct range range,
                     const struct layers *other, struct range with)
{
    const struct log_shape *shape = &layers->shape;
    const struct log *log = &layers->partitions[partition].log;
    const struct log *other_log = &other->partitions[partition].log;
    assert(layers->partition_count == other->partition_count && range.end <= log->end &&
           with.end <= other_log->end);
    while (range.begin < range.end && with.begin < with.end) {
        const uint64_t *entry = log_entry(shape, log, range.begin);
        const uint64_t *theirs = log_entry(shape, other_log, with.begin);
        if (entry_same_key(entry, theirs, shape->words))
            return range.begin;
        bool less = entry_less(entry, theirs, shape->words);
        range.begin += less;
        with.begin += !less;
    }
    return range.end;
}
