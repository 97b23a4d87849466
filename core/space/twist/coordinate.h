/* SPDX-License-Identifier: MIT */
/*
 * A part of a state that moves by itself: what is seen of some places. All its values that the moves reach
 * from the solved one are listed, breadth first, with a table of moves.
 *
 * A view is what a coordinate sees of a state: a byte for each of its columns. A column sees of one place the
 * kind, the turn, or both. The places of a view are closed under the moves.
 */
#ifndef TWIST_COORDINATE_H
#define TWIST_COORDINATE_H

#include "base/table/state_table.h"
#include "space/twist/twist.h"

enum twist_sight {
    SEE_KIND,
    SEE_TURN,
    SEE_BOTH,
    SEE_SHOWN /* kinds, where those from hidden on are alike */
};

enum { VIEW_COLUMNS_MAX = 2 * TWIST_PLACES_MAX };

struct view_column {
    uint8_t place;
    uint8_t sight;
    uint8_t hidden; /* with SEE_SHOWN: the first kind that is hidden */
};

struct coordinate_view {
    unsigned columns;
    struct view_column column[VIEW_COLUMNS_MAX];
};

struct coordinate {
    struct coordinate_view view;
    uint32_t count;
    struct state_table values; /* their views; of own: the move that found each one but the first */
    uint32_t *next;            /* by move, then by value */
};

enum listing { LISTED, LISTING_TOO_LARGE, LISTING_NO_MEMORY };

/* Lists a coordinate. Unless it returns LISTED there is nothing to clear. */
enum listing coordinate_list(const struct twist *twist, const struct coordinate_view *view, uint32_t most,
                             struct coordinate *out);
void coordinate_clear(struct coordinate *coordinate);
/* Returns true if two states look alike in a view. */
bool coordinate_view_same(const struct twist *twist, const struct coordinate_view *view, const uint8_t *a,
                          const uint8_t *b);
/* Returns the value of a state; count if the moves do not reach it. */
uint32_t coordinate_of(const struct twist *twist, const struct coordinate *coordinate, const uint8_t *state);
/* Writes what a value says of its places into a state: adds to the codes, which begin as zeros. Columns with
 * SEE_SHOWN are left out. */
void coordinate_put(const struct twist *twist, const struct coordinate *coordinate, uint32_t value,
                    uint8_t *state);
/* Returns the values that b takes while a has its first one. It is exact where it is b's count, and at most
 * too low otherwise. 0 without memory. */
uint32_t coordinate_free_values(const struct twist *twist, const struct coordinate *a,
                                const struct coordinate *b);

#endif
