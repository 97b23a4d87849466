/* SPDX-License-Identifier: MIT */
/* The pushes from up to eight positions, found by shifts of sets, and the lists that they go to. For the
 * kernels, sokoban_reach.c and sokoban_avx512.c, alone: each defines expand, which is declared here. */
#ifndef SOKOBAN_PUSHES_H
#define SOKOBAN_PUSHES_H

#include "space/sokoban/sokoban.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/*
 * Sets of a level's cells, one bit each (struct sokoban_raster), eight at a time: a vector has the same word
 * of eight sets, one in each lane. Everything here is written once for any number of words, and inlined where
 * that number is known: the compiler then keeps sets in registers. It makes of a vector what the machine has:
 * one register, or some, or plain words. Vectors are passed by address, which all compilers do alike.
 */

/* Analysers and sanitizers read the kernel once, not in each of its places: that took them minutes. */
#if defined(PUZZLED_SANITIZED) || defined(PUZZLED_ANALYSED) || defined(__clang_analyzer__)
#define KERNEL static __attribute__((noinline, unused))
#else
#define KERNEL static inline __attribute__((always_inline))
#endif

enum { LANES = 8 };

typedef uint64_t lanes __attribute__((vector_size(LANES * sizeof(uint64_t))));

struct sets {
    lanes word[SOKOBAN_WORDS_MAX];
};

/* The layout of a level's sets. */
struct shape {
    unsigned words;
    unsigned stride;
    bool narrow;          /* the stride is below 64 */
    unsigned state_words; /* of a state, 1, 2, 4 or 8 */
};

KERNEL struct shape shape_of_level(const struct sokoban *sokoban)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    return (struct shape){raster->words, raster->stride, raster->stride < 64,
                          sokoban->base.state_bytes / (unsigned)sizeof(uint64_t)};
}

/* Directions, in the order of struct sokoban's neighbours. */
enum { UP, DOWN, LEFT, RIGHT, DIRECTIONS };

/* ---- one set ---- */

/* Returns word i of the set that has one cell alone. */
KERNEL uint64_t alone(struct shape shape, unsigned bit, unsigned i)
{
    return shape.words == 1 || bit / 64 == i ? UINT64_C(1) << bit % 64 : 0;
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

/* Reads and writes the set of one lane. */
KERNEL void get_lane(struct shape shape, const struct sets *sets, unsigned lane, struct cells *set)
{
    for (unsigned i = 0; i < shape.words; i++)
        set->word[i] = sets->word[i][lane];
}

KERNEL void put_lane(struct shape shape, struct sets *sets, unsigned lane, const struct cells *set)
{
    for (unsigned i = 0; i < shape.words; i++)
        sets->word[i][lane] = set->word[i];
}

/* ---- eight sets ---- */

KERNEL void empty(struct shape shape, struct sets *sets)
{
    for (unsigned i = 0; i < shape.words; i++)
        sets->word[i] = (lanes){0};
}

/* Returns true if a lane is not 0. */
KERNEL bool any(const lanes *value)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)*value, (__m512i)*value) != 0;
#else
    typedef uint64_t four_lanes __attribute__((vector_size(4 * sizeof(uint64_t))));
    typedef uint64_t two_lanes __attribute__((vector_size(2 * sizeof(uint64_t))));
    const four_lanes four = __builtin_shufflevector(*value, *value, 0, 1, 2, 3) |
                            __builtin_shufflevector(*value, *value, 4, 5, 6, 7);
    const two_lanes two =
        __builtin_shufflevector(four, four, 0, 1) | __builtin_shufflevector(four, four, 2, 3);
    return (two[0] | two[1]) != 0;
#endif
}

/* Shifts sets so that each cell's bit stands for its neighbour in a direction. out: other sets. */
KERNEL void beside(struct shape shape, const struct sets *sets, unsigned direction, struct sets *out)
{
    const unsigned distance = direction < LEFT ? shape.stride : 1;
    const bool near = direction >= LEFT || shape.narrow; /* 0 < distance < 64 */
    const unsigned far = near ? 0 : distance / 64;
    const uint64_t bits = near ? distance : distance % 64;
    const bool joins = near || bits > 0;
    for (unsigned i = 0; i < shape.words; i++) {
        out->word[i] = (lanes){0};
        if (direction % 2 == 0) {
            if (i >= far)
                out->word[i] = sets->word[i - far] << bits;
            if (i > far && joins)
                out->word[i] |= sets->word[i - far - 1] >> (64 - bits);
        } else {
            if (i + far < shape.words)
                out->word[i] = sets->word[i + far] >> bits;
            if (i + far + 1 < shape.words && joins)
                out->word[i] |= sets->word[i + far + 1] << (64 - bits);
        }
    }
}

/* Adds the open cells beside sets, and along rows as far as they are open: the carry of an addition runs
 * through them. *grown: the bits that are new. */
KERNEL void grow(struct shape shape, const struct sets *open, struct sets *sets, lanes *grown)
{
    struct sets rows, before, after;
    *grown = (lanes){0};
    beside(shape, sets, LEFT, &before);
    beside(shape, sets, RIGHT, &after);
    for (unsigned i = 0; i < shape.words; i++) {
        const lanes row = (before.word[i] | after.word[i] | sets->word[i]) & open->word[i];
        rows.word[i] = row | (open->word[i] & ~(open->word[i] + row));
    }
    beside(shape, &rows, UP, &before);
    beside(shape, &rows, DOWN, &after);
    for (unsigned i = 0; i < shape.words; i++) {
        const lanes all = rows.word[i] | ((before.word[i] | after.word[i]) & open->word[i]);
        *grown |= sets->word[i] ^ all;
        sets->word[i] = all;
    }
}

/* Grows sets over all open cells connected with them. */
KERNEL void fill(struct shape shape, const struct sets *open, struct sets *sets)
{
    lanes grown;
    do
        grow(shape, open, sets, &grown);
    while (any(&grown));
}

/* Grows sets like that, each at least until it holds all wanted cells or is complete. *lacking is 0 in the
 * lanes whose sets hold them. */
KERNEL void fill_to(struct shape shape, const struct sets *open, struct sets *sets, const struct sets *wanted,
                    lanes *lacking)
{
    lanes grown, going;
    do {
        grow(shape, open, sets, &grown);
        *lacking = (lanes){0};
        for (unsigned i = 0; i < shape.words; i++)
            *lacking |= wanted->word[i] & ~sets->word[i];
        going = (lanes)(*lacking != 0) & grown;
    } while (any(&going));
}

/* Sets *away to the boxes, folded into one word, that can never be pushed again and are on no goal. A box can
 * be, now or after other pushes, if neither of its neighbours along an axis is a wall or frozen, and a push
 * one way or the other does not end on a dead square. All boxes are taken for frozen, and those that can be
 * pushed are taken out until none is left that can. */
KERNEL void find_frozen(struct shape shape, const struct sokoban_raster *raster, const struct sets *boxes,
                        lanes *away)
{
    struct sets frozen, passable, side[DIRECTIONS];
    lanes changed;
    for (unsigned i = 0; i < shape.words; i++)
        frozen.word[i] = boxes->word[i];
    do {
        changed = *away = (lanes){0};
        for (unsigned i = 0; i < shape.words; i++)
            passable.word[i] = raster->floor.word[i] & ~frozen.word[i];
        for (unsigned d = 0; d < DIRECTIONS; d++)
            beside(shape, &passable, d, &side[d]);
        for (unsigned i = 0; i < shape.words; i++) {
            const lanes pushable = (raster->rail[0].word[i] & side[UP].word[i] & side[DOWN].word[i]) |
                                   (raster->rail[1].word[i] & side[LEFT].word[i] & side[RIGHT].word[i]);
            changed |= frozen.word[i] & pushable;
            frozen.word[i] &= ~pushable;
            *away |= frozen.word[i] & ~raster->home.word[i];
        }
        changed &= (lanes)(*away != 0);
    } while (any(&changed));
}

/* ---- pushes ---- */

enum { PUSHES_MAX = LANES * 4 * SOKOBAN_BOXES_MAX + LANES /* that are written and not counted */ };

/* ---- positions ---- */

/* Up to eight positions. */
struct group {
    const uint8_t *states;
    unsigned count;
    struct sets boxes, open, region; /* open: neither wall nor box; region: where the player gets to */
    struct sets movable;             /* boxes that may be pushed */
};

/* ---- which pushes there are ---- */

/* Sets of positions by which the pushes in a direction are found. */
struct surroundings {
    struct sets usable[DIRECTIONS]; /* cells whose neighbour is neither wall, box nor dead */
    struct sets side[DIRECTIONS];   /* cells whose neighbour is open */
    struct sets corner[2][2];       /* up or down, left or right: cells with an open one there */
    struct sets strange;            /* open, and not in the region */
};

KERNEL void look_around(const struct sokoban *sokoban, struct shape shape, const struct group *group,
                        struct surroundings *around)
{
    struct sets usable;
    for (unsigned i = 0; i < shape.words; i++) {
        usable.word[i] = sokoban->raster.alive.word[i] & ~group->boxes.word[i];
        around->strange.word[i] = group->open.word[i] & ~group->region.word[i];
    }
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        beside(shape, &usable, d, &around->usable[d]);
        beside(shape, &group->open, d, &around->side[d]);
    }
    for (unsigned row = UP; row <= DOWN; row++)
        for (unsigned column = LEFT; column <= RIGHT; column++)
            beside(shape, &around->side[row], column, &around->corner[row][column - LEFT]);
}

/* The boxes that can be pushed in a direction, and those among them that need a look. */
struct pushes {
    struct sets all;
    struct sets may_freeze; /* along each axis the target has a neighbour where no box can be pushed */
    struct sets opens;      /* the cell that the box leaves may join the region with others */
    struct sets cuts;       /* the target is in the region, and its open neighbours are not connected by the
                             * cells around it */
};

/* Finds the targets that may cut the region: going around one, open neighbours begin twice or more often
 * after cells that do not connect them. The neighbour that the box leaves is open. */
KERNEL void find_cuts(struct shape shape, const struct group *group, const struct surroundings *around,
                      unsigned direction, struct sets *targets)
{
    for (unsigned i = 0; i < shape.words; i++) {
        lanes side[DIRECTIONS];
        for (unsigned d = 0; d < DIRECTIONS; d++)
            side[d] = around->side[d].word[i];
        side[direction ^ 1] = ~(lanes){0};
        const lanes up = side[UP] & ~(side[LEFT] & around->corner[0][0].word[i]);
        const lanes right = side[RIGHT] & ~(side[UP] & around->corner[0][1].word[i]);
        const lanes down = side[DOWN] & ~(side[RIGHT] & around->corner[1][1].word[i]);
        const lanes left = side[LEFT] & ~(side[DOWN] & around->corner[1][0].word[i]);
        targets->word[i] =
            group->region.word[i] & ((up & down) | (left & right) | ((up | down) & (left | right)));
    }
}

KERNEL void find_pushes(struct shape shape, const struct group *group, const struct surroundings *around,
                        unsigned direction, struct pushes *pushes)
{
    const unsigned left = direction < LEFT ? LEFT : UP, right = left + 1;
    struct sets player, stuck, targets, before, after;
    beside(shape, &group->region, direction ^ 1, &player);
    for (unsigned i = 0; i < shape.words; i++) {
        stuck.word[i] = ~(around->usable[direction].word[i] |
                          (around->usable[left].word[i] & around->usable[right].word[i]));
        pushes->all.word[i] = group->movable.word[i] & around->usable[direction].word[i] & player.word[i];
    }
    beside(shape, &stuck, direction, &pushes->may_freeze);
    find_cuts(shape, group, around, direction, &targets);
    beside(shape, &targets, direction, &pushes->cuts);
    beside(shape, &around->strange, left, &before);
    beside(shape, &around->strange, right, &after);
    for (unsigned i = 0; i < shape.words; i++)
        pushes->opens.word[i] = before.word[i] | after.word[i];
}

/* ---- lists of pushes ---- */

/* A push in one word: one store writes it, so that a load that soon follows need not wait for several. */
typedef uint64_t packed;

enum { TO_SHIFT = 16, LANE_SHIFT = 32, BOX_SHIFT = 40, OPENS_SHIFT = 48, CUTS_SHIFT = 49, WAY_SHIFT = 56 };

KERNEL unsigned push_from(packed push)
{
    return push & 0xFFFF;
}

KERNEL unsigned push_to(packed push)
{
    return push >> TO_SHIFT & 0xFFFF;
}

KERNEL unsigned push_lane(packed push)
{
    return push >> LANE_SHIFT & 0xFF;
}

KERNEL unsigned push_box(packed push)
{
    return push >> BOX_SHIFT & 0xFF;
}

/* Puts a push at the end of each list that it may belong to, and one of them then counts it: a
 * branch would be mispredicted half of the time. */
struct lists {
    unsigned found, doubtful, plain, walks;
    packed all[PUSHES_MAX];   /* not yet told where to, and what they do */
    packed doubt[PUSHES_MAX]; /* may freeze */
    packed near[PUSHES_MAX];  /* change the region by two squares */
    packed far[PUSHES_MAX];   /* may change it by more */
};

/* ---- kernels ---- */

/* Writes the successors of up to eight positions; each file that includes this one has its own. */
KERNEL unsigned expand(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                       sokoban_boxes movable, uint8_t *out, struct shape shape);

/* Compiles the kernel for what most levels have, and for all others. */
KERNEL unsigned expand_any(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                           sokoban_boxes movable, uint8_t *out)
{
    const struct shape shape = shape_of_level(sokoban);
    const unsigned stride = shape.stride, state_words = shape.state_words;
    if (shape.words > 2 || !shape.narrow)
        return expand(sokoban, states, count, movable, out, shape);
    if (shape.words == 1 && state_words == 1)
        return expand(sokoban, states, count, movable, out, (struct shape){1, stride, true, 1});
    if (shape.words == 1)
        return expand(sokoban, states, count, movable, out, (struct shape){1, stride, true, state_words});
    if (state_words == 1)
        return expand(sokoban, states, count, movable, out, (struct shape){2, stride, true, 1});
    return expand(sokoban, states, count, movable, out, (struct shape){2, stride, true, state_words});
}

#endif
