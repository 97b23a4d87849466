/* SPDX-License-Identifier: MIT */
#include "explore/dense/kernel/kernel_lines.h"

#define BITS_WIDTH 16
#include "explore/dense/kernel/kernel_bits.h"

#include <assert.h>

enum { LINES_FULL = 31 }; /* additions of up to 8 to a byte */

struct lines_sums {
    bits_vector present, fresh, older; /* the last two: of each byte, how many bits */
};

BITS_INLINE void add_vector(const struct lines_block *block, uint32_t at, uint32_t length,
                            bits_vector *present)
{
    const bits_vector now = bits_load(block->now + at, length) | bits_load(block->pulled + at, length);
    memcpy(block->now + at, &now, length);
    *present |= now | bits_load(block->before + at, length);
}

uint8_t lines_add(const struct lines_block *block)
{
    bits_vector present = {0};
    uint32_t at = 0;
    assert(block->length > 0 && block->pulled != NULL);
    for (; at + BITS_BYTES <= block->length; at += BITS_BYTES)
        add_vector(block, at, BITS_BYTES, &present);
    if (at < block->length)
        add_vector(block, at, block->length - at, &present);
    return bits_of_any(present);
}

/* The states of the newest level in the other colour's bytes, brought along their lines. */
BITS_INLINE bits_vector lines_reach(bits_vector own, bits_vector here, const struct plan_lines *lines)
{
    return (own & BITS_ONES * lines->same) | (own << 1 & BITS_ONES * lines->up) |
           (own >> 1 & BITS_ONES * lines->down) | (here << 1 & BITS_ONES * lines->own_up) |
           (here >> 1 & BITS_ONES * lines->own_down);
}

BITS_INLINE void turn_vector(const struct lines_block *block, const struct plan_lines *lines, uint32_t at,
                             uint32_t length, struct lines_sums *sums)
{
    const bits_vector now = bits_load(block->now + at, length);
    const bits_vector before = bits_load(block->before + at, length);
    const bits_vector own = bits_load(block->own + at, length);
    const bits_vector own_before = bits_load(block->own_before + at, length);
    const bits_vector here = now & before;
    bits_vector fresh = now | lines_reach(own_before & (block->turned ? ~own : own), here, lines);
    if (block->pulled != NULL)
        fresh |= bits_load(block->pulled + at, length);
    fresh &= ~before;
    const bits_vector either = fresh | here;
    memcpy(block->now + at, &fresh, length);
    memcpy(block->before + at, &either, length);
    sums->present |= either;
    sums->fresh += bits_count(fresh);
    sums->older += bits_count(here);
    for (unsigned i = 0; i < 2; i++)
        if (block->mark[i] != NULL) {
            const bits_vector mark = bits_load(block->mark[i] + at, length) | fresh;
            memcpy(block->mark[i] + at, &mark, length);
        }
}

uint32_t lines_turn(const struct lines_block *block, const struct plan_lines *lines,
                    struct kernel_counts *counts)
{
    struct lines_sums sums = {0};
    uint32_t older = 0;
    assert(block->length > 0 && counts->count == 0);
    for (uint32_t at = 0, done = 0; at < block->length; at += BITS_BYTES) {
        if (block->length - at >= BITS_BYTES)
            turn_vector(block, lines, at, BITS_BYTES, &sums);
        else
            turn_vector(block, lines, at, block->length - at, &sums);
        if (++done % LINES_FULL != 0 && block->length - at > BITS_BYTES)
            continue;
        counts->count += bits_total(&sums.fresh);
        older += bits_total(&sums.older);
    }
    counts->present = bits_of_any(sums.present);
    return older;
}
