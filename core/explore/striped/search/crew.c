/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/crew.h"

#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A member takes and gives back this many empty chunks at a time. */
enum { MEMBER_CHUNKS = 32 };

static unsigned together(const struct pz_space *space)
{
    return space_expands_many(space) ? EXPAND_TOGETHER : 1;
}

uint64_t crew_bytes(const struct pz_space *space, unsigned threads)
{
    uint64_t states = (uint64_t)space->max_successors * together(space) + SORTER_KEYS;
    return threads * (sizeof(struct crew_member) + states * (space->state_bytes + 1));
}

static bool member_init(struct crew *crew, struct crew_member *member)
{
    memset(member, 0, sizeof *member);
    member->crew = crew;
    member->radix.budget = crew->budget;
    atomic_init(&member->found, 0);
    atomic_init(&member->expanded, 0);
    atomic_init(&member->merged, 0);
    const size_t successors = (size_t)crew->space->max_successors * crew->together;
    member->successors = malloc(successors * crew->words * sizeof(uint64_t));
    member->tokens = malloc(successors);
    member->sorter.keys = malloc((size_t)SORTER_KEYS * crew->words * sizeof(uint64_t));
    member->sorter.tokens = malloc(SORTER_KEYS);
    return member->successors != NULL && member->tokens != NULL && member->sorter.keys != NULL &&
           member->sorter.tokens != NULL;
}

enum pz_status crew_init(struct crew *crew, const struct pz_space *space, unsigned threads,
                         struct budget *budget, size_t chunk_bytes, struct pz_error *error)
{
    assert(threads >= 1 && threads <= TEAM_MAX);
    *crew = (struct crew){.space = space,
                          .threads = threads,
                          .words = space->state_bytes / 8,
                          .together = together(space),
                          .budget = budget};
    pool_init(&crew->pool, budget, crew->words, chunk_bytes);
    if (!budget_take(budget, crew_bytes(space, threads))) {
        pool_clear(&crew->pool);
        memset(crew, 0, sizeof *crew);
        return pz_fail(error, PZ_TOO_LARGE,
                       "threads=%u needs %" PRIu64 "K to begin with, the memory limit leaves %" PRIu64 "K",
                       threads, (crew_bytes(space, threads) >> 10) + 1, budget_free(budget) >> 10);
    }
    crew->members = aligned_alloc(alignof(struct crew_member), threads * sizeof(struct crew_member));
    bool made = crew->members != NULL;
    if (made) {
        memset(crew->members, 0, threads * sizeof(struct crew_member));
        for (unsigned i = 0; i < threads; i++)
            made = member_init(crew, &crew->members[i]) && made;
    }
    if (!made) {
        crew_clear(crew);
        return pz_fail(error, PZ_MEMORY, "no memory for the work space of %u threads", threads);
    }
    return PZ_OK;
}

static void crew_drop_buckets(struct crew *crew)
{
    for (unsigned i = 0; i < crew->threads; i++) {
        free(crew->members[i].buckets);
        crew->members[i].buckets = NULL;
    }
    budget_give(crew->budget, (uint64_t)crew->threads * crew->stripes * sizeof(struct bucket));
    crew->stripes = 0;
}

void crew_clear(struct crew *crew)
{
    if (crew->space == NULL)
        return;
    team_free(crew->team);
    if (crew->members != NULL) {
        crew_drop_buckets(crew);
        for (unsigned i = 0; i < crew->threads; i++) {
            free(crew->members[i].successors);
            free(crew->members[i].tokens);
            free(crew->members[i].sorter.keys);
            free(crew->members[i].sorter.tokens);
            bottom_k_clear(&crew->members[i].examples);
            radix_clear(&crew->members[i].radix);
        }
    }
    free(crew->members);
    pool_clear(&crew->pool);
    budget_give(crew->budget, crew_bytes(crew->space, crew->threads));
    memset(crew, 0, sizeof *crew);
}

bool crew_prepare(struct crew *crew, unsigned stripes)
{
    assert(stripes > 0 && (stripes & (stripes - 1)) == 0);
    if (stripes == crew->stripes)
        return true;
    crew_drop_buckets(crew);
    if (!budget_take(crew->budget, (uint64_t)crew->threads * stripes * sizeof(struct bucket)))
        return false;
    crew->stripes = stripes;
    for (unsigned i = 0; i < crew->threads; i++) {
        crew->members[i].buckets = calloc(stripes, sizeof(struct bucket));
        if (crew->members[i].buckets == NULL) {
            crew_drop_buckets(crew);
            budget_starve(crew->budget);
            return false;
        }
    }
    return true;
}

struct team *crew_team(struct crew *crew)
{
    if (crew->team == NULL && crew->threads > 1 && team_new(crew->threads, &crew->team, NULL) != PZ_OK)
        crew->alone = true;
    return crew->team;
}

bool crew_keep_examples(struct crew *crew, unsigned examples)
{
    for (unsigned i = 0; i < crew->threads; i++)
        if (!bottom_k_init(&crew->members[i].examples, examples))
            return false;
    return true;
}

void crew_begin_level(struct crew *crew)
{
    for (unsigned i = 0; i < crew->threads; i++) {
        struct crew_member *member = &crew->members[i];
        member->generated = 0;
        bottom_k_empty(&member->examples);
        atomic_store_explicit(&member->found, 0, memory_order_relaxed);
        atomic_store_explicit(&member->expanded, 0, memory_order_relaxed);
        atomic_store_explicit(&member->merged, 0, memory_order_relaxed);
    }
}

void crew_examples(const struct crew *crew, struct bottom_k *sample)
{
    for (unsigned i = 0; i < crew->threads; i++)
        bottom_k_merge(sample, &crew->members[i].examples, crew->words);
}

void frontier_join(struct frontier *frontier, struct frontier *more)
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

struct chunk *member_take(struct crew_member *member)
{
    if (member->spare == NULL) {
        member->spare = pool_take(&member->crew->pool, MEMBER_CHUNKS);
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

bool bucket_open(struct crew_member *member, struct bucket *bucket, size_t room)
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

void member_give(struct crew_member *member, struct chunk *chunk)
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
    pool_give(&member->crew->pool, chunk);
}

static void member_close(struct crew_member *member, struct chunk *chunk)
{
    chunk->next = member->next.chunks;
    if (member->next.chunks == NULL)
        member->next.last = chunk;
    member->next.chunks = chunk;
}

void member_collect(struct crew_member *member, struct frontier *frontier)
{
    if (member->open != NULL)
        member_close(member, member->open);
    member->open = NULL;
    frontier_join(frontier, &member->next);
}

bool member_append(struct crew_member *member, struct chunk *chunk)
{
    const struct pool *pool = &member->crew->pool;
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

bool member_add(struct crew_member *member, const uint64_t *key)
{
    struct chunk *chunk = member_take(member);
    if (chunk == NULL)
        return false;
    memcpy(chunk->keys, key, member->crew->pool.words * sizeof(uint64_t));
    chunk_tokens(&member->crew->pool, chunk)[0] = PZ_NO_TOKEN;
    chunk->count = 1;
    return member_append(member, chunk);
}
