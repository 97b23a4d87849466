/* SPDX-License-Identifier: MIT */
/* The hash set as a store. The thread that fills an inbox inserts it; new states go to the next frontier. */
#include "explore/striped/search/search.h"
#include "explore/striped/search/search_parts.h"

#include <assert.h>

enum {
    INBOX_KEYS = 2048, /* keys in an inbox that are worth an insertion */
    GROUP_CHUNKS = 8   /* chunks of the frontier taken at a time */
};

/* ---- distances in the set ---- */

/* Returns a level's distance in the set: the level itself, or its low byte if only three levels are kept. */
static uint16_t hash_distance(const struct search *search, uint32_t level)
{
    return search->keep_all ? (uint16_t)level : (uint8_t)level;
}

/* Returns the level of a distance in the set. If three levels are kept, it is within 128 of the frontier. */
static uint32_t hash_level(const struct search *search, uint16_t distance)
{
    if (search->keep_all)
        return distance;
    assert(distance <= UINT8_MAX);
    int8_t beyond = (int8_t)(uint8_t)(distance - search->level);
    return (uint32_t)((int64_t)search->level + beyond);
}

/* Widens each distance to two bytes if this level needs them. Returns false without memory. */
static bool widen_for(struct search *search, uint32_t level)
{
    return !search->keep_all || level <= UINT8_MAX || search->set.shape.wide || set_widen(&search->set);
}

/* ---- making ---- */

static enum pz_status hash_init(struct search *search, unsigned stripes, uint64_t first_capacity,
                                struct pz_error *error)
{
    const struct set_options set = {.budget = search->searchers->budget,
                                    .words = search->words,
                                    .stripes = stripes,
                                    .first = search->remote.first,
                                    .own = remote_share(&search->remote, stripes),
                                    .first_capacity = first_capacity};
    return set_init(&search->set, &set, error);
}

/* ---- new states ---- */

static bool chunk_goal(struct search *search, const struct chunk *chunk)
{
    for (unsigned i = 0; i < chunk->count; i++) {
        const uint64_t *key = chunk->keys + (size_t)i * search->words;
        uint64_t state[KEY_WORDS_MAX];
        unmix_bytes(key, search->space->state_bytes, state);
        if (search_is_goal(search, key, state)) {
            search_found(search, key);
            return true;
        }
    }
    return false;
}

static bool chunk_meets(struct search *search, const struct chunk *chunk)
{
    const struct search *other = search->step->other;
    for (unsigned i = 0; i < chunk->count; i++) {
        const uint64_t *key = chunk->keys + (size_t)i * search->words;
        if (other->visited->in_frontier(other, key)) {
            search_found(search, key);
            return true;
        }
    }
    return false;
}

/* Takes the chunks of an insertion, which have only new states left. */
static void hash_take_new(struct search *search, struct searcher *worker, struct chunk *list)
{
    const struct search_step *step = search->step;
    while (list != NULL) {
        struct chunk *chunk = list;
        list = chunk->next;
        worker_count(&worker->found, chunk->count);
        if (search_wants_goal(search) && chunk_goal(search, chunk))
            continue;
        if (step->other != NULL && chunk_meets(search, chunk))
            continue;
        if (step->last || chunk->count == 0)
            worker_give(worker, chunk);
        else if (!worker_append(worker, chunk))
            search_halt(search, HALT_MEMORY);
    }
}

/* ---- inboxes ---- */

/* Inserts all keys of the inbox. The caller holds the partition's lock; this releases it. */
static void insert_inbox(struct search *search, struct searcher *worker, struct stripe *stripe)
{
    uint16_t distance = hash_distance(search, search->level + 1);
    struct chunk *list = inbox_take(&stripe->inbox);
    bool inserted =
        set_insert(&search->set, stripe, list, distance, &search->searchers->pool, &worker->sorter);
    (void)pthread_mutex_unlock(&stripe->inbox.lock);
    if (inserted)
        hash_take_new(search, worker, list);
    else
        search_halt(search, HALT_MEMORY); /* these chunks are lost to the pool until it is cleared */
}

static bool hash_add(struct search *search, struct searcher *worker, unsigned number, struct chunk *chunk)
{
    struct stripe *stripe = &search->set.stripes[number];
    if (remote_has(&search->remote, number)) {
        remote_push(search, worker, number, chunk);
        return true;
    }
    if (inbox_lock_if_full(&stripe->inbox, inbox_push(&stripe->inbox, chunk, chunk, 1), search->inbox_limit))
        insert_inbox(search, worker, stripe);
    return true;
}

/* ---- expanding ---- */

__attribute__((always_inline)) static inline bool hash_send(struct search *search, struct searcher *worker,
                                                            const uint64_t *state, uint8_t token,
                                                            unsigned words)
{
    const struct pool *pool = &search->searchers->pool;
    size_t room = (size_t)pool->capacity * words;
    uint64_t key[KEY_WORDS_MAX] = {0};
    mix_state(state, key, words);
    unsigned stripe = set_stripe_of(&search->set, key[0]);
    struct bucket *bucket = &worker->buckets[stripe];
    if (bucket->next == NULL && !bucket_open(worker, bucket, room))
        return false;
    uint8_t *tokens = (uint8_t *)bucket->end;
    tokens[(size_t)(bucket->next - (bucket->end - room)) / words] = token;
    key_copy(bucket->next, key, words);
    bucket->next += words;
    if (bucket->next != bucket->end)
        return true;
    return hash_add(search, worker, stripe, bucket_close(bucket, room, words));
}

/* Returns false without memory. */
__attribute__((always_inline)) static inline bool
hash_expand_chunk(struct search *search, struct searcher *worker, struct chunk *chunk, unsigned words)
{
    const uint8_t *tokens = chunk_tokens(&search->searchers->pool, chunk);
    const unsigned together = search->searchers->together;
    uint64_t states[EXPAND_TOGETHER * KEY_WORDS_MAX];
    for (unsigned first = 0; first < chunk->count; first += together) {
        const unsigned share = chunk->count - first < together ? chunk->count - first : together;
        for (unsigned i = 0; i < share; i++) {
            const uint64_t *key = chunk->keys + (size_t)(first + i) * words;
            worker_unmix(worker, key, search->seed, states + (size_t)i * words, words);
        }
        const unsigned count = worker_expand(worker, states, tokens + first, share);
        for (unsigned k = 0; k < count; k++)
            if (!hash_send(search, worker, worker->successors + (size_t)k * words, worker->tokens[k], words))
                return false;
    }
    return true;
}

/* Takes a few chunks of the frontier: fewer if it is short, so that all workers find work. */
static struct chunk *frontier_take(struct search *search)
{
    struct frontier *frontier = &search->frontier;
    uint64_t share = frontier->states / search->searchers->pool.capacity / search->working / 4;
    unsigned wanted = share < 1 ? 1 : share < GROUP_CHUNKS ? (unsigned)share : GROUP_CHUNKS;
    (void)pthread_mutex_lock(&search->lock);
    struct chunk *list = frontier->chunks;
    struct chunk *last = list;
    for (unsigned i = 1; i < wanted && last != NULL && last->next != NULL; i++)
        last = last->next;
    assert((list == NULL) == (last == NULL));
    if (last != NULL) {
        frontier->chunks = last->next;
        last->next = NULL;
    }
    (void)pthread_mutex_unlock(&search->lock);
    return list;
}

static void hash_expand(struct search *search, struct searcher *worker)
{
    while (search_goes_on(search, worker)) {
        struct chunk *list = frontier_take(search);
        if (list == NULL)
            return;
        while (list != NULL) {
            struct chunk *chunk = list;
            list = chunk->next;
            if (!MIX_BY_WORDS(search->words, hash_expand_chunk, search, worker, chunk))
                search_halt(search, HALT_MEMORY);
            worker_count(&worker->expanded, chunk->count);
            worker_give(worker, chunk);
        }
    }
}

/* Inserts the rest of the inboxes after the last push, and drops old levels. */
static void hash_merge(struct search *search, struct searcher *worker)
{
    while (search_goes_on(search, worker)) {
        unsigned number = atomic_fetch_add_explicit(&search->next_partition, 1, memory_order_relaxed);
        if (number >= search->set.stripe_count)
            return;
        struct stripe *stripe = &search->set.stripes[number];
        if (!inbox_is_empty(&stripe->inbox)) {
            (void)pthread_mutex_lock(&stripe->inbox.lock);
            insert_inbox(search, worker, stripe);
        }
        if (!search->keep_all && search->level > 0)
            set_keep(&search->set, number, (uint8_t)(search->level + 1), 1);
        worker_count(&worker->merged, 1);
    }
}

/* ---- a level ---- */

/*
 * Sets how many chunks an inbox may have before it is inserted: a share of the partition's keys, since an
 * insertion walks through most of a segment; but no more than a sorter takes, and for all inboxes together no
 * more than a share of the budget.
 */
static void set_inbox_limit(struct search *search)
{
    const struct pool *pool = &search->searchers->pool;
    unsigned stripes = remote_share(&search->remote, search->set.stripe_count);
    uint64_t keys = search->states / stripes / 3;
    keys = keys < INBOX_KEYS ? INBOX_KEYS : keys > SORTER_KEYS ? SORTER_KEYS : keys;
    uint64_t affordable = budget_free(search->searchers->budget) / 16 / pool->chunk_bytes / stripes;
    uint64_t chunks = keys / pool->capacity;
    chunks = chunks < affordable ? chunks : affordable;
    search->inbox_limit = chunks < 1 ? 1 : (uint32_t)chunks;
    assert(search->inbox_limit * (uint64_t)pool->capacity <= SORTER_KEYS);
}

/* Returns the bytes that a state takes in a segment. */
static double slot_bytes(const struct search *search)
{
    const double load = 0.76; /* the average of a segment */
    return (search->words * 8.0 + (search->set.shape.wide ? 2 : 1)) / load;
}

/* Returns how many new states to expect, by the ratio of the last two levels. */
static double states_expected(const struct search *search)
{
    return search_growth(search) * (double)search->frontier_states;
}

/* Returns the bytes that the next frontier takes beyond the old one's chunks and the free ones. */
static double frontier_lacks(const struct search *search)
{
    double more = states_expected(search) - (double)search->frontier_states;
    double lacking = more * (search->words * 8.0 + 1.0) - (double)pool_spare(&search->searchers->pool);
    return lacking > 0 ? lacking : 0;
}

/* Returns true if the next level can be expected to fit: a slot and a frontier place for each new state. */
static bool hash_fits(const struct search *search)
{
    double wanted = ((double)set_count(&search->set) + states_expected(search)) * slot_bytes(search);
    double needed = wanted - (double)set_bytes(&search->set);
    if (needed < 0)
        needed = 0;
    if (!search->step->last)
        needed += frontier_lacks(search);
    return needed <= (double)budget_free(search->searchers->budget);
}

static bool hash_prepare(struct search *search)
{
    if (!widen_for(search, search->level + 1))
        return false;
    set_inbox_limit(search);
    return searchers_prepare(search->searchers, search->set.stripe_count) && hash_fits(search);
}

/* Makes the new level the frontier. */
static void hash_end(struct search *search)
{
    search->frontier = (struct frontier){0};
    for (unsigned i = 0; i < search->searchers->threads; i++)
        worker_collect(&search->searchers->workers[i], &search->frontier);
}

/* ---- reading ---- */

static int64_t hash_find(const struct search *search, const uint64_t *key)
{
    return set_find(&search->set, key);
}

static bool hash_in_frontier(const struct search *search, const uint64_t *key)
{
    return set_find(&search->set, key) == hash_distance(search, search->level);
}

static bool hash_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    const struct search *search = cursor->search;
    uint16_t distance = 0;
    while (set_next(&search->set, &cursor->place, key, &distance)) {
        *level = hash_level(search, distance);
        if (cursor_wants(cursor, *level))
            return true;
    }
    return false;
}

/* ---- going on ---- */

/* Returns true while no partition has dropped its old level, as each does at the end of a level. */
static bool hash_is_whole(const struct search *search)
{
    return atomic_load_explicit(&search->next_partition, memory_order_relaxed) == 0;
}

static bool hash_put_back(struct search *search, const uint64_t *key, uint32_t level)
{
    if (!widen_for(search, level) || !set_put_back(&search->set, key, hash_distance(search, level)))
        return false;
    return level != search->level || worker_add(&search->searchers->workers[0], key);
}

static bool hash_reopen(struct search *search)
{
    worker_collect(&search->searchers->workers[0], &search->frontier);
    return search->frontier.states == search->frontier_states;
}

const struct visited visited_hash = {.init = hash_init,
                                     .prepare = hash_prepare,
                                     .expand = hash_expand,
                                     .merge = hash_merge,
                                     .end = hash_end,
                                     .add = hash_add,
                                     .tokens_apart = true,
                                     .find = hash_find,
                                     .in_frontier = hash_in_frontier,
                                     .next = hash_next,
                                     .is_whole = hash_is_whole,
                                     .put_back = hash_put_back,
                                     .reopen = hash_reopen};
