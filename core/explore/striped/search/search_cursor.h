/* SPDX-License-Identifier: MIT */
/* Walks through the states of a search between two levels, or after a level that ended early. */
#ifndef STRIPED_SEARCH_CURSOR_H
#define STRIPED_SEARCH_CURSOR_H

#include "explore/key/radix.h"
#include "explore/striped/search/search.h"

struct search_cursor {
    const struct search *search;
    uint32_t lowest, deepest; /* levels that are walked through */
    bool failed;              /* there was no memory: the walk ended too early */
    struct set_cursor place;  /* in a set */
    struct budget own;
    struct radix radix; /* with layers: a partition's states, each with its level, in the order of keys */
    unsigned stripe;    /* the next one */
    uint64_t at, count; /* in radix; for a single level, positions of the partition's log */
};

/* Walks through the complete levels from lowest to deepest, both included. The cursor must not move. */
void cursor_begin(struct search_cursor *cursor, const struct search *search, uint32_t lowest,
                  uint32_t deepest);
/* Finds the next state, in ascending order of the keys, and its level. Returns false at the end. */
bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level);
void cursor_end(struct search_cursor *cursor);

/* Returns true if the level is one of the cursor's. */
static inline bool cursor_wants(const struct search_cursor *cursor, uint32_t level)
{
    return level >= cursor->lowest && level <= cursor->deepest;
}

#endif
