/* SPDX-License-Identifier: MIT */
/* Split edges as 64-byte shuffles, for kernels that have such instructions: which source units make up a
 * target unit. */
#ifndef EXPLORE_DENSE_SHUFFLE_H
#define EXPLORE_DENSE_SHUFFLE_H

#include "puzzled/status.h"

#include <stdint.h>

enum { PLAN_SPLIT_SOURCES = 5 };

/* Bit numbers in the source's and the target's byte. */
struct plan_bits {
    uint8_t from, to;
};

/*
 * One target unit of a split edge for 64-byte shuffles. Its lanes always come from five units, one for each
 * value of the unit's first digit: in one direction of the rotation this digit becomes the last one before
 * the unit, in the other it determines that one.
 */
struct plan_split_unit {
    uint64_t lanes[PLAN_SPLIT_SOURCES];  /* which target lanes this source fills */
    uint32_t offset[PLAN_SPLIT_SOURCES]; /* of the source unit: classes from the start of the cycle */
    uint32_t index;                      /* in shuffles[] */
};

struct plan_split_edge {
    struct plan_bits bits;
    uint32_t run;   /* classes that move together */
    uint32_t cycle; /* classes that the edge permutes among themselves: divides the block */
    /* Run number in the cycle → class offset in the cycle, by the parity before the cycle. */
    uint16_t *source[2];
    struct plan_split_unit *units[2]; /* cycle / unit of them, by the same parity */
    uint8_t (*shuffles)[64];          /* source lane of each target lane; few are different */
    uint32_t shuffle_count;
};

/* Fills units and shuffles from source[]. On failure (PZ_MEMORY) what was made is freed with the plan. */
enum pz_status shuffle_compile(struct plan_split_edge *edge, uint32_t unit, struct pz_error *error);

#endif
