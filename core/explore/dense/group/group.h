/* SPDX-License-Identifier: MIT */
/*
 * The classes of a plane in groups, and what crosses from one group to another (docs/engines/planes.md).
 *
 * A *group* is all classes that agree on the first `digits` digits. An edge whose low place is below that
 * changes them: it *crosses*. One bit of each class crosses, in *runs* of classes that stay together. The
 * runs of one source group that go to one target group, at most GROUP_PACKET_BYTES of bits, are a *packet*:
 * the unit of boundary exchange. In a packet they are in the order of their sources, which is also the order
 * of their targets.
 *
 * The packet of a run, and its place in it, are the same for all groups.
 */
#ifndef EXPLORE_DENSE_GROUP_H
#define EXPLORE_DENSE_GROUP_H

#include "explore/dense/index/geometry.h"
#include "puzzled/status.h"

enum { GROUP_CROSSINGS_MAX = 4, GROUP_PACKET_BYTES = 226800 /* 10!/2 bits */ };

/* The runs of a source by their numbers, for one direction of an edge. */
struct group_packing {
    uint32_t *packet; /* run → packet */
    uint32_t *at;     /* run → its place among the runs of the packet */
    uint32_t packets;
};

struct group_crossing {
    struct dense_edge edge;
    uint64_t run;                    /* classes in one; a multiple of 8 */
    uint32_t runs;                   /* in a group */
    struct group_packing packing[2]; /* of the edge crossed downward and upward */
};

struct grouping {
    const struct dense_geometry *geometry;
    unsigned digits;
    uint32_t groups;
    uint64_t classes; /* in a group */
    unsigned crossings;
    struct group_crossing crossing[GROUP_CROSSINGS_MAX];
};

struct group_run {
    uint32_t group;
    uint32_t run;
};

/* Returns how many digits give groups of about 20 million classes, which a processor's caches can hold. */
unsigned group_digits(const struct dense_geometry *geometry);
/* Returns true if the engine can work in groups by so many digits: few edges cross, and runs are whole bytes.
 */
bool group_digits_fit(const struct dense_geometry *geometry, unsigned digits);

/* Fills *grouping, or returns PZ_MEMORY. The geometry must outlive it, and the digits must fit. */
enum pz_status grouping_init(const struct dense_geometry *geometry, unsigned digits,
                             struct grouping *grouping, struct pz_error *error);
void grouping_clear(struct grouping *grouping);
/* Returns the bytes that grouping_init allocates. */
uint64_t grouping_bytes(const struct dense_geometry *geometry, unsigned digits);

/* Returns the run from which crossing the edge, upward or downward, leads to the given one. */
struct group_run group_source(const struct grouping *grouping, const struct group_crossing *crossing,
                              bool upward, struct group_run target);
/* Returns the group that a packet of a group goes to when the edge is crossed upward or downward. */
uint32_t group_target(const struct grouping *grouping, const struct group_crossing *crossing, bool upward,
                      uint32_t group, uint32_t packet);

#endif
