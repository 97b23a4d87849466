/* SPDX-License-Identifier: MIT */
/* Walks through the states of a search that is between two levels, or whose last level ended early; or that
 * is being saved while it goes on. */
#ifndef STRIPED_SEARCH_CURSOR_H
#define STRIPED_SEARCH_CURSOR_H

#include "explore/striped/radix.h"
#include "explore/striped/search.h"

enum { CURSOR_ALL = -1 };

struct search_cursor {
    const struct search *search;
    int64_t level;            /* the one walked through, or CURSOR_ALL */
    uint32_t lowest, deepest; /* levels beyond them are left out */
    bool beside;              /* the search goes on: stripes are copied under their locks */
    bool failed;              /* there was no memory: the walk ended too early */
    struct set_cursor place;
    struct budget own;
    struct radix radix; /* where stripes are copied: the states of one, or a piece, each with its level, by
                           their keys */
    unsigned piece;     /* states of a set's stripe that are looked at under one lock */
    bool inside;        /* a set's stripe, of which the states up to the last one were copied */
    uint64_t last[KEY_WORDS_MAX];
    unsigned stripe;    /* the next one: those before it are not looked at any more */
    uint64_t at, count; /* in radix, or positions of the stripe's log */
};

/* Only complete levels are walked through. The cursor must not move. */
void cursor_begin(struct search_cursor *cursor, const struct search *search, int64_t level);
/* What the search's place needed at that level, where it was when search_save_begin was called. On any
 * thread, while the owner may go on. */
void cursor_begin_beside(struct search_cursor *cursor, const struct search *search, uint32_t level);
/* The next state, in ascending order of the keys, and its level; false at the end. */
bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level);
void cursor_end(struct search_cursor *cursor);

#endif
