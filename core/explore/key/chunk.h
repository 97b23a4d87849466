/* SPDX-License-Identifier: MIT */
/*
 * Chunks: small blocks of mixed keys with a token each, or of entries, in which successors travel to their
 * partition and states are kept. All chunks of a pool have one size and are recycled among all uses, so that
 * a frontier being consumed feeds the one being made.
 */
#ifndef STRIPED_CHUNK_H
#define STRIPED_CHUNK_H

#include "base/budget.h"
#include "puzzled/status.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct chunk {
    struct chunk *next;
    uint32_t count;  /* entries in use */
    uint32_t batch;  /* of a free chunk: how many are in the batch that begins here; of one that waits to be
                      * sent to another rank: its partition */
    uint64_t keys[]; /* capacity × words, then capacity tokens of a byte; or entries × words */
};

enum { POOL_LEAST = 64 << 10 }; /* bytes that a pool takes for its first chunks */

struct slab;

/*
 * Locked inside: any thread may call pool_take and pool_give. No chunk is touched under the lock, since it
 * may be out of the cache or, in fresh memory, not yet mapped. Free chunks are kept in batches that are
 * taken whole, and the thread that takes a fresh piece of memory divides it into chunks. (When both were
 * done under the lock, two threads waited for a third of their time.)
 */
struct pool {
    struct budget *budget;
    unsigned words;
    unsigned capacity; /* keys with a token of a byte that one chunk holds */
    unsigned entries;  /* entries (entry.h) that it holds */
    size_t chunk_bytes;
    pthread_mutex_t lock;
    struct chunk *free;       /* the last batch given back; guarded by lock, as is all that follows */
    uint64_t free_count;      /* chunks in all batches */
    struct slab *slabs;       /* all memory of the pool */
    unsigned char *fresh;     /* not yet carved into chunks: never touched */
    unsigned char *fresh_end; /* end of that */
    uint64_t bytes;           /* of all slabs */
};

void pool_init(struct pool *pool, struct budget *budget, unsigned words, size_t chunk_bytes);
/* Gives all memory back, including chunks still in use. */
void pool_clear(struct pool *pool);
/* Returns a list of up to `wanted` chunks, or NULL when there is no memory for one. */
struct chunk *pool_take(struct pool *pool, unsigned wanted);
/* Takes back a list of any length. */
void pool_give(struct pool *pool, struct chunk *list);
/* Returns the bytes of chunks that can be taken without new memory. */
uint64_t pool_spare(struct pool *pool);

static inline uint8_t *chunk_tokens(const struct pool *pool, struct chunk *chunk)
{
    return (uint8_t *)(chunk->keys + (size_t)pool->capacity * pool->words);
}

#endif
