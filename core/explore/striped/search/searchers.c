/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/searchers.h"

#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A worker takes and gives back this many empty chunks at a time. */
enum { WORKER_CHUNKS = 32 };

static unsigned together(const struct pz_space *space)
{
    return space->puzzle->expand_many != NULL ? EXPAND_TOGETHER : 1;
}

uint64_t searchers_bytes(const struct pz_space *space, unsigned threads)
{
    uint64_t states = (uint64_t)space->max_successors * together(space) + SORTER_KEYS;
    return threads * (sizeof(struct searcher) + states * (space->state_bytes + 1));
}

static bool worker_init(struct searchers *searchers, struct searcher *worker)
{
    memset(worker, 0, sizeof *worker);
    worker->searchers = searchers;
    worker->radix.budget = searchers->budget;
    atomic_init(&worker->found, 0);
    atomic_init(&worker->expanded, 0);
    atomic_init(&worker->merged, 0);
    const size_t successors = (size_t)searchers->space->max_successors * searchers->together;
    worker->successors = malloc(successors * searchers->words * sizeof(uint64_t));
    worker->tokens = malloc(successors);
    worker->sorter.keys = malloc((size_t)SORTER_KEYS * searchers->words * sizeof(uint64_t));
    worker->sorter.tokens = malloc(SORTER_KEYS);
    return worker->successors != NULL && worker->tokens != NULL && worker->sorter.keys != NULL &&
           worker->sorter.tokens != NULL;
}

enum pz_status searchers_init(struct searchers *searchers, const struct pz_space *space, unsigned threads,
                              struct budget *budget, size_t chunk_bytes, struct pz_error *error)
{
    assert(threads >= 1 && threads <= TEAM_MAX);
    *searchers = (struct searchers){.space = space,
                                    .threads = threads,
                                    .words = space->state_bytes / 8,
                                    .together = together(space),
                                    .budget = budget};
    pool_init(&searchers->pool, budget, searchers->words, chunk_bytes);
    if (!budget_take(budget, searchers_bytes(space, threads))) {
        pool_clear(&searchers->pool);
        memset(searchers, 0, sizeof *searchers);
        return pz_fail(error, PZ_TOO_LARGE,
                       "threads=%u needs %" PRIu64 "K to begin with, the memory limit leaves %" PRIu64 "K",
                       threads, (searchers_bytes(space, threads) >> 10) + 1, budget_free(budget) >> 10);
    }
    searchers->workers = aligned_alloc(alignof(struct searcher), threads * sizeof(struct searcher));
    bool made = searchers->workers != NULL;
    if (made) {
        memset(searchers->workers, 0, threads * sizeof(struct searcher));
        for (unsigned i = 0; i < threads; i++)
            made = worker_init(searchers, &searchers->workers[i]) && made;
    }
    if (!made) {
        searchers_clear(searchers);
        return pz_fail(error, PZ_MEMORY, "no memory for the work space of %u threads", threads);
    }
    return PZ_OK;
}

static void searchers_drop_buckets(struct searchers *searchers)
{
    for (unsigned i = 0; i < searchers->threads; i++) {
        free(searchers->workers[i].buckets);
        searchers->workers[i].buckets = NULL;
    }
    budget_give(searchers->budget,
                (uint64_t)searchers->threads * searchers->partitions * sizeof(struct bucket));
    searchers->partitions = 0;
}

void searchers_clear(struct searchers *searchers)
{
    if (searchers->space == NULL)
        return;
    team_free(searchers->team);
    if (searchers->workers != NULL) {
        searchers_drop_buckets(searchers);
        for (unsigned i = 0; i < searchers->threads; i++) {
            free(searchers->workers[i].successors);
            free(searchers->workers[i].tokens);
            free(searchers->workers[i].sorter.keys);
            free(searchers->workers[i].sorter.tokens);
            bottom_k_clear(&searchers->workers[i].examples);
            radix_clear(&searchers->workers[i].radix);
        }
    }
    free(searchers->workers);
    pool_clear(&searchers->pool);
    budget_give(searchers->budget, searchers_bytes(searchers->space, searchers->threads));
    memset(searchers, 0, sizeof *searchers);
}

bool searchers_prepare(struct searchers *searchers, unsigned partitions)
{
    assert(partitions > 0 && (partitions & (partitions - 1)) == 0);
    if (partitions == searchers->partitions)
        return true;
    searchers_drop_buckets(searchers);
    if (!budget_take(searchers->budget, (uint64_t)searchers->threads * partitions * sizeof(struct bucket)))
        return false;
    searchers->partitions = partitions;
    for (unsigned i = 0; i < searchers->threads; i++) {
        searchers->workers[i].buckets = calloc(partitions, sizeof(struct bucket));
        if (searchers->workers[i].buckets == NULL) {
            searchers_drop_buckets(searchers);
            budget_starve(searchers->budget);
            return false;
        }
    }
    return true;
}

struct team *searchers_team(struct searchers *searchers)
{
    if (searchers->team == NULL && searchers->threads > 1 &&
        team_new(searchers->threads, &searchers->team, NULL) != PZ_OK)
        searchers->alone = true;
    return searchers->team;
}

bool searchers_keep_examples(struct searchers *searchers, unsigned examples)
{
    for (unsigned i = 0; i < searchers->threads; i++)
        if (!bottom_k_init(&searchers->workers[i].examples, examples))
            return false;
    return true;
}

bool searchers_know(const struct searchers *searchers, const uint64_t *key, bool texts)
{
    uint64_t state[KEY_WORDS_MAX];
    unmix_bytes(key, searchers->space->state_bytes, state);
    return (!texts && !space_knows_valid(searchers->space)) || space_state_valid(searchers->space, state);
}

void searchers_begin_level(struct searchers *searchers)
{
    for (unsigned i = 0; i < searchers->threads; i++) {
        struct searcher *worker = &searchers->workers[i];
        worker->generated = 0;
        bottom_k_empty(&worker->examples);
        atomic_store_explicit(&worker->found, 0, memory_order_relaxed);
        atomic_store_explicit(&worker->expanded, 0, memory_order_relaxed);
        atomic_store_explicit(&worker->merged, 0, memory_order_relaxed);
    }
}

void searchers_examples(const struct searchers *searchers, struct bottom_k *sample)
{
    for (unsigned i = 0; i < searchers->threads; i++)
        bottom_k_merge(sample, &searchers->workers[i].examples, searchers->words);
}

static void frontier_join(struct frontier *frontier, struct frontier *more)
{
    assert((more->chunks == NULL) == (more->states == 0));
    if (more->chunks != NULL) {
        more->last->next = frontier->chunks;
        if (frontier->chunks == NULL)
            frontier->last = more->last;
        frontier->chunks = more->chunks;
        frontier->states += more->states;
    }
    *more = (struct frontier){0};
}

struct chunk *worker_take(struct searcher *worker)
{
    if (worker->spare == NULL) {
        worker->spare = pool_take(&worker->searchers->pool, WORKER_CHUNKS);
        for (struct chunk *chunk = worker->spare; chunk != NULL; chunk = chunk->next)
            worker->spare_count++;
        if (worker->spare == NULL)
            return NULL;
    }
    struct chunk *chunk = worker->spare;
    worker->spare = chunk->next;
    assert(worker->spare_count > 0);
    worker->spare_count--;
    chunk->next = NULL;
    chunk->count = 0;
    return chunk;
}

bool bucket_open(struct searcher *worker, struct bucket *bucket, size_t room)
{
    struct chunk *chunk = worker_take(worker);
    if (chunk == NULL)
        return false;
    /* A bucket's keys come at long intervals: fetch its cache lines ahead. */
    for (size_t line = 0; line < room; line += 8)
        __builtin_prefetch(chunk->keys + line, 1);
    *bucket = (struct bucket){.next = chunk->keys, .end = chunk->keys + room};
    return true;
}

struct chunk *bucket_close(struct bucket *bucket, size_t room, unsigned words)
{
    assert(bucket->next != NULL && bucket->next <= bucket->end);
    uint64_t *keys = bucket->end - room;
    assert((size_t)(bucket->next - keys) % words == 0);
    struct chunk *chunk = (struct chunk *)(void *)((unsigned char *)keys - offsetof(struct chunk, keys));
    chunk->count = (uint32_t)((size_t)(bucket->next - keys) / words);
    *bucket = (struct bucket){NULL, NULL};
    return chunk;
}

void worker_give(struct searcher *worker, struct chunk *chunk)
{
    chunk->next = worker->spare;
    worker->spare = chunk;
    if (++worker->spare_count < 2 * WORKER_CHUNKS)
        return;
    struct chunk *last = chunk;
    for (unsigned i = 1; i < WORKER_CHUNKS; i++)
        last = last->next;
    worker->spare = last->next;
    last->next = NULL;
    worker->spare_count -= WORKER_CHUNKS;
    pool_give(&worker->searchers->pool, chunk);
}

static void worker_close(struct searcher *worker, struct chunk *chunk)
{
    chunk->next = worker->next.chunks;
    if (worker->next.chunks == NULL)
        worker->next.last = chunk;
    worker->next.chunks = chunk;
}

void worker_collect(struct searcher *worker, struct frontier *frontier)
{
    if (worker->open != NULL)
        worker_close(worker, worker->open);
    worker->open = NULL;
    frontier_join(frontier, &worker->next);
}

bool worker_append(struct searcher *worker, struct chunk *chunk)
{
    const struct pool *pool = &worker->searchers->pool;
    unsigned words = pool->words;
    unsigned done = 0;
    assert(chunk->count <= pool->capacity);
    worker->next.states += chunk->count;
    while (done < chunk->count) {
        struct chunk *open = worker->open;
        if (open == NULL) {
            open = worker->open = worker_take(worker);
            if (open == NULL)
                return false;
        }
        unsigned room = pool->capacity - open->count;
        unsigned moved = chunk->count - done < room ? chunk->count - done : room;
        memcpy(open->keys + (size_t)open->count * words, chunk->keys + (size_t)done * words,
               (size_t)moved * words * sizeof(uint64_t));
        memcpy(chunk_tokens(pool, open) + open->count, chunk_tokens(pool, chunk) + done, moved);
        open->count += moved;
        done += moved;
        if (open->count == pool->capacity) {
            worker_close(worker, open);
            worker->open = NULL;
        }
    }
    worker_give(worker, chunk);
    return true;
}

bool worker_add(struct searcher *worker, const uint64_t *key)
{
    struct chunk *chunk = worker_take(worker);
    if (chunk == NULL)
        return false;
    memcpy(chunk->keys, key, worker->searchers->pool.words * sizeof(uint64_t));
    chunk_tokens(&worker->searchers->pool, chunk)[0] = PZ_NO_TOKEN;
    chunk->count = 1;
    return worker_append(worker, chunk);
}
