/* SPDX-License-Identifier: MIT */
/*
 * Sets of a level's cells, one bit each (struct sokoban_raster). Everything here is written once for any
 * number of words, and inlined where that number is known: the compiler then keeps sets in registers.
 */
#ifndef SOKOBAN_CELLS_H
#define SOKOBAN_CELLS_H

#include "space/sokoban.h"

/* Analysers and sanitizers read the kernel once, not in each of its places: that took them minutes. */
#if defined(PUZZLED_SANITIZED) || defined(PUZZLED_ANALYSED) || defined(__clang_analyzer__)
#define KERNEL static __attribute__((noinline, unused))
#else
#define KERNEL static inline __attribute__((always_inline))
#endif

/* The layout of a level's sets. */
struct shape {
    unsigned words;
    unsigned stride;
    bool narrow;          /* the stride is below 64 */
    unsigned state_words; /* of a state, 1, 2 or 4 */
};

/* Directions, in the order of struct sokoban's neighbours. */
enum { UP, DOWN, LEFT, RIGHT, DIRECTIONS };

KERNEL unsigned distance_to(struct shape shape, unsigned direction)
{
    return direction < LEFT ? shape.stride : 1;
}

/* Returns word i of a set, shifted so that each cell's bit tells of its neighbour in a direction. */
KERNEL uint64_t beside(struct shape shape, const struct cells *set, unsigned direction, unsigned i)
{
    const unsigned distance = distance_to(shape, direction);
    const bool near = direction >= LEFT || shape.narrow; /* 0 < distance < 64 */
    const unsigned far = near ? 0 : distance / 64, bits = near ? distance : distance % 64;
    const bool joins = near || bits > 0;
    if (direction % 2 == 0) {
        const uint64_t word = i >= far ? set->word[i - far] << bits : 0;
        return i > far && joins ? word | set->word[i - far - 1] >> (64 - bits) : word;
    }
    const uint64_t word = i + far < shape.words ? set->word[i + far] >> bits : 0;
    return i + far + 1 < shape.words && joins ? word | set->word[i + far + 1] << (64 - bits) : word;
}

/* Returns word i of the set that has one cell alone. */
KERNEL uint64_t alone(struct shape shape, unsigned bit, unsigned i)
{
    return shape.words == 1 || bit / 64 == i ? UINT64_C(1) << bit % 64 : 0;
}

KERNEL bool holds(struct shape shape, const struct cells *set, unsigned bit)
{
    uint64_t held = 0;
    for (unsigned i = 0; i < shape.words; i++)
        held |= set->word[i] & alone(shape, bit, i);
    return held != 0;
}

KERNEL void include(struct shape shape, struct cells *set, unsigned bit)
{
    for (unsigned i = 0; i < shape.words; i++)
        set->word[i] |= alone(shape, bit, i);
}

KERNEL void exclude(struct shape shape, struct cells *set, unsigned bit)
{
    for (unsigned i = 0; i < shape.words; i++)
        set->word[i] &= ~alone(shape, bit, i);
}

KERNEL void copy(struct shape shape, const struct cells *from, struct cells *to)
{
    for (unsigned i = 0; i < shape.words; i++)
        to->word[i] = from->word[i];
}

KERNEL void empty(struct shape shape, struct cells *set)
{
    for (unsigned i = 0; i < shape.words; i++)
        set->word[i] = 0;
}

/* Grows a set by the open cells beside it, and along rows as far as they are open: the carry of an addition
 * runs through them. Returns the bits that are new. */
KERNEL uint64_t grow(struct shape shape, const struct cells *open, struct cells *set)
{
    struct cells rows;
    uint64_t grown = 0;
    for (unsigned i = 0; i < shape.words; i++) {
        const uint64_t sides = beside(shape, set, LEFT, i) | beside(shape, set, RIGHT, i) | set->word[i];
        const uint64_t row = sides & open->word[i];
        rows.word[i] = row | (open->word[i] & ~(open->word[i] + row));
    }
    for (unsigned i = 0; i < shape.words; i++) {
        const uint64_t columns = beside(shape, &rows, UP, i) | beside(shape, &rows, DOWN, i);
        const uint64_t after = rows.word[i] | (columns & open->word[i]);
        grown |= set->word[i] ^ after;
        set->word[i] = after;
    }
    return grown;
}

/* Grows a set over all open cells connected with it. */
KERNEL void fill(struct shape shape, const struct cells *open, struct cells *set)
{
    uint64_t grown;
    do
        grown = grow(shape, open, set);
    while (grown != 0);
}

/* Grows a set like that until it holds all cells of another one; returns false if it never does. */
KERNEL bool fill_to(struct shape shape, const struct cells *open, struct cells *set,
                    const struct cells *wanted)
{
    uint64_t grown, lacking;
    do {
        grown = grow(shape, open, set);
        lacking = 0;
        for (unsigned i = 0; i < shape.words; i++)
            lacking |= wanted->word[i] & ~set->word[i];
    } while (lacking != 0 && grown != 0);
    return lacking == 0;
}

/* Returns the lowest bit of a set, which is not empty. */
KERNEL unsigned lowest(struct shape shape, const struct cells *set)
{
    unsigned i = 0;
    while (i + 1 < shape.words && set->word[i] == 0)
        i++;
    return i * 64 + (unsigned)__builtin_ctzll(set->word[i]);
}

/* Returns how many cells of a set are before one. */
KERNEL unsigned count_below(struct shape shape, const struct cells *set, unsigned bit)
{
    unsigned count = 0;
    for (unsigned i = 0; i < shape.words; i++) {
        const uint64_t below = bit / 64 > i ? UINT64_MAX : bit / 64 < i ? 0 : (UINT64_C(1) << bit % 64) - 1;
        count += (unsigned)__builtin_popcountll(set->word[i] & below);
    }
    return count;
}

/* Returns true if boxes that can never be pushed again stand off the goals. A box can be, now or after other
 * pushes, if neither of its neighbours along an axis is a wall or frozen, and a push one way or the other
 * does not end on a dead square. All boxes are taken for frozen, and those that can be pushed are taken out
 * until none is left that can. */
KERNEL bool freezes(struct shape shape, const struct sokoban_raster *raster, const struct cells *boxes)
{
    struct cells frozen, passable;
    uint64_t changed, away;
    copy(shape, boxes, &frozen);
    do {
        changed = away = 0;
        for (unsigned i = 0; i < shape.words; i++)
            passable.word[i] = raster->floor.word[i] & ~frozen.word[i];
        for (unsigned i = 0; i < shape.words; i++) {
            const uint64_t down =
                raster->rail[0].word[i] & beside(shape, &passable, UP, i) & beside(shape, &passable, DOWN, i);
            const uint64_t across = raster->rail[1].word[i] & beside(shape, &passable, LEFT, i) &
                                    beside(shape, &passable, RIGHT, i);
            changed |= frozen.word[i] & (down | across);
            frozen.word[i] &= ~(down | across);
            away |= frozen.word[i] & ~raster->home.word[i];
        }
    } while (changed != 0 && away != 0);
    return away != 0;
}

#endif
