/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/searchers.h"

#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A worker takes and gives back this many empty chunks at a time. */
enum { MEMBER_CHUNKS = 32 };

static unsigned together(const struct pz_space *space)
{
    return space_expands_many(space) ? EXPAND_TOGETHER : 1;
}

uint64_t searchers_bytes(const struct pz_space *space, unsigned threads)
{
    uint64_t states = (uint64_t)space->max_successors * together(space) + SORTER_KEYS;
    return threads * (sizeof(struct searcher) + states * (space->state_bytes + 1));
}

static bool member_init(struct searchers *searchers, struct searcher *member)
{
    memset(member, 0, sizeof *member);
    member->searchers = searchers;
    member->radix.budget = searchers->budget;
    atomic_init(&member->found, 0);
    atomic_init(&member->expanded, 0);
    atomic_init(&member->merged, 0);
    const size_t successors = (size_t)searchers->space->max_successors * searchers->together;
    member->successors = malloc(successors * searchers->words * sizeof(uint64_t));
    member->tokens = malloc(successors);
    member->sorter.keys = malloc((size_t)SORTER_KEYS * searchers->words * sizeof(uint64_t));
    member->sorter.tokens = malloc(SORTER_KEYS);
    return member->successors != NULL && member->tokens != NULL && member->sorter.keys != NULL &&
           member->sorter.tokens != NULL;
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
    searchers->members = aligned_alloc(alignof(struct searcher), threads * sizeof(struct searcher));
    bool made = searchers->members != NULL;
    if (made) {
        memset(searchers->members, 0, threads * sizeof(struct searcher));
        for (unsigned i = 0; i < threads; i++)
            made = member_init(searchers, &searchers->members[i]) && made;
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
        free(searchers->members[i].buckets);
        searchers->members[i].buckets = NULL;
    }
    budget_give(searchers->budget, (uint64_t)searchers->threads * searchers->stripes * sizeof(struct bucket));
    searchers->stripes = 0;
}

void searchers_clear(struct searchers *searchers)
{
    if (searchers->space == NULL)
        return;
    team_free(searchers->team);
    if (searchers->members != NULL) {
        searchers_drop_buckets(searchers);
        for (unsigned i = 0; i < searchers->threads; i++) {
            free(searchers->members[i].successors);
            free(searchers->members[i].tokens);
            free(searchers->members[i].sorter.keys);
            free(searchers->members[i].sorter.tokens);
            bottom_k_clear(&searchers->members[i].examples);
            radix_clear(&searchers->members[i].radix);
        }
    }
    free(searchers->members);
    pool_clear(&searchers->pool);
    budget_give(searchers->budget, searchers_bytes(searchers->space, searchers->threads));
    memset(searchers, 0, sizeof *searchers);
}

bool searchers_prepare(struct searchers *searchers, unsigned stripes)
{
    assert(stripes > 0 && (stripes & (stripes - 1)) == 0);
    if (stripes == searchers->stripes)
        return true;
    searchers_drop_buckets(searchers);
    if (!budget_take(searchers->budget, (uint64_t)searchers->threads * stripes * sizeof(struct bucket)))
        return false;
    searchers->stripes = stripes;
    for (unsigned i = 0; i < searchers->threads; i++) {
        searchers->members[i].buckets = calloc(stripes, sizeof(struct bucket));
        if (searchers->members[i].buckets == NULL) {
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
        if (!bottom_k_init(&searchers->members[i].examples, examples))
            return false;
    return true;
}

void searchers_begin_level(struct searchers *searchers)
{
    for (unsigned i = 0; i < searchers->threads; i++) {
        struct searcher *member = &searchers->members[i];
        member->generated = 0;
        bottom_k_empty(&member->examples);
        atomic_store_explicit(&member->found, 0, memory_order_relaxed);
        atomic_store_explicit(&member->expanded, 0, memory_order_relaxed);
        atomic_store_explicit(&member->merged, 0, memory_order_relaxed);
    }
}

void searchers_examples(const struct searchers *searchers, struct bottom_k *sample)
{
    for (unsigned i = 0; i < searchers->threads; i++)
        bottom_k_merge(sample, &searchers->members[i].examples, searchers->words);
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

struct chunk *member_take(struct searcher *member)
{
    if (member->spare == NULL) {
        member->spare = pool_take(&member->searchers->pool, MEMBER_CHUNKS);
        for (struct chunk *chunk = member->spare; chunk != NULL; chunk = chunk->next)
            member->spare_count++;
        if (member->spare == NULL)
            return NULL;
    }
    struct chunk *chunk = member->spare;
    member->spare = chunk->next;
    assert(member->spare_count > 0);
    member->spare_count--;
    chunk->next = NULL;
    chunk->count = 0;
    return chunk;
}

bool bucket_open(struct searcher *member, struct bucket *bucket, size_t room)
{
    struct chunk *chunk = member_take(member);
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

void member_give(struct searcher *member, struct chunk *chunk)
{
    chunk->next = member->spare;
    member->spare = chunk;
    if (++member->spare_count < 2 * MEMBER_CHUNKS)
        return;
    struct chunk *last = chunk;
    for (unsigned i = 1; i < MEMBER_CHUNKS; i++)
        last = last->next;
    member->spare = last->next;
    last->next = NULL;
    member->spare_count -= MEMBER_CHUNKS;
    pool_give(&member->searchers->pool, chunk);
}

static void member_close(struct searcher *member, struct chunk *chunk)
{
    chunk->next = member->next.chunks;
    if (member->next.chunks == NULL)
        member->next.last = chunk;
    member->next.chunks = chunk;
}

void member_collect(struct searcher *member, struct frontier *frontier)
{
    if (member->open != NULL)
        member_close(member, member->open);
    member->open = NULL;
    frontier_join(frontier, &member->next);
}

bool member_append(struct searcher *member, struct chunk *chunk)
{
    const struct pool *pool = &member->searchers->pool;
    unsigned words = pool->words;
    unsigned done = 0;
    assert(chunk->count <= pool->capacity);
    member->next.states += chunk->count;
    while (done < chunk->count) {
        struct chunk *open = member->open;
        if (open == NULL) {
            open = member->open = member_take(member);
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
            member_close(member, open);
            member->open = NULL;
        }
    }
    member_give(member, chunk);
    return true;
}

bool member_add(struct searcher *member, const uint64_t *key)
{
    struct chunk *chunk = member_take(member);
    if (chunk == NULL)
        return false;
    memcpy(chunk->keys, key, member->searchers->pool.words * sizeof(uint64_t));
    chunk_tokens(&member->searchers->pool, chunk)[0] = PZ_NO_TOKEN;
    chunk->count = 1;
    return member_append(member, chunk);
}
