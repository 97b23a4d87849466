/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/arena.h"

#include "base/budget.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_BYTES = 8 << 20 /* of blocks taken from the budget at a time */, PAD = 4096, LINK_BYTES = 4 };

static const uint32_t NO_BLOCK = UINT32_MAX;

struct arena {
    struct budget *budget;
    size_t block;    /* bytes in one */
    uint8_t *blocks; /* address space for most of them */
    uint32_t *link;  /* block → the next one in its chain, or in the list of the free ones */
    uint32_t most;
    pthread_mutex_t lock; /* guards what follows, and the links of free blocks */
    uint32_t free_block;
    uint32_t fresh; /* blocks from here on were never used */
    uint32_t taken; /* from the budget */
    uint64_t used;  /* blocks in chains */
};

enum pz_status arena_new(struct budget *budget, uint64_t most, size_t block, struct arena **out,
                         struct pz_error *error)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for an arena");
    uint64_t blocks = most / (block + LINK_BYTES);
    arena->budget = budget;
    arena->block = block;
    arena->most = blocks < NO_BLOCK ? (uint32_t)blocks : NO_BLOCK - 1;
    arena->free_block = NO_BLOCK;
    arena->blocks = memory_map((size_t)arena->most * block + PAD, MEMORY_HUGE_PAGES);
    arena->link = memory_map((size_t)arena->most * LINK_BYTES + PAD, MEMORY_SMALL_PAGES);
    (void)pthread_mutex_init(&arena->lock, NULL);
    if (arena->blocks == NULL || arena->link == NULL) {
        arena_free(arena);
        return pz_fail(error, PZ_MEMORY, "the system refused address space for %llu bytes",
                       (unsigned long long)most);
    }
    *out = arena;
    return PZ_OK;
}

void arena_free(struct arena *arena)
{
    if (arena == NULL)
        return;
    memory_unmap(arena->blocks, (size_t)arena->most * arena->block + PAD);
    memory_unmap(arena->link, (size_t)arena->most * LINK_BYTES + PAD);
    budget_give(arena->budget, (uint64_t)arena->taken * (arena->block + LINK_BYTES));
    (void)pthread_mutex_destroy(&arena->lock);
    free(arena);
}

/* Takes so many more blocks from the budget. Under the lock. */
static bool take_blocks(struct arena *arena, uint32_t count)
{
    if (count > arena->most - arena->taken ||
        !budget_take(arena->budget, (uint64_t)count * (arena->block + LINK_BYTES)))
        return false;
    arena->taken += count;
    return true;
}

/* Returns a block that was never used, or NO_BLOCK. Under the lock. */
static uint32_t take_fresh(struct arena *arena)
{
    assert(arena->fresh <= arena->taken && arena->taken <= arena->most);
    if (arena->fresh == arena->taken) {
        uint32_t left = arena->most - arena->taken;
        uint32_t most = (uint32_t)(STEP_BYTES / arena->block);
        uint32_t step = left < most ? left : most;
        if (step == 0 || !take_blocks(arena, step))
            return NO_BLOCK;
    }
    return arena->fresh++;
}

/* Gives a chain back; under the lock. */
static void give_chain(struct arena *arena, uint32_t first, uint32_t count)
{
    assert(first < arena->fresh && count > 0 && count <= arena->used);
    uint32_t last = first;
    for (uint32_t i = 1; i < count; i++)
        last = arena->link[last];
    arena->link[last] = arena->free_block;
    arena->free_block = first;
    arena->used -= count;
}

/* Takes a chain of count blocks, in the order in which they were given back or first used. Returns NO_BLOCK
 * if there are not so many left. Under the lock. */
static uint32_t take_chain(struct arena *arena, uint32_t count)
{
    uint32_t first = NO_BLOCK;
    uint32_t last = NO_BLOCK;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = arena->free_block;
        if (block != NO_BLOCK)
            arena->free_block = arena->link[block];
        else
            block = take_fresh(arena);
        if (block == NO_BLOCK) {
            if (i > 0)
                give_chain(arena, first, i);
            return NO_BLOCK;
        }
        if (i == 0)
            first = block;
        else
            arena->link[last] = block;
        last = block;
        arena->used++;
    }
    return first;
}

bool arena_put(struct arena *arena, const void *bytes, size_t length, struct arena_string *out)
{
    uint32_t count = (uint32_t)((length + arena->block - 1) / arena->block);
    *out = (struct arena_string){.block = NO_BLOCK};
    if (count == 0)
        return true;
    (void)pthread_mutex_lock(&arena->lock);
    uint32_t block = take_chain(arena, count);
    (void)pthread_mutex_unlock(&arena->lock);
    if (block == NO_BLOCK)
        return false;
    *out = (struct arena_string){.block = block, .length = (uint32_t)length};
    const uint8_t *from = bytes;
    for (; length > 0; block = arena->link[block]) {
        size_t here = length < arena->block ? length : arena->block;
        memcpy(arena->blocks + block * arena->block, from, here);
        from += here;
        length -= here;
    }
    return true;
}

bool arena_reserve(struct arena *arena, size_t length, struct arena_string *out)
{
    uint32_t count = (uint32_t)((length + arena->block - 1) / arena->block);
    *out = (struct arena_string){.block = NO_BLOCK};
    (void)pthread_mutex_lock(&arena->lock);
    uint32_t left = arena->taken - arena->fresh;
    bool taken = count <= left || take_blocks(arena, count - left);
    if (taken) {
        *out = (struct arena_string){.block = arena->fresh, .length = (uint32_t)length};
        for (uint32_t i = 1; i < count; i++)
            arena->link[out->block + i - 1] = out->block + i;
        arena->fresh += count;
        arena->used += count;
    }
    (void)pthread_mutex_unlock(&arena->lock);
    return taken;
}

uint8_t *arena_bytes(const struct arena *arena, struct arena_string string)
{
    assert(string.length > 0 && string.block < arena->most);
    return arena->blocks + string.block * arena->block;
}

void arena_get(const struct arena *arena, struct arena_string string, void *out)
{
    uint8_t *to = out;
    uint32_t block = string.block;
    for (size_t left = string.length; left > 0; block = arena->link[block]) {
        assert(block < arena->most);
        size_t here = left < arena->block ? left : arena->block;
        memcpy(to, arena->blocks + block * arena->block, here);
        to += here;
        left -= here;
    }
}

void arena_drop(struct arena *arena, struct arena_string *string)
{
    if (string->length == 0)
        return;
    (void)pthread_mutex_lock(&arena->lock);
    give_chain(arena, string->block, (uint32_t)((string->length + arena->block - 1) / arena->block));
    (void)pthread_mutex_unlock(&arena->lock);
    *string = (struct arena_string){.block = NO_BLOCK};
}

uint64_t arena_unused(struct arena *arena)
{
    (void)pthread_mutex_lock(&arena->lock);
    uint64_t unused = arena->taken - arena->used;
    (void)pthread_mutex_unlock(&arena->lock);
    return unused * arena->block;
}
