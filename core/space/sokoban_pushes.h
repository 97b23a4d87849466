/* SPDX-License-Identifier: MIT */
/* The pushes from up to eight positions, found by shifts of sets, and listed by the look that they need. For
 * sokoban_reach.c alone. */
#ifndef SOKOBAN_PUSHES_H
#define SOKOBAN_PUSHES_H

#include "space/sokoban_cells.h"

enum { PUSHES_MAX = LANES * 4 * SOKOBAN_BOXES_MAX };

/* ---- positions ---- */

/* Up to eight positions. */
struct group {
    const uint8_t *states;
    unsigned count;
    struct sets boxes, open, region; /* open: neither wall nor box; region: where the player gets to */
    struct sets movable;             /* boxes that may be pushed */
};

/* Makes the set of the boxes whose bits are given. */
KERNEL void read_boxes(const struct sokoban *sokoban, struct shape shape, const uint8_t *state,
                       uint32_t which, struct cells *boxes)
{
    for (unsigned i = 0; i < shape.words; i++)
        boxes->word[i] = 0;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        if ((which >> i & 1) != 0)
            include(shape, boxes, sokoban->raster.bit[state[i]]);
}

KERNEL void read_group(const struct sokoban *sokoban, struct shape shape, const uint8_t *states,
                       unsigned count, uint32_t movable, struct group *group)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    group->states = states;
    group->count = count;
    empty(shape, &group->boxes);
    empty(shape, &group->movable);
    empty(shape, &group->region);
    for (unsigned lane = 0; lane < count; lane++) {
        const uint8_t *state = states + (size_t)lane * shape.state_words * sizeof(uint64_t);
        struct cells set;
        read_boxes(sokoban, shape, state, SOKOBAN_ALL_BOXES, &set);
        put_lane(shape, &group->boxes, lane, &set);
        if (movable != SOKOBAN_ALL_BOXES)
            read_boxes(sokoban, shape, state, movable, &set);
        put_lane(shape, &group->movable, lane, &set);
        for (unsigned i = 0; i < shape.words; i++)
            group->region.word[i][lane] = alone(shape, raster->bit[state[0]], i);
    }
    for (unsigned i = 0; i < shape.words; i++)
        group->open.word[i] = raster->floor.word[i] & ~group->boxes.word[i];
    fill(shape, &group->open, &group->region);
}

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

/* What is found is put at the end of each list that it may belong to, and one of them then counts it: a
 * branch would be mispredicted half of the time. */
struct lists {
    unsigned found, doubtful, plain, walks;
    packed all[PUSHES_MAX];   /* not yet told where to, and what they do */
    packed doubt[PUSHES_MAX]; /* may freeze */
    packed near[PUSHES_MAX];  /* change the region by two squares */
    packed far[PUSHES_MAX];   /* may change it by more */
};

KERNEL void find_all(const struct sokoban *sokoban, struct shape shape, const struct group *group,
                     const struct pushes pushes[DIRECTIONS], struct lists *lists)
{
    for (unsigned lane = 0; lane < group->count; lane++) {
        const uint8_t *state = group->states + (size_t)lane * shape.state_words * sizeof(uint64_t);
        for (unsigned box = 1; box <= sokoban->boxes; box++) {
            const unsigned from = sokoban->raster.bit[state[box]];
            const packed any_way = (packed)lane << LANE_SHIFT | (packed)box << BOX_SHIFT | from;
            for (unsigned d = 0; d < DIRECTIONS; d++) {
                const uint64_t word = pushes[d].all.word[shape.words == 1 ? 0 : from / 64][lane];
                lists->all[lists->found] = any_way | (packed)d << WAY_SHIFT;
                lists->found += word >> from % 64 & 1;
            }
        }
    }
}

KERNEL void add_sure(struct lists *lists, packed push, bool is_sure)
{
    const bool walks = (push >> OPENS_SHIFT & 3) != 0;
    lists->near[lists->plain] = lists->far[lists->walks] = push;
    lists->plain += is_sure & !walks;
    lists->walks += is_sure & walks;
}

/* Returns 1 if a push, by the cell that it begins from, is in a set of its lane. */
KERNEL uint64_t is_in(struct shape shape, const struct sets *sets, packed push)
{
    const unsigned word = shape.words == 1 ? 0 : push_from(push) / 64;
    return sets->word[word][push_lane(push)] >> push_from(push) % 64 & 1;
}

KERNEL void sort_pushes(struct shape shape, const struct pushes pushes[DIRECTIONS], struct lists *lists)
{
    const unsigned steps[DIRECTIONS] = {0 - shape.stride, shape.stride, 0 - 1U, 1};
    for (unsigned i = 0; i < lists->found; i++) {
        packed push = lists->all[i];
        const unsigned direction = (unsigned)(push >> WAY_SHIFT);
        const struct pushes *of = &pushes[direction];
        const bool doubtful = is_in(shape, &of->may_freeze, push) != 0;
        push |= (uint64_t)(push_from(push) + steps[direction]) << TO_SHIFT |
                is_in(shape, &of->opens, push) << OPENS_SHIFT | is_in(shape, &of->cuts, push) << CUTS_SHIFT;
        lists->doubt[lists->doubtful] = push;
        lists->doubtful += doubtful;
        add_sure(lists, push, !doubtful);
    }
}

#endif
