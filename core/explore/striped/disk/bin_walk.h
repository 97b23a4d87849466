/* SPDX-License-Identifier: MIT */
/* A walk through the states of a search on disk that keeps all levels, in ascending order of the keys. It
 * reads and sorts one partition after the other, as a walk in memory does with partitions. */
#ifndef STRIPED_BIN_WALK_H
#define STRIPED_BIN_WALK_H

#include "explore/striped/disk/bin_search.h"

struct bin_walk {
    struct bin_search *search;
    struct merge_feed feed;     /* of the pieces that are read ahead; age is the level */
    const struct bin_want *got; /* the first piece of the next part; NULL after the last */
    const uint64_t *entries;    /* of it */
    uint32_t depth;
    uint32_t bin;       /* the partition of the states in the radix */
    uint64_t at, count; /* in the first worker's radix: entries, each followed by its level */
    struct pz_error error;
    enum pz_status status;
};

/* Begins a walk through levels 0 … depth. It must not move, and no level may be made until it has ended. */
void bin_walk_begin(struct bin_walk *walk, struct bin_search *search, uint32_t depth);
/* Moves to the next state. Returns false at the end, and after a failure, which status and error report. */
bool bin_walk_next(struct bin_walk *walk, uint64_t *key, uint32_t *level);
void bin_walk_end(struct bin_walk *walk);

#endif
