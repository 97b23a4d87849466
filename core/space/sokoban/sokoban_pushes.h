/* SPDX-License-Identifier: MIT */
/* The pushes from up to eight positions, found by shifts of sets, and the lists that they go to. For the
 * kernels, sokoban_reach.c and sokoban_avx512.c, alone: each defines expand, which is declared here. */
#ifndef SOKOBAN_PUSHES_H
#define SOKOBAN_PUSHES_H

#include "space/sokoban/sokoban_cells.h"

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
    const unsigned words = sokoban->raster.words, stride = sokoban->raster.stride;
    const unsigned state_words = sokoban->base.state_bytes / (unsigned)sizeof(uint64_t);
    const bool narrow = stride < 64;
    if (words > 2 || !narrow)
        return expand(sokoban, states, count, movable, out,
                      (struct shape){words, stride, narrow, state_words});
    if (words == 1 && state_words == 1)
        return expand(sokoban, states, count, movable, out, (struct shape){1, stride, true, 1});
    if (words == 1)
        return expand(sokoban, states, count, movable, out, (struct shape){1, stride, true, state_words});
    if (state_words == 1)
        return expand(sokoban, states, count, movable, out, (struct shape){2, stride, true, 1});
    return expand(sokoban, states, count, movable, out, (struct shape){2, stride, true, state_words});
}

#endif
