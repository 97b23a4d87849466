/* SPDX-License-Identifier: MIT */
/*
 * The memory in which pieces are made. Written pieces stay there while memory is free, so that they need not
 * be read back. Called by the owner.
 */
#ifndef EXPLORE_PIECES_PIECES_CACHE_H
#define EXPLORE_PIECES_PIECES_CACHE_H

#include "explore/dense/pieces/piece.h"

struct pieces_cache;

/* Room for one piece. */
struct cache_region {
    struct piece_header *piece;
    size_t held; /* bytes of it that take memory, at most */
    struct cache_region *next;
};

/* Pieces may stay in memory that is spare, which the caller owns. Returns NULL without memory. */
struct pieces_cache *pieces_cache_new(size_t piece_bytes, struct spare *spare);
/* Frees all regions, too. NULL is fine. */
void pieces_cache_free(struct pieces_cache *cache);
/* Returns a region to make a piece in; NULL without memory. */
struct cache_region *pieces_cache_take(struct pieces_cache *cache);
/* Records that this many bytes at the start of a region take memory. */
void pieces_cache_touch(const struct pieces_cache *cache, struct cache_region *region, size_t bytes);
/* Returns *region, which holds a piece of that length, if it may stay; *region is then replaced by another
 * region. Else returns NULL. */
struct cache_region *pieces_cache_keep(struct pieces_cache *cache, struct cache_region **region,
                                       size_t length);
/* Gives back a region that was taken and has not stayed. NULL is fine. */
void pieces_cache_return(struct pieces_cache *cache, struct cache_region *region);
/* Gives back a region that stayed. NULL is fine. */
void pieces_cache_drop(struct pieces_cache *cache, struct cache_region *region);

#endif
