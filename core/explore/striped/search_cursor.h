/* SPDX-License-Identifier: MIT */
/* Walks through the states of a search that is between two levels, or whose last level ended early. */
#ifndef STRIPED_SEARCH_CURSOR_H
#define STRIPED_SEARCH_CURSOR_H

#include "explore/striped/radix.h"
#include "explore/striped/search.h"

enum { CURSOR_ALL = -1 };

struct search_cursor {
    const struct search *search;
    int64_t level;    /* the one walked through, or CURSOR_ALL */
    uint32_t deepest; /* levels beyond it are left out */
    bool failed;      /* there was no memory: the walk ended too early */
    struct set_cursor place;
    struct budget own;
    struct radix
        radix; /* layers: the current stripe's states, each with its level, in the order of their keys */
    unsigned stripe;    /* the next one */
    uint64_t at, count; /* in radix, or positions of the stripe's log */
};

/* Only complete levels are walked through. The cursor must not move. */
void cursor_begin(struct search_cursor *cursor, const struct search *search, int64_t level);
/* All levels up to the deepest one, also while a search that can be saved beside goes on from it, on another thread. */
void cursor_begin_at(struct search_cursor *cursor, const struct search *search, uint32_t deepest);
/* The next state, in ascending order of the keys, and its level; false at the end. */
bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level);
void cursor_end(struct search_cursor *cursor);

#endif
