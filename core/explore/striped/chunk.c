/* SPDX-License-Identifier: MIT */
#include "explore/striped/chunk.h"

#include "base/memory.h"

#include <string.h>

enum { SLAB_SMALLEST = 64 << 10, SLAB_LARGEST = 2 << 20 };

/* At the start of every mapping, in the place of its first chunk. */
struct slab {
    struct slab *next;
    size_t bytes;
};

void pool_init(struct pool *pool, struct budget *budget, unsigned words, size_t chunk_bytes)
{
    *pool = (struct pool){.budget = budget, .words = words, .chunk_bytes = chunk_bytes};
    pool->capacity = (unsigned)((chunk_bytes - sizeof(struct chunk)) / (words * sizeof(uint64_t) + 1));
    pool->entries = (unsigned)((chunk_bytes - sizeof(struct chunk)) / (words * sizeof(uint64_t)));
    (void)pthread_mutex_init(&pool->lock, NULL);
}

void pool_clear(struct pool *pool)
{
    for (struct slab *slab = pool->slabs; slab != NULL;) {
        struct slab *next = slab->next;
        size_t bytes = slab->bytes;
        memory_unmap(slab, bytes);
        budget_give(pool->budget, bytes);
        slab = next;
    }
    (void)pthread_mutex_destroy(&pool->lock);
}

/* Slabs grow with the pool, so that a tiny search takes little and a large one huge pages. Locked. */
static bool pool_grow(struct pool *pool)
{
    size_t bytes = SLAB_SMALLEST;
    while (bytes < SLAB_LARGEST && bytes * 4 < pool->bytes)
        bytes *= 2;
    if (!budget_take(pool->budget, bytes))
        return false;
    struct slab *slab = memory_map(bytes, bytes == SLAB_LARGEST ? MEMORY_HUGE_PAGES : MEMORY_SMALL_PAGES);
    if (slab == NULL) {
        budget_give(pool->budget, bytes);
        return false;
    }
    *slab = (struct slab){.next = pool->slabs, .bytes = bytes};
    pool->slabs = slab;
    pool->bytes += bytes;
    pool->fresh = (unsigned char *)slab + pool->chunk_bytes;
    pool->fresh_end = (unsigned char *)slab + bytes;
    return true;
}

/* One chunk: a used one, or one from memory not touched before. Locked. */
static struct chunk *pool_take_one(struct pool *pool)
{
    struct chunk *chunk = pool->free;
    if (chunk != NULL) {
        pool->free = chunk->next;
        pool->free_count--;
        return chunk;
    }
    if ((size_t)(pool->fresh_end - pool->fresh) < pool->chunk_bytes && !pool_grow(pool))
        return NULL;
    chunk = (struct chunk *)(void *)pool->fresh;
    pool->fresh += pool->chunk_bytes;
    return chunk;
}

struct chunk *pool_take(struct pool *pool, unsigned wanted)
{
    struct chunk *list = NULL;
    (void)pthread_mutex_lock(&pool->lock);
    for (; wanted > 0; wanted--) {
        struct chunk *chunk = pool_take_one(pool);
        if (chunk == NULL)
            break;
        chunk->next = list;
        chunk->count = 0;
        list = chunk;
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return list;
}

void pool_give(struct pool *pool, struct chunk *list)
{
    if (list == NULL)
        return;
    uint64_t count = 1;
    struct chunk *last = list;
    for (; last->next != NULL; last = last->next)
        count++;
    (void)pthread_mutex_lock(&pool->lock);
    last->next = pool->free;
    pool->free = list;
    pool->free_count += count;
    (void)pthread_mutex_unlock(&pool->lock);
}

uint64_t pool_spare(struct pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    uint64_t spare = pool->free_count * pool->chunk_bytes + (uint64_t)(pool->fresh_end - pool->fresh);
    (void)pthread_mutex_unlock(&pool->lock);
    return spare;
}
