/* SPDX-License-Identifier: MIT */
/*
 * Memory in which pieces are made, and in which those stay, as long as there is room, that are written: then
 * they need not be read. Called by the owner.
 */
#ifndef EXPLORE_PIECES_PIECES_CACHE_H
#define EXPLORE_PIECES_PIECES_CACHE_H

#include "explore/pieces/piece.h"

struct pieces_cache;

/* Room for one piece. */
struct region {
    struct piece_header *piece;
    size_t held; /* bytes of it that take memory, at most */
    struct region *next;
};

/* limit: bytes of pieces that may stay. Returns NULL without memory. */
struct pieces_cache *pieces_cache_new(size_t piece_bytes, uint64_t limit);
/* Frees all regions, too. NULL is fine. */
void pieces_cache_free(struct pieces_cache *cache);
/* Returns a region to make a piece in; NULL without memory. */
struct region *pieces_cache_take(struct pieces_cache *cache);
/* Returns the region with the piece of that length in it, if that may stay: *region is another one then. Else
 * returns NULL. */
struct region *pieces_cache_keep(struct pieces_cache *cache, struct region **region, size_t length);
/* Gives back a region that stayed. NULL is fine. */
void pieces_cache_drop(struct pieces_cache *cache, struct region *region);

#endif
