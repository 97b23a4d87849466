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
    uint8_t box[SOKOBAN_SQUARES_MAX]; /* the number of the box on a square */
    unsigned areas_end;
};

/* A candidate: areas and boxes, which are added as they are found to belong to it. */
struct corral {
    bool area[SOKOBAN_SQUARES_MAX];
    sokoban_boxes boxes;
    unsigned pushes;
    bool is_solved;
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
    for (unsigned i = 0; i < sokoban->squares; i++)
        if (position->on[i] == UNSEEN)
            sokoban_flood(sokoban, i, UNSEEN, (uint8_t)position->areas_end++, position->on);
}

/* Adds the boxes beside the corral's areas. */
static void add_barrier(const struct sokoban *sokoban, const uint8_t *state, const struct position *position,
                        struct corral *corral)
{
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        for (unsigned d = 0; d < 4; d++) {
            const unsigned near = sokoban->neighbour[state[i]][d];
            if (near != SOKOBAN_NO_SQUARE && position->on[near] >= FIRST_AREA &&
                corral->area[position->on[near]])
                corral->boxes |= UINT64_C(1) << i;
        }
    }
}

enum verdict { FITS, GROWN, FAILS };

/* Makes a square beside a box of the corral part of it. Returns FAILS if the player can walk there. */
static enum verdict annex(const struct position *position, unsigned square, struct corral *corral)
{
    const uint8_t on = position->on[square];
    if (on == WALKED)
        return FAILS;
    if (on == BOX)
        corral->boxes |= UINT64_C(1) << position->box[square];
    else
        corral->area[on] = true;
    return GROWN;
}

static bool is_inside(const struct position *position, const struct corral *corral, unsigned square)
{
    return position->on[square] >= FIRST_AREA && corral->area[position->on[square]];
}

/* Looks at a push, by a player on one side of a box of the corral to the other side, as if the boxes of
 * others were not there. It must go inside, and be possible now. */
static enum verdict judge_corral(const struct sokoban *sokoban, const struct position *position,
                                 unsigned player, unsigned to, struct corral *corral)
{
    if (player == SOKOBAN_NO_SQUARE || to == SOKOBAN_NO_SQUARE || sokoban->distance[to] == SOKOBAN_DEAD)
        return FITS;
    if ((position->on[player] == BOX && (corral->boxes >> position->box[player] & 1) != 0) ||
        (position->on[to] == BOX && (corral->boxes >> position->box[to] & 1) != 0) ||
        is_inside(position, corral, player))
        return FITS;
    if (!is_inside(position, corral, to))
        return annex(position, to, corral);
    if (position->on[player] != WALKED)
        return annex(position, player, corral);
    corral->pushes++;
    return FITS;
}

/* Judges all pushes of the corral's boxes. */
static enum verdict judge_all(const struct sokoban *sokoban, const uint8_t *state,
                              const struct position *position, struct corral *corral)
{
    corral->pushes = 0;
    corral->is_solved = true;
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        if ((corral->boxes >> i & 1) == 0)
            continue;
        corral->is_solved &= sokoban->goal[state[i]];
        for (unsigned d = 0; d < 4; d++) {
            const uint8_t *near = sokoban->neighbour[state[i]];
            const enum verdict verdict = judge_corral(sokoban, position, near[d ^ 1], near[d], corral);
            if (verdict != FITS)
                return verdict;
        }
    }
    for (unsigned i = 0; i < sokoban->squares; i++)
        corral->is_solved &= !(sokoban->goal[i] && is_inside(position, corral, i));
    return FITS;
}

/* Grows a corral from one area until it fits. Returns false if it does not, or is solved. */
static bool find_corral(const struct sokoban *sokoban, const uint8_t *state, const struct position *position,
                        unsigned area, struct corral *corral)
{
    enum verdict verdict;
    memset(corral, 0, sizeof *corral);
    corral->area[area] = true;
    do {
        add_barrier(sokoban, state, position, corral);
        verdict = judge_all(sokoban, state, position, corral);
    } while (verdict == GROWN);
    return verdict == FITS && !corral->is_solved;
}

sokoban_boxes sokoban_needed_boxes(const struct sokoban *sokoban, const uint8_t *state)
{
    struct position position;
    sokoban_boxes needed = SOKOBAN_ALL_BOXES;
    unsigned least = UINT32_MAX;
    read_position(sokoban, state, &position);
    for (unsigned area = FIRST_AREA; area < position.areas_end; area++) {
        struct corral corral;
        if (!find_corral(sokoban, state, &position, area, &corral) || corral.pushes >= least)
            continue;
        least = corral.pushes;
        needed = corral.boxes;
    }
    return needed;
}
