/* SPDX-License-Identifier: MIT */
/* What building a database (build.c) and keeping a half-built one (resume.c) share. */
#ifndef PDB_BUILD_PARTS_H
#define PDB_BUILD_PARTS_H

#include "explore/snapshot.h"
#include "solve/pdb/build.h"

#include <stdatomic.h>

struct build {
    const struct grid *grid;
    const struct rank *rank;
    struct team *team;
    struct pace *pace;
    uint8_t *table;

    uint64_t *mask;      /* of each set */
    uint32_t *first;     /* each set's first component; sets + 1 of them */
    uint64_t *region;    /* of each component */
    uint8_t *live;       /* of each component: whether its run holds any state */
    uint64_t *plane;     /* of each component: words, the newest level of the set's colour */
    size_t index_bytes;  /* of mask and first */
    size_t region_bytes; /* of region and live */
    size_t plane_bytes;
    uint32_t components;
    uint32_t words;                    /* of one component's run */
    uint32_t block;                    /* sets that a thread takes at once */
    struct checkpointer *checkpointer; /* NULL: no checkpoints … */
    struct snapshot *snapshot;         /* … and then NULL too */

    uint64_t odd;              /* the cells of one of the two colours */
    unsigned home_colour;      /* of the goal's set */
    uint32_t distance;         /* of the level being made */
    unsigned colour;           /* of the sets that lie on it: their number of odd cells mod 2 */
    _Atomic uint32_t next_set; /* every member takes blocks from here */
    _Atomic uint64_t fresh;    /* states found in this level; every member adds */
    _Atomic bool halt;         /* written by the owner: members leave the level */
    enum pz_status halted;     /* why; the owner's */
};

static inline unsigned colour_of(const struct build *build, uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask & build->odd) & 1;
}

/* How many times take_block has something to give, level by level. */
static inline uint32_t build_blocks(const struct build *build)
{
    return (build->rank->sets + build->block - 1) / build->block;
}

#endif
