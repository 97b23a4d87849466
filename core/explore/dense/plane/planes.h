/* SPDX-License-Identifier: MIT */
/*
 * The two planes of a search, one for each colour of the blank's place: a byte for each class, with a bit
 * for each place. For each block they also keep what can be known without reading it. All code finds the
 * bytes of a block's sources through here, so that other kinds of planes are possible. Puzzles of
 * metric:multi have two more, and present means both (kernel_lines.h).
 *
 * Within a level the target's plane is written, a block by the one thread that owns it, and the other plane
 * is only read. Between levels the owner of the search has both.
 */
#ifndef EXPLORE_DENSE_PLANES_H
#define EXPLORE_DENSE_PLANES_H

#include "explore/dense/index/plan.h"

#include <assert.h>
#include <stdatomic.h>

enum { PLANES_PAD = 64 /* bytes that may be read beyond a plane's end; zeros */ };

/*
 * For a target that is stored coded: a thread asks for the bytes of a range before it works on it, and hands
 * them back afterwards. Called by the team's workers, for different ranges at the same time.
 */
struct planes_windows {
    void *context;
    /* Returns the target's bytes of a range, and sets present[] of its blocks. The bytes of a block with
     * present[] 0 need not be zero. Returns NULL on failure. */
    uint8_t *(*open)(void *context, unsigned worker, uint32_t range);
    /* Takes the range's new bytes, which are in the window. The bytes of blocks with present[] 0 mean
     * nothing; window NULL means that the range is empty. Returns false on failure. */
    bool (*close)(void *context, unsigned worker, uint32_t range, uint8_t *window);
};

struct planes {
    uint32_t block;  /* classes in a block */
    uint32_t blocks; /* in a plane */
    uint32_t range_blocks;
    uint32_t ranges;
    /* For the planes of one group (explore/dense/group/group.h); all 0 for whole planes. */
    uint32_t first_block;                     /* of the group, in the whole */
    unsigned group_digits;                    /* edges whose low place is below cross */
    const uint8_t *boundary[DENSE_EDGES_MAX]; /* by run edge: what crosses, a bit a class; NULL for nothing */
    _Atomic uint8_t
        *reached[DENSE_EDGES_MAX];        /* pull_reach fills them; NULL for a group that is not sparse */
    _Atomic uint8_t *reach;               /* memory for these: DENSE_EDGES_MAX × blocks */
    const struct planes_windows *windows; /* NULL: bytes[] holds the target's plane too */
    uint8_t *plane;                       /* of a group: mapped to hold the plane that is read */
    size_t plane_bytes;                   /* mapped for each, padding included */
    uint8_t *bytes[2];   /* by colour; of a group only the plane that is read, set by the caller */
    uint8_t *mark[2];    /* bit 1 of the distance of the states met so far; NULL without a table */
    uint8_t *before[2];  /* of metric:multi, else NULL */
    uint8_t *mark0[2];   /* of metric:multi: bit 0 of the distance; else NULL */
    uint8_t *busy[2];    /* by range: 1 if it holds any state */
    uint8_t *present[2]; /* by block: the bits that some class of it has; 0 for an empty block */
    uint32_t *count[2];  /* by block: how many states */
    uint32_t *older[2];  /* of metric:multi, by block: how many states of the level before */
    uint8_t *zeros;      /* a block of them, for sources that are known to be empty */
};

/* Maps zeroed planes. Returns PZ_MEMORY without memory. Takes nothing from a budget. */
enum pz_status planes_new(const struct plan *plan, bool marked, bool huge, struct planes **out,
                          struct pz_error *error);
/* Maps the plane that is read, of one group by so many digits. The other plane comes in windows, which the
 * caller sets. */
enum pz_status planes_new_group(const struct plan *plan, unsigned group_digits, struct planes **out,
                                struct pz_error *error);
/* Frees the search's planes and keeps the marks. */
void planes_drop_search(struct planes *planes);
void planes_free(struct planes *planes); /* NULL is fine */
/* Returns the bytes that planes_new maps. */
uint64_t planes_bytes(const struct dense_geometry *geometry, bool marked);

/* Returns a block's classes from offset on, or zeros if no state of the block has one of the bits. */
static inline const uint8_t *planes_source(const struct planes *planes, unsigned colour, uint32_t block,
                                           uint32_t offset, uint8_t bits)
{
    assert(block < planes->blocks && offset < planes->block);
    if ((planes->present[colour][block] & bits) == 0)
        return planes->zeros;
    return planes->bytes[colour] + (uint64_t)block * planes->block + offset;
}

/* Returns the block after the last one of a range. */
static inline uint32_t planes_range_end(const struct planes *planes, uint32_t range)
{
    assert(range < planes->ranges);
    uint32_t first = range * planes->range_blocks;
    uint32_t left = planes->blocks - first;
    return first + (left < planes->range_blocks ? left : planes->range_blocks);
}

/* Puts one state into empty planes: the root. */
void planes_put(struct planes *planes, uint64_t number, unsigned place);

#endif
