/* SPDX-License-Identifier: MIT */
/* The insides of struct twist_numbers, for twist_numbers.c and runs.c. */
#ifndef TWIST_NUMBERS_OWN_H
#define TWIST_NUMBERS_OWN_H

#include "space/twist/coordinate.h"
#include "space/twist/cut.h"

enum { COORDINATES_MAX = 12 };

enum part { PART_OUTER, PART_ROW, PART_COLUMN };

struct twist_numbers {
    const struct twist *twist;
    struct coordinate coordinate[COORDINATES_MAX];
    unsigned coordinates;
    bool has_cut; /* then its order is the column, and its shown kinds are the last outer digit */
    struct cut cut;
    uint8_t part[COORDINATES_MAX];    /* enum part */
    uint64_t weight[COORDINATES_MAX]; /* within its part */
    uint64_t outers;
    uint32_t rows, columns;
    uint8_t still[TWIST_PLACES_MAX]; /* codes of what no coordinate has, zeros elsewhere */
    struct coordinate_view untold;   /* that: what no move changes */
    uint64_t shown_weight;           /* of the cut, in outer */
};

#endif
