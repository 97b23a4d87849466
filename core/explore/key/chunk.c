/* SPDX-License-Identifier: MIT */
#include "explore/key/chunk.h"

#include "base/budget.h"

#include <assert.h>
#include <stdlib.h>

enum { SLAB_SMALLEST = POOL_LEAST, SLAB_LARGEST = 2 << 20, BATCH_CHUNKS = 32 };

struct slab {
    struct slab *next;
    void *memory;
    size_t bytes;
};

/* Returns the place of a batch's link to the one given back before: in its first chunk, instead of keys. */
static struct chunk **batch_below(struct chunk *batch)
{
    return (struct chunk **)(void *)batch->keys;
}

void pool_init(struct pool *pool, struct budget *budget, unsigned words, size_t chunk_bytes)
{
    assert(words > 0 && chunk_bytes > sizeof(struct chunk));
    *pool = (struct pool){.budget = budget, .words = words, .chunk_bytes = chunk_bytes};
    pool->capacity = (unsigned)((chunk_bytes - sizeof(struct chunk)) / (words * sizeof(uint64_t) + 1));
    pool->entries = (unsigned)((chunk_bytes - sizeof(struct chunk)) / (words * sizeof(uint64_t)));
    assert(pool->capacity > 0 && chunk_bytes <= POOL_LEAST);
    (void)pthread_mutex_init(&pool->lock, NULL);
}

void pool_clear(struct pool *pool)
{
    for (struct slab *slab = pool->slabs; slab != NULL;) {
        struct slab *next = slab->next;
        memory_unmap(slab->memory, slab->bytes);
        budget_give(pool->budget, slab->bytes);
        free(slab);
        slab = next;
    }
    (void)pthread_mutex_destroy(&pool->lock);
}

/* Adds a slab. Slabs grow with the pool: a tiny search takes little, a large one takes huge pages. Locked. */
static bool pool_grow(struct pool *pool)
{
    size_t bytes = SLAB_SMALLEST;
    while (bytes < SLAB_LARGEST && bytes * 4 < pool->bytes)
        bytes *= 2;
    if (!budget_take(pool->budget, bytes))
        return false;
    struct slab *slab = malloc(sizeof *slab);
    void *memory = memory_map(bytes, bytes == SLAB_LARGEST ? MEMORY_HUGE_PAGES : MEMORY_SMALL_PAGES);
    if (slab == NULL || memory == NULL) {
        if (memory != NULL)
            memory_unmap(memory, bytes);
        free(slab);
        budget_give(pool->budget, bytes);
        budget_starve(pool->budget);
        return false;
    }
    *slab = (struct slab){.next = pool->slabs, .memory = memory, .bytes = bytes};
    pool->slabs = slab;
    pool->bytes += bytes;
    pool->fresh = memory;
    pool->fresh_end = pool->fresh + bytes;
    return true;
}

/* Takes a free batch, or the first chunks of it if it has more than wanted. Locked. */
static struct chunk *take_free(struct pool *pool, unsigned wanted)
{
    struct chunk *batch = pool->free;
    uint32_t chunks = batch->batch;
    assert(chunks > 0 && chunks <= pool->free_count);
    struct chunk *below = *batch_below(batch);
    if (chunks > wanted) {
        struct chunk *last = batch;
        for (unsigned i = 1; i < wanted; i++)
            last = last->next;
        struct chunk *rest = last->next;
        last->next = NULL;
        rest->batch = chunks - wanted;
        *batch_below(rest) = below;
        below = rest;
        chunks = wanted;
    }
    pool->free = below;
    pool->free_count -= chunks;
    return batch;
}

/* Takes memory that was not touched before, for up to `wanted` chunks. Returns for how many. Locked. */
static unsigned take_untouched(struct pool *pool, unsigned wanted, unsigned char **memory)
{
    size_t room = (size_t)(pool->fresh_end - pool->fresh) / pool->chunk_bytes;
    if (room == 0 && pool_grow(pool))
        room = (size_t)(pool->fresh_end - pool->fresh) / pool->chunk_bytes;
    unsigned count = room < wanted ? (unsigned)room : wanted;
    *memory = pool->fresh;
    pool->fresh += count * pool->chunk_bytes;
    return count;
}

struct chunk *pool_take(struct pool *pool, unsigned wanted)
{
    assert(wanted > 0);
    struct chunk *list = NULL;
    unsigned char *memory = NULL;
    unsigned fresh = 0;
    (void)pthread_mutex_lock(&pool->lock);
    if (pool->free != NULL)
        list = take_free(pool, wanted);
    else
        fresh = take_untouched(pool, wanted, &memory);
    (void)pthread_mutex_unlock(&pool->lock);
    for (unsigned i = fresh; i > 0; i--) {
        struct chunk *chunk = (struct chunk *)(void *)(memory + (i - 1) * pool->chunk_bytes);
        chunk->next = list;
        list = chunk;
    }
    return list;
}

/* Makes a batch of the first chunks of a list, linked to the batch below. Returns the other chunks. */
static struct chunk *cut_batch(struct chunk *list, struct chunk *below)
{
    struct chunk *last = list;
    list->batch = 1;
    for (; list->batch < BATCH_CHUNKS && last->next != NULL; last = last->next)
        list->batch++;
    struct chunk *rest = last->next;
    last->next = NULL;
    *batch_below(list) = below;
    return rest;
}

void pool_give(struct pool *pool, struct chunk *list)
{
    if (list == NULL)
        return;
    struct chunk *lowest = list;
    struct chunk *top = NULL;
    uint64_t count = 0;
    while (list != NULL) {
        struct chunk *rest = cut_batch(list, top);
        top = list;
        count += top->batch;
        list = rest;
    }
    (void)pthread_mutex_lock(&pool->lock);
    *batch_below(lowest) = pool->free;
    pool->free = top;
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
