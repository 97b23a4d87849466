/* SPDX-License-Identifier: MIT */
/* The store of layers: successors gather in the inboxes, and each partition merges its duplicates at the end.
 */
#include "explore/striped/search/search.h"
#include "explore/striped/search/search_parts.h"

#include <assert.h>

enum {
    INBOX_FRONTIERS = 4, /* an inbox is compacted when it has that many times the frontier's states, */
    INBOX_CHUNKS = 4     /* but not below so many chunks */
};

bool visited_tokens_join(const struct pz_space *space)
{
    return (space->flags & PZ_JOINED_TOKENS) != 0;
}

bool visited_layers_suit(const struct pz_space *space)
{
    return (space->flags & PZ_REVERSIBLE) != 0 && space->puzzle->expand_many == NULL;
}

const struct visited *visited_for(const struct pz_space *space, unsigned partitions)
{
    bool layers = visited_layers_suit(space) && partitions >= LAYERS_PARTITIONS_MIN;
    return layers ? &visited_layers : &visited_hash;
}

/* ---- making ---- */

static enum pz_status layers_visited_init(struct search *search, unsigned partitions, uint64_t first_capacity,
                                          struct pz_error *error)
{
    (void)first_capacity;
    if (layers_init(&search->layers, &search->searchers->pool, partitions))
        return PZ_OK;
    return pz_fail(error, PZ_TOO_LARGE, "%u stripes need more than the memory limit leaves", partitions);
}

/* ---- expanding ---- */

static bool layers_add_chunk(struct search *search, struct searcher *worker, unsigned number,
                             struct chunk *chunk)
{
    struct layer *partition = &search->layers.partitions[number];
    if (remote_has(&search->remote, number)) {
        remote_push(search, worker, number, chunk);
        return true;
    }
    const uint32_t height = inbox_push(&partition->inbox, chunk, chunk, 1);
    uint32_t limit = atomic_load_explicit(&partition->inbox_limit, memory_order_relaxed);
    return !inbox_lock_if_full(&partition->inbox, height, limit) ||
           layers_compact(&search->layers, number, &search->layers_step, worker);
}

/* Constant while a piece is expanded. A local copy, so that no store to a bucket can alias it. */
struct layer_sender {
    struct search *search;
    struct searcher *worker;
    struct bucket *buckets;
    size_t room; /* words of a bucket's chunk */
    unsigned shift;
};

/* Returns false if memory is spent. */
__attribute__((always_inline)) static inline bool
layers_send(const struct layer_sender *sender, const uint64_t *key, uint8_t token, unsigned words)
{
    unsigned partition = (unsigned)(key[0] >> sender->shift);
    struct bucket *bucket = &sender->buckets[partition];
    uint64_t *to = bucket->next;
    if (__builtin_expect(to == NULL, 0)) {
        if (!bucket_open(sender->worker, bucket, sender->room))
            return false;
        to = bucket->next;
    }
    entry_make(to, key, token, words);
    bucket->next = to + words;
    if (__builtin_expect(to + words != bucket->end, 1))
        return true;
    return layers_add_chunk(sender->search, sender->worker, partition,
                            bucket_close(bucket, sender->room, words));
}

/* Expands entries that lie in one piece. With `looks` it looks for a goal among the successors. */
__attribute__((always_inline)) static inline bool
layers_expand_piece(struct search *search, struct searcher *worker, const uint64_t *entries, uint32_t count,
                    uint64_t top, bool looks, unsigned words)
{
    const struct pz_space *space = search->space;
    const struct layer_sender sender = {.search = search,
                                        .worker = worker,
                                        .buckets = worker->buckets,
                                        .room = (size_t)search->layers.shape.capacity * words,
                                        .shift = 64 - search->layers.partition_bits};
    uint64_t *const successors = worker->successors;
    uint8_t *const tokens = worker->tokens;
    const uint64_t seed = search->seed;
    uint64_t generated = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        uint64_t state[KEY_WORDS_MAX];
        const uint64_t *entry = entries + (size_t)i * words;
        entry_key(entry, top, key, words);
        bottom_k_offer(&worker->examples, bottom_k_hash(key, seed, words), key, words);
        unmix_state(key, state, words);
        unsigned made = space->puzzle->expand(space, state, entry_token(entry), successors, tokens);
        generated += made;
        for (unsigned k = 0; k < made; k++) {
            const uint64_t *successor = successors + (size_t)k * words;
            mix_state(successor, key, words);
            if (looks && search_is_goal(search, key, successor))
                search_found(search, key);
            if (!layers_send(&sender, key, tokens[k], words))
                return false;
        }
    }
    worker->generated += generated;
    return true;
}

static bool layers_expand_any(struct search *search, struct searcher *worker, const uint64_t *entries,
                              uint32_t count, uint64_t top)
{
    bool looks = search_wants_goal(search);
    return looks
               ? MIX_BY_WORDS(search->words, layers_expand_piece, search, worker, entries, count, top, true)
               : MIX_BY_WORDS(search->words, layers_expand_piece, search, worker, entries, count, top, false);
}

/* Expands the frontier's states of one partition. */
static void layers_expand_partition(struct search *search, struct searcher *worker, unsigned number)
{
    const struct log_shape *shape = &search->layers.shape;
    const struct log *log = &search->layers.partitions[number].log;
    struct range range = log_level(log, search->level);
    uint64_t top = layers_top(&search->layers, number);
    assert(range.begin <= range.end && range.end <= log->end);
    while (range.begin < range.end && !search_halted(search)) {
        uint32_t count = log_piece(shape, range.begin, range.end);
        if (!layers_expand_any(search, worker, log_entry(shape, log, range.begin), count, top))
            search_halt(search, HALT_MEMORY);
        worker_count(&worker->expanded, count);
        range.begin += count;
        if (search->remote.exchange != NULL && worker == search->searchers->workers)
            (void)remote_work(search);
    }
}

static void layers_expand_frontier(struct search *search, struct searcher *worker)
{
    while (search_goes_on(search, worker)) {
        unsigned number = atomic_fetch_add_explicit(&search->next_walk, 1, memory_order_relaxed);
        if (number >= search->layers.partition_count)
            return;
        layers_expand_partition(search, worker, number);
    }
}

/* ---- merging duplicates ---- */

/* Halts if one of the partition's new states is in the other search's frontier. */
static void layers_meet_frontier(struct search *search, unsigned number, struct range range)
{
    const struct search *other = search->step->other;
    const struct layers *layers = &search->layers;
    const struct log *log = &layers->partitions[number].log;
    uint32_t position = range.begin;
    uint64_t key[KEY_WORDS_MAX];
    bool met = false;
    if (other->visited == &visited_layers && other->layers.partition_count == layers->partition_count) {
        struct range with = log_level(&other->layers.partitions[number].log, other->level);
        position = layers_meet(layers, number, range, &other->layers, with);
        met = position < range.end;
        if (met)
            entry_key(log_entry(&layers->shape, log, position), layers_top(layers, number), key,
                      search->words);
    } else {
        for (; position < range.end && !met; position++) {
            entry_key(log_entry(&layers->shape, log, position), layers_top(layers, number), key,
                      search->words);
            met = other->visited->in_frontier(other, key);
        }
    }
    if (met)
        search_found(search, key);
}

static void layers_merge_all(struct search *search, struct searcher *worker)
{
    while (search_goes_on(search, worker)) {
        struct range range;
        unsigned number = atomic_fetch_add_explicit(&search->next_partition, 1, memory_order_relaxed);
        if (number >= search->layers.partition_count)
            return;
        if (!layers_merge(&search->layers, number, &search->layers_step, worker, &range))
            search_halt(search, HALT_MEMORY);
        else if (search->step->other != NULL)
            layers_meet_frontier(search, number, range);
        worker_count(&worker->found, range.end - range.begin);
        worker_count(&worker->merged, 1);
    }
}

/* Drops the levels below the two that are still needed. Each worker does its share of the partitions. */
static void layers_drop(struct search *search, const struct searcher *worker)
{
    struct layers *layers = &search->layers;
    assert(search->level > 1 && !search->keep_all);
    unsigned first = (unsigned)(worker - search->searchers->workers);
    for (unsigned i = first; i < layers->partition_count; i += search->working) {
        struct chunk *list = log_drop(&layers->shape, &layers->partitions[i].log, search->level - 1);
        if (list != NULL)
            pool_give(&search->searchers->pool, list);
    }
}

static void layers_expand(struct search *search, struct searcher *worker)
{
    if (!search->keep_all && search->level > 1) {
        layers_drop(search, worker);
        if (search->working > 1)
            (void)team_barrier(search->searchers->team); /* compacting reads the logs */
    }
    layers_expand_frontier(search, worker);
}

/* ---- a level ---- */

/* Returns the bytes that entries could take: the free budget and the free chunks. */
static double room_for_entries(const struct search *search)
{
    return (double)budget_free(search->searchers->budget) + (double)pool_spare(&search->searchers->pool);
}

/* Returns how many chunks an inbox may have: what memory allows, at most what a level usually brings. */
static uint32_t chunks_affordable(const struct search *search)
{
    double partitions = remote_share(&search->remote, search->layers.partition_count);
    double usual = INBOX_FRONTIERS * (double)search->frontier_states / partitions;
    double affordable = room_for_entries(search) / 2 / partitions / (search->words * 8.0);
    double entries = usual < affordable ? usual : affordable;
    uint32_t chunks = (uint32_t)(entries / search->layers.shape.capacity);
    return chunks < INBOX_CHUNKS ? INBOX_CHUNKS : chunks;
}

/*
 * Returns true if the next level can be expected to fit: an entry for each new state, by the ratio of the
 * last two levels, and a tenth for chunks that are not full and for sorting.
 */
static bool layers_fit(const struct search *search)
{
    double expected = search_growth(search) * (double)search->frontier_states;
    return expected * 1.1 * search->words * 8.0 <= room_for_entries(search);
}

static bool layers_prepare(struct search *search)
{
    search->layers_step = (struct layers_step){
        .level = search->level + 1,
        .joins = visited_tokens_join(search->space),
        .subtracts = search->tokens_missing,
        .height = chunks_affordable(search),
    };
    layers_expect(&search->layers, search->layers_step.height);
    atomic_store_explicit(&search->next_walk, 0, memory_order_relaxed);
    return searchers_prepare(search->searchers, search->layers.partition_count) && layers_fit(search);
}

static void layers_end(struct search *search)
{
    search->tokens_missing = search->spread || !visited_tokens_join(search->space);
}

/* ---- reading ---- */

static int64_t layers_find_key(const struct search *search, const uint64_t *key)
{
    return layers_find(&search->layers, key);
}

static bool layers_in_frontier(const struct search *search, const uint64_t *key)
{
    return layers_has(&search->layers, search->level, key);
}

/* Moves to the next state of one level, in the order of the logs. */
static bool layers_next_of_level(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    const struct layers *layers = &search->layers;
    while (cursor->at == cursor->count) {
        if (cursor->partition == layers->partition_count)
            return false;
        struct range range = log_level(&layers->partitions[cursor->partition++].log, cursor->deepest);
        cursor->at = range.begin;
        cursor->count = range.end;
    }
    const struct log *log = &layers->partitions[cursor->partition - 1].log;
    entry_key(log_entry(&layers->shape, log, (uint32_t)cursor->at++),
              layers_top(layers, cursor->partition - 1), key, search->words);
    *level = cursor->deepest;
    return true;
}

/* Copies a partition's states, each followed by its level. Returns their number, or UINT64_MAX: no memory. */
static uint64_t layers_copy_partition(struct search_cursor *cursor, const struct log *log)
{
    const struct search *search = cursor->search;
    const struct log_shape *shape = &search->layers.shape;
    unsigned stride = search->words + 1;
    if (!radix_reserve(&cursor->radix, (uint64_t)(log->end - log->begin) * stride))
        return UINT64_MAX;
    uint64_t *to = cursor->radix.entries;
    for (uint32_t mark = 0; mark < log->mark_count; mark++) {
        if (!cursor_wants(cursor, log->marks[mark].level))
            continue;
        struct range range = log_level(log, log->marks[mark].level);
        for (uint32_t at = range.begin; at < range.end; at++, to += stride) {
            key_copy(to, log_entry(shape, log, at), search->words);
            to[search->words] = log->marks[mark].level;
        }
    }
    return (uint64_t)(to - cursor->radix.entries) / stride;
}

/* Loads the next partition's states in the order of their keys. Returns false without memory. */
static bool layers_load_partition(struct search_cursor *cursor)
{
    const struct layers *layers = &cursor->search->layers;
    uint64_t count = layers_copy_partition(cursor, &layers->partitions[cursor->partition++].log);
    cursor->failed = count == UINT64_MAX;
    if (cursor->failed)
        return false;
    cursor->at = 0;
    cursor->count = count;
    radix_sort_pairs(&cursor->radix, count, cursor->search->words, layers->partition_bits - ENTRY_TOKEN_BITS);
    return true;
}

static bool layers_next_of_all(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    while (cursor->at == cursor->count)
        if (cursor->partition == search->layers.partition_count || !layers_load_partition(cursor))
            return false;
    const uint64_t *entry = cursor->radix.entries + cursor->at++ * (search->words + 1);
    entry_key(entry, layers_top(&search->layers, cursor->partition - 1), key, search->words);
    *level = (uint32_t)entry[search->words];
    return true;
}

static bool layers_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    return cursor->lowest == cursor->deepest ? layers_next_of_level(cursor, key, level)
                                             : layers_next_of_all(cursor, key, level);
}

const struct visited visited_layers = {.init = layers_visited_init,
                                       .prepare = layers_prepare,
                                       .expand = layers_expand,
                                       .merge = layers_merge_all,
                                       .end = layers_end,
                                       .add = layers_add_chunk,
                                       .find = layers_find_key,
                                       .in_frontier = layers_in_frontier,
                                       .next = layers_next,
                                       .put_back = layers_put_back,
                                       .reopen = layers_reopen};
