/* SPDX-License-Identifier: MIT */
/*
 * The two planes of a search: for each colour of the blank's place one byte a class, a bit a place, and
 * what is known of each block without looking into it. How a block finds the bytes of its sources goes
 * through here and nowhere else, so that planes in memory are one kind of plane.
 *
 * Within a level the target's plane is written, a block by the one thread that owns it, and the other plane
 * is only read. Between levels the owner of the search has both.
 */
#ifndef EXPLORE_DENSE_PLANES_H
#define EXPLORE_DENSE_PLANES_H

#include "explore/dense/plan.h"

enum { PLANES_PAD = 64 /* bytes that may be read beyond a plane's end; zeros */ };

struct planes {
    uint32_t block;  /* classes in a block */
    uint32_t blocks; /* in a plane */
    uint32_t range_blocks;
    size_t plane_bytes; /* mapped for each, padding included */
    uint8_t *bytes[2];  /* by colour */
    uint8_t *mark[2];   /* bit 1 of the distance of the states met so far; NULL without a table */
    uint8_t *busy[2];   /* by range: whether it holds any state */
    uint8_t *any[2];    /* by block: the bits that some class of it has; 0 for an empty block */
    uint32_t *count[2]; /* by block: how many states */
    uint8_t *zeros;     /* a block of them, for sources that are known to be empty */
};

/* Maps zeroed planes; PZ_MEMORY. Nothing is accounted here. */
enum pz_status planes_new(const struct plan *plan, bool marked, bool huge, struct planes **out,
                          struct pz_error *error);
/* Gives the search's planes back and leaves the marks. */
void planes_drop_search(struct planes *planes);
void planes_free(struct planes *planes); /* NULL is fine */
/* Bytes of planes_new. */
uint64_t planes_bytes(const struct dense_geometry *geometry, bool marked);

/* A block's classes from the one at offset on, or zeros where no state of the block has one of the bits. */
static inline const uint8_t *planes_source(const struct planes *planes, unsigned colour, uint32_t block,
                                           uint32_t offset, uint8_t bits)
{
    if ((planes->any[colour][block] & bits) == 0)
        return planes->zeros;
    return planes->bytes[colour] + (uint64_t)block * planes->block + offset;
}

/* Puts one state where none was: the root. */
void planes_put(struct planes *planes, uint64_t number, unsigned place);

#endif
