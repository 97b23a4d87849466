/* SPDX-License-Identifier: MIT */
/*
 * Levels by orbits, beside the kernels: a line and a column are joined where they share a state, and the next
 * level is what the known one is joined to, without itself and the level before it.
 *
 * Included by one source file per instruction set, which defines BITS_WIDTH (kernel_bits.h).
 */
#ifndef EXPLORE_DENSE_KERNEL_ORBITS_H
#define EXPLORE_DENSE_KERNEL_ORBITS_H

#include "explore/dense/kernel/kernel.h"
#include "explore/dense/kernel/kernel_bits.h"

#include <assert.h>

enum { ORBITS_FULL = 15 }; /* additions of up to 16 to a byte */

struct orbits_sums {
    bits_vector present, orbits, lines, fresh; /* the last three: of each byte, how many bits */
};

/* Bit 0 of each byte: whether any of its lowest four bits is set, which are all that may be. */
BITS_INLINE bits_vector orbits_any(bits_vector x)
{
    x |= x >> 2;
    return (x | x >> 1) & BITS_ONES;
}

/* Bytes with that many bits set where bit 0 is. */
BITS_INLINE bits_vector orbits_spread(bits_vector bit, unsigned width)
{
    return (bit << width) - bit;
}

/* Adds a line to the next level where a place of it is reached. Returns its places that were, if it is new.
 */
BITS_INLINE bits_vector orbits_reach(bits_vector places, bits_vector room, unsigned bit, unsigned width,
                                     bits_vector *next)
{
    const bits_vector reached = orbits_any(places) & room >> bit;
    *next |= reached << bit;
    return places & orbits_spread(reached, width);
}

BITS_INLINE void orbits_take(const struct kernel_orbits *block, unsigned width, unsigned lines, uint32_t at,
                             uint32_t length, struct orbits_sums *sums)
{
    const bits_vector columns = (bits_vector){0} + BITS_ONES * ((1u << width) - 1);
    const bits_vector now = bits_load(block->now + at, length);
    const bits_vector first = bits_load(block->first + at, length);
    const bits_vector room = ~(now | bits_load(block->before + at, length));
    /* The path leads from the last place of line 0 to the same column of line 1. */
    const bits_vector second = orbits_spread(now >> (width + 1) & BITS_ONES, width);
    bits_vector next =
        (first | bits_load(block->inward + at, length) | second | (now >> width & BITS_ONES) << (width - 1)) &
        columns & room;
    bits_vector fresh = orbits_reach((first >> width & columns) | (now & BITS_ONES << (width - 1)), room,
                                     width, width, &next);
    fresh |= orbits_reach(now & columns, room, width + 1, width, &next) << 4;
    fresh = bits_count(fresh);
    for (unsigned line = 2; line < lines; line += 2) {
        bits_vector places =
            orbits_reach(bits_load(block->places[line] + at, length), room, width + line, width, &next);
        if (line + 1 < lines)
            places |= orbits_reach(bits_load(block->places[line + 1] + at, length), room, width + line + 1,
                                   width, &next)
                      << 4;
        fresh += bits_count(places);
    }
    memcpy(block->target + at, &next, length);
    sums->present |= next;
    sums->orbits += bits_count(next);
    sums->lines += bits_count(next & ~columns);
    sums->fresh += fresh;
}

BITS_INLINE void orbits_walk(const struct kernel_orbits *block, unsigned width, unsigned lines,
                             struct kernel_orbits_counts *counts)
{
    struct orbits_sums sums = {0};
    *counts = (struct kernel_orbits_counts){0};
    for (uint32_t at = 0, done = 0; at < block->length; at += BITS_BYTES) {
        if (block->length - at >= BITS_BYTES)
            orbits_take(block, width, lines, at, BITS_BYTES, &sums);
        else
            orbits_take(block, width, lines, at, block->length - at, &sums);
        if (++done % ORBITS_FULL != 0 && block->length - at > BITS_BYTES)
            continue;
        counts->orbits += bits_total(&sums.orbits);
        counts->lines += bits_total(&sums.lines);
        counts->fresh += bits_total(&sums.fresh);
    }
    counts->present = bits_of_any(sums.present);
}

static void kernel_orbits(const struct kernel_orbits *block, struct kernel_orbits_counts *counts)
{
    assert(block->width <= 4 && block->width + block->lines <= 8);
    if (block->width == 3 && block->lines == 5)
        orbits_walk(block, 3, 5, counts);
    else if (block->width == 2 && block->lines == 6)
        orbits_walk(block, 2, 6, counts);
    else
        orbits_walk(block, block->width, block->lines, counts);
}

BITS_INLINE void orbits_line(const struct kernel_orbits *block, unsigned line, const uint8_t *more,
                             uint8_t *out, uint32_t at, uint32_t length)
{
    const bits_vector now = bits_load(block->now + at, length);
    const bits_vector places =
        orbits_spread(now >> (block->width + line) & BITS_ONES, block->width) | bits_load(more + at, length);
    memcpy(out + at, &places, length);
}

static void kernel_line(const struct kernel_orbits *block, unsigned line, const uint8_t *more, uint8_t *out)
{
    uint32_t at = 0;
    for (; at + BITS_BYTES <= block->length; at += BITS_BYTES)
        orbits_line(block, line, more, out, at, BITS_BYTES);
    if (at < block->length)
        orbits_line(block, line, more, out, at, block->length - at);
}

#endif
