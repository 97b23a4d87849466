/* SPDX-License-Identifier: MIT */
/* Estimates, from above, the memory and scratch space of planes that are coded group by group. */
#ifndef EXPLORE_DENSE_CODED_COST_H
#define EXPLORE_DENSE_CODED_COST_H

#include "explore/dense/group/group.h"
#include "explore/dense/pieces/pieces.h"
#include "explore/explore.h"

enum {
    /* in one level the coded bytes grow by less than one part in so many of their maximum */
    CODED_GROWTH = 12,
    CODED_PIECES_AHEAD = 3,
    CODED_PIECES_BEHIND = 4,
    CODED_ARENA_STEP = 9 << 20, /* what an arena takes at a time */
    /* Packets of sparse levels take some hundred bytes, chunks of dense ones tens of thousands. */
    CODED_PACKET_BLOCK = 512,
    CODED_CHUNK_BLOCK = 4096
};

/* Returns true if the puzzle is large enough for groups. */
bool coded_fits(const struct dense_geometry *geometry);
struct pieces_size coded_pieces_size(const struct grouping *grouping);
/* Returns the most bytes in the arena. */
uint64_t coded_arena_most(const struct grouping *grouping, enum explore_planes planes, uint32_t depth);
/* Returns the bytes that a search takes without those in the arena. */
uint64_t coded_own_bytes(const struct grouping *grouping, enum explore_planes planes,
                         const struct explore_request *request);

/* Returns the bytes of memory that a search takes at most, without its plan. Coded bytes in memory are
 * estimated from above. */
uint64_t coded_bytes(const struct dense_geometry *geometry, enum explore_planes planes,
                     const struct explore_request *request);
/* Returns how many of these bytes may lie in scratch space instead, on disk: twice as many there. */
uint64_t coded_disk_packets(const struct dense_geometry *geometry, const struct explore_request *request);
/* Fills in how much scratch space a whole search takes. */
void coded_disk_scratch(const struct dense_geometry *geometry, const struct explore_request *request,
                        struct explore_cost *cost);

#endif
