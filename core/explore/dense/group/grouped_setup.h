/* SPDX-License-Identifier: MIT */
/* The parts that make levels in groups. */
#ifndef EXPLORE_DENSE_GROUPED_SETUP_H
#define EXPLORE_DENSE_GROUPED_SETUP_H

#include "explore/dense/group/border.h"
#include "explore/dense/level/dense_level.h"
#include "explore/dense/pieces/pieces.h"
#include "explore/exchange/exchange.h"

struct grouped_setup {
    const struct plan *plan;
    const struct grouping *grouping;
    const struct kernel *kernel;
    struct team *team;
    struct control *control; /* may be NULL */
    struct packet_store packets;
    struct pieces *pieces; /* they stay the caller's */
    uint32_t depth;        /* the last level that is made: nothing is sent from it */
    uint64_t seed;         /* of the examples of levels by orbits */
    /* Other ranks, among which the groups are dealt; NULL for none. Then each rank keeps the pieces of its
     * own groups, and grouped_begin, _go_on, _level and _examples are called by all ranks together. A level
     * that another rank gives up ends with PZ_BUSY. */
    const struct exchange *exchange;
};

#endif
