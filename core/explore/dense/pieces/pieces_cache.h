/* SPDX-License-Identifier: MIT */
/*
 * Memory in which pieces are made. Written pieces stay there while memory is free, so that they need not be
 * read back. Called by the owner.
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
/* Notes that the first bytes of a region, so many, take memory. */
void pieces_cache_touch(const struct pieces_cache *cache, struct cache_region *region, size_t bytes);
/* Returns the region with the piece of that length in it, if that may stay: *region is another one then. Else
 * returns NULL. */
struct cache_region *pieces_cache_keep(struct pieces_cache *cache, struct cache_region **region,
                                       size_t length);
/* Gives back a region that was taken and has not stayed. NULL is fine. */
void pieces_cache_return(struct pieces_cache *cache, struct cache_region *region);
/* Gives back a region that stayed. NULL is fine. */
void pieces_cache_drop(struct pieces_cache *cache, struct cache_region *region);

#endif
