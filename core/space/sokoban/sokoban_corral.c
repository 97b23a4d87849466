/* SPDX-License-Identifier: MIT */
/*
 * Leaves out pushes that a shortest solution can make later (PI-corral pruning, B. Damgaard).
 *
 * A corral is floor that the player cannot walk to, and the boxes around it. Often the first push of one of
 * its boxes, whatever other boxes do before, goes into the corral from where the player can walk to now. If
 * the corral is not solved, every solution has such a push. Made first, it hinders no push before it: those
 * are outside. So the pushes of this corral are enough to find a solution with the fewest pushes.
 */
#include "space/sokoban/sokoban.h"

#include <string.h>

/* The contents of a square. Areas that the player cannot walk to are numbered from FIRST_AREA on. */
enum { UNSEEN, WALKED, BOX, FIRST_AREA };

struct position {
    uint8_t on[SOKOBAN_SQUARES_MAX];
    uint8_t box[SOKOBAN_SQUARES_MAX];           /* the number of the box on a square */
    sokoban_boxes barrier[SOKOBAN_SQUARES_MAX]; /* of an area: the boxes beside it */
    unsigned areas_end;
};

/* A candidate: areas and boxes, which are added as they are found to belong to it. */
struct corral {
    bool area[SOKOBAN_SQUARES_MAX];
    sokoban_boxes boxes;
    unsigned pushes;
};

static void read_position(const struct sokoban *sokoban, const uint8_t *state, struct position *position)
{
    memset(position->on, UNSEEN, sokoban->squares);
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        position->on[state[i]] = BOX;
        position->box[state[i]] = (uint8_t)i;
    }
    sokoban_flood(sokoban, state[0], UNSEEN, WALKED, position->on);
    position->areas_end = FIRST_AREA;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        if (position->on[i] != UNSEEN)
            continue;
        position->barrier[position->areas_end] = 0;
        sokoban_flood(sokoban, i, UNSEEN, (uint8_t)position->areas_end++, position->on);
    }
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        for (unsigned d = 0; d < 4; d++) {
            const unsigned near = sokoban->neighbour[state[i]][d];
            if (near != SOKOBAN_NO_SQUARE && position->on[near] >= FIRST_AREA)
                position->barrier[position->on[near]] |= SOKOBAN_BOX(i);
        }
}

static void annex_area(const struct position *position, unsigned area, struct corral *corral)
{
    corral->area[area] = true;
    corral->boxes |= position->barrier[area];
}

/* Makes a square beside a box of the corral part of it. Returns false if the player can walk there. */
static bool annex(const struct position *position, unsigned square, struct corral *corral)
{
    const uint8_t on = position->on[square];
    if (on == WALKED)
        return false;
    if (on == BOX)
        corral->boxes |= SOKOBAN_BOX(position->box[square]);
    else
        annex_area(position, on, corral);
    return true;
}

static bool is_inside(const struct position *position, const struct corral *corral, unsigned square)
{
    return position->on[square] >= FIRST_AREA && corral->area[position->on[square]];
}

static bool has_box(const struct position *position, const struct corral *corral, unsigned square)
{
    return position->on[square] == BOX && (corral->boxes >> position->box[square] & 1) != 0;
}

/* Looks at a push, by a player on one side of a box of the corral to the other side, as if the boxes of
 * others were not there. It must go inside, and be possible now: the corral grows by what is in its way. What
 * holds of a push holds when the corral has grown. Returns false if that cannot be. */
static bool judge_push(const struct sokoban *sokoban, const struct position *position, unsigned player,
                       unsigned to, struct corral *corral)
{
    if (player == SOKOBAN_NO_SQUARE || to == SOKOBAN_NO_SQUARE || sokoban->distance[to] == SOKOBAN_DEAD)
        return true;
    if (has_box(position, corral, player) || has_box(position, corral, to) ||
        is_inside(position, corral, player))
        return true;
    if (!is_inside(position, corral, to)) {
        if (!annex(position, to, corral))
            return false;
        if (position->on[to] == BOX)
            return true;
    }
    if (position->on[player] != WALKED)
        return annex(position, player, corral);
    corral->pushes++;
    return true;
}

/* Grows a corral from one area until it fits. Returns false if it does not. */
static bool find_corral(const struct sokoban *sokoban, const uint8_t *state, const struct position *position,
                        unsigned area, struct corral *corral)
{
    memset(corral, 0, sizeof *corral);
    annex_area(position, area, corral);
    for (sokoban_boxes judged = 0, left; (left = corral->boxes & ~judged) != 0;) {
        const unsigned box = (unsigned)__builtin_ctzll(left);
        const uint8_t *near = sokoban->neighbour[state[box]];
        judged |= SOKOBAN_BOX(box);
        for (unsigned d = 0; d < 4; d++)
            if (!judge_push(sokoban, position, near[d ^ 1], near[d], corral))
                return false;
    }
    return true;
}

static bool is_solved(const struct sokoban *sokoban, const uint8_t *state, const struct position *position,
                      const struct corral *corral)
{
    for (sokoban_boxes left = corral->boxes; left != 0; left &= left - 1)
        if (!sokoban->goal[state[__builtin_ctzll(left)]])
            return false;
    for (unsigned i = 0; i < sokoban->squares; i++)
        if (sokoban->goal[i] && is_inside(position, corral, i))
            return false;
    return true;
}

sokoban_boxes sokoban_needed_boxes(const struct sokoban *sokoban, const uint8_t *state)
{
    struct position position;
    sokoban_boxes needed = SOKOBAN_ALL_BOXES;
    unsigned least = UINT32_MAX;
    read_position(sokoban, state, &position);
    for (unsigned area = FIRST_AREA; area < position.areas_end; area++) {
        struct corral corral;
        if (!find_corral(sokoban, state, &position, area, &corral) || corral.pushes >= least ||
            is_solved(sokoban, state, &position, &corral))
            continue;
        least = corral.pushes;
        needed = corral.boxes;
    }
    return needed;
}
