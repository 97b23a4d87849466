/* SPDX-License-Identifier: MIT */
/*
 * Levels by orbits, beside the kernels: a line and a column are joined where they share a state, and the next
 * level is what the known one is joined to, without itself and the level before it.
 *
 * Included by one source file per instruction set, which defines ORBITS_WIDTH, the bytes in a vector.
 */
#ifndef EXPLORE_DENSE_KERNEL_ORBITS_H
#define EXPLORE_DENSE_KERNEL_ORBITS_H

#ifndef ORBITS_WIDTH
#error "define ORBITS_WIDTH first"
#endif

#include "explore/dense/kernel/kernel.h"

#include <assert.h>
#include <string.h>

#define ORBITS_ONES   UINT64_C(0x0101010101010101)
#define ORBITS_INLINE static inline __attribute__((always_inline))

/* gcc's analyzer takes the shifts of vectors for shifts of bits. */
#ifdef PUZZLED_ANALYSED
typedef uint64_t orbits_vector;
#else
typedef uint64_t orbits_vector __attribute__((vector_size(ORBITS_WIDTH)));
#endif

enum {
    ORBITS_BYTES = sizeof(orbits_vector),
    ORBITS_WORDS = ORBITS_BYTES / 8,
    ORBITS_FULL = 15 /* additions of up to 16 to a byte */
};

struct orbits_sums {
    orbits_vector present, orbits, lines, fresh; /* the last three: of each byte, how many bits */
};

ORBITS_INLINE orbits_vector orbits_load(const uint8_t *bytes, uint32_t length)
{
    orbits_vector vector = {0};
    memcpy(&vector, bytes, length);
    return vector;
}

ORBITS_INLINE orbits_vector orbits_bits(orbits_vector x)
{
    x -= x >> 1 & ORBITS_ONES * 0x55u;
    x = (x & ORBITS_ONES * 0x33u) + (x >> 2 & ORBITS_ONES * 0x33u);
    return (x + (x >> 4)) & ORBITS_ONES * 0x0Fu;
}

/* Adds up the bytes, and empties them. */
ORBITS_INLINE uint32_t orbits_total(orbits_vector *sums)
{
    uint32_t total = 0;
    uint64_t words[ORBITS_WORDS];
    memcpy(words, sums, sizeof words);
    for (unsigned i = 0; i < ORBITS_WORDS; i++) {
        const uint64_t pairs =
            (words[i] & UINT64_C(0x00FF00FF00FF00FF)) + (words[i] >> 8 & UINT64_C(0x00FF00FF00FF00FF));
        total += (uint32_t)(pairs * UINT64_C(0x0001000100010001) >> 48);
    }
    *sums = (orbits_vector){0};
    return total;
}

/* Bit 0 of each byte: whether any of its lowest four bits is set, which are all that may be. */
ORBITS_INLINE orbits_vector orbits_any(orbits_vector x)
{
    x |= x >> 2;
    return (x | x >> 1) & ORBITS_ONES;
}

/* Bytes with that many bits set where bit 0 is. */
ORBITS_INLINE orbits_vector orbits_spread(orbits_vector bit, unsigned width)
{
    return (bit << width) - bit;
}

/* Adds a line to the next level where a place of it is reached. Returns its places that were, if it is new.
 */
ORBITS_INLINE orbits_vector orbits_reach(orbits_vector places, orbits_vector room, unsigned bit,
                                         unsigned width, orbits_vector *next)
{
    const orbits_vector reached = orbits_any(places) & room >> bit;
    *next |= reached << bit;
    return places & orbits_spread(reached, width);
}

ORBITS_INLINE void orbits_take(const struct kernel_orbits *block, unsigned width, unsigned lines, uint32_t at,
                               uint32_t length, struct orbits_sums *sums)
{
    const orbits_vector columns = (orbits_vector){0} + ORBITS_ONES * ((1u << width) - 1);
    const orbits_vector now = orbits_load(block->now + at, length);
    const orbits_vector first = orbits_load(block->first + at, length);
    const orbits_vector room = ~(now | orbits_load(block->before + at, length));
    /* The path leads from the last place of line 0 to the same column of line 1. */
    const orbits_vector second = orbits_spread(now >> (width + 1) & ORBITS_ONES, width);
    orbits_vector next = (first | orbits_load(block->inward + at, length) | second |
                          (now >> width & ORBITS_ONES) << (width - 1)) &
                         columns & room;
    orbits_vector fresh = orbits_reach((first >> width & columns) | (now & ORBITS_ONES << (width - 1)), room,
                                       width, width, &next);
    fresh |= orbits_reach(now & columns, room, width + 1, width, &next) << 4;
    fresh = orbits_bits(fresh);
    for (unsigned line = 2; line < lines; line += 2) {
        orbits_vector places =
            orbits_reach(orbits_load(block->places[line] + at, length), room, width + line, width, &next);
        if (line + 1 < lines)
            places |= orbits_reach(orbits_load(block->places[line + 1] + at, length), room, width + line + 1,
                                   width, &next)
                      << 4;
        fresh += orbits_bits(places);
    }
    memcpy(block->target + at, &next, length);
    sums->present |= next;
    sums->orbits += orbits_bits(next);
    sums->lines += orbits_bits(next & ~columns);
    sums->fresh += fresh;
}

ORBITS_INLINE void orbits_walk(const struct kernel_orbits *block, unsigned width, unsigned lines,
                               struct kernel_orbits_counts *counts)
{
    struct orbits_sums sums = {0};
    uint64_t words[ORBITS_WORDS], bits = 0;
    *counts = (struct kernel_orbits_counts){0};
    for (uint32_t at = 0, done = 0; at < block->length; at += ORBITS_BYTES) {
        if (block->length - at >= ORBITS_BYTES)
            orbits_take(block, width, lines, at, ORBITS_BYTES, &sums);
        else
            orbits_take(block, width, lines, at, block->length - at, &sums);
        if (++done % ORBITS_FULL != 0 && block->length - at > ORBITS_BYTES)
            continue;
        counts->orbits += orbits_total(&sums.orbits);
        counts->lines += orbits_total(&sums.lines);
        counts->fresh += orbits_total(&sums.fresh);
    }
    memcpy(words, &sums.present, sizeof words);
    for (unsigned i = 0; i < ORBITS_WORDS; i++)
        bits |= words[i];
    bits |= bits >> 32;
    bits |= bits >> 16;
    counts->present = (uint8_t)(bits | bits >> 8);
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

ORBITS_INLINE void orbits_line(const struct kernel_orbits *block, unsigned line, const uint8_t *more,
                               uint8_t *out, uint32_t at, uint32_t length)
{
    const orbits_vector now = orbits_load(block->now + at, length);
    const orbits_vector places = orbits_spread(now >> (block->width + line) & ORBITS_ONES, block->width) |
                                 orbits_load(more + at, length);
    memcpy(out + at, &places, length);
}

static void kernel_line(const struct kernel_orbits *block, unsigned line, const uint8_t *more, uint8_t *out)
{
    uint32_t at = 0;
    for (; at + ORBITS_BYTES <= block->length; at += ORBITS_BYTES)
        orbits_line(block, line, more, out, at, ORBITS_BYTES);
    if (at < block->length)
        orbits_line(block, line, more, out, at, block->length - at);
}

#endif
