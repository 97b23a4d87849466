/* SPDX-License-Identifier: MIT */
/*
 * Steps along lines, beside the kernels: levels of metric:multi (docs/engines/dense.md). A class has two
 * bytes of each colour, *now* and *before*. A state of the newest level has both bits, one of the level
 * before only the second, one that the level being made has reached only the first, any other none.
 */
#ifndef EXPLORE_DENSE_KERNEL_LINES_H
#define EXPLORE_DENSE_KERNEL_LINES_H

#include "explore/dense/kernel/kernel.h"

/* The target's bytes of a block. */
struct lines_block {
    uint8_t *now, *before;
    const uint8_t *pulled;           /* what a kernel brought that is not before; NULL for nothing */
    const uint8_t *own, *own_before; /* of the other colour */
    bool turned;                     /* the other colour has been turned already */
    uint8_t *mark[2];                /* where to put the new states, too, or NULL */
    uint32_t length;                 /* classes */
};

/* Adds what was pulled. Returns the bits that some class has. */
uint8_t lines_add(const struct lines_block *block);

/* The colour's last step in a level: adds what was pulled, and what the newest level's states reach along
 * their lines. What was reached is then the newest level. counts is of it, but present of both levels;
 * returns the states of the level before. */
uint32_t lines_turn(const struct lines_block *block, const struct plan_lines *lines,
                    struct kernel_counts *counts);

#endif
