/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/pieces_cache.h"

#include "base/budget.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 2 << 20, SPARES_MAX = 4 };

struct pieces_cache {
    size_t piece_bytes;
    struct spare *memory; /* for the regions that stay */
    struct cache_region *spare;
    unsigned spares;
};

struct pieces_cache *pieces_cache_new(size_t piece_bytes, struct spare *spare)
{
    struct pieces_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL)
        return NULL;
    cache->piece_bytes = piece_bytes;
    cache->memory = spare;
    return cache;
}

static void free_region(const struct pieces_cache *cache, struct cache_region *region)
{
    memory_unmap(region->piece, cache->piece_bytes);
    free(region);
}

void pieces_cache_free(struct pieces_cache *cache)
{
    if (cache == NULL)
        return;
    while (cache->spare != NULL) {
        struct cache_region *region = cache->spare;
        cache->spare = region->next;
        free_region(cache, region);
    }
    free(cache);
}

struct cache_region *pieces_cache_take(struct pieces_cache *cache)
{
    struct cache_region *region = cache->spare;
    if (region != NULL) {
        cache->spare = region->next;
        assert(cache->spares > 0);
        cache->spares--;
        return region;
    }
    region = calloc(1, sizeof *region);
    if (region != NULL)
        region->piece = memory_map(cache->piece_bytes, MEMORY_HUGE_PAGES);
    if (region != NULL && region->piece != NULL)
        return region;
    free(region);
    return NULL;
}

/* Returns the memory behind the first bytes to the system. */
static void trim(struct cache_region *region, size_t bytes)
{
    if (region->held > bytes)
        (void)madvise((uint8_t *)region->piece + bytes, region->held - bytes, MADV_DONTNEED);
    region->held = bytes;
}

/* Returns the bytes of memory that so many bytes of a region take. */
static size_t in_pages(const struct pieces_cache *cache, size_t bytes)
{
    size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
    return pages < cache->piece_bytes ? pages : cache->piece_bytes;
}

void pieces_cache_touch(const struct pieces_cache *cache, struct cache_region *region, size_t bytes)
{
    size_t touched = in_pages(cache, bytes);
    if (region->held < touched)
        region->held = touched;
}

struct cache_region *pieces_cache_keep(struct pieces_cache *cache, struct cache_region **region,
                                       size_t length)
{
    size_t bytes = in_pages(cache, length);
    assert(length <= cache->piece_bytes);
    struct cache_region *kept = *region;
    pieces_cache_touch(cache, kept, length);
    if (!spare_take(cache->memory, bytes))
        return NULL;
    struct cache_region *other = pieces_cache_take(cache);
    if (other == NULL) {
        spare_give(cache->memory, bytes);
        return NULL;
    }
    trim(kept, bytes);
    *region = other;
    return kept;
}

void pieces_cache_return(struct pieces_cache *cache, struct cache_region *region)
{
    if (region == NULL)
        return;
    if (cache->spares == SPARES_MAX) {
        free_region(cache, region);
        return;
    }
    region->next = cache->spare;
    cache->spare = region;
    cache->spares++;
}

void pieces_cache_drop(struct pieces_cache *cache, struct cache_region *region)
{
    if (region != NULL)
        spare_give(cache->memory, region->held);
    pieces_cache_return(cache, region);
}
