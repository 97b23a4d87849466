/* SPDX-License-Identifier: MIT */
/*
 * Finds lower bounds, and deadlocks of frozen boxes.
 *
 * The bound in pushes is a minimum matching of boxes and goals, by the pushes that each box would need alone.
 * A push moves one box by one square. That changes the cost of its pairs, and so the minimum, by at most one:
 * the bound is consistent. In moves the player must also walk up to some box, unless all are home. A step
 * changes that walk by one and nothing else, and just before a push it is 0.
 */
#include "space/sokoban.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAIRS_MAX = SOKOBAN_BOXES_MAX + 1,
    NO_PAIR = 1 << 20,    /* the cost of a box and a goal that it cannot get to */
    FREEZE_LOOKS_MAX = 64 /* boxes looked at; after that a box counts as free */
};

/* ---- distances ---- */

/* Pulls a lone box away from one goal, breadth first: the first distance found is the least. */
static void pull_from(const struct sokoban *sokoban, unsigned goal, uint16_t *distance)
{
    uint8_t queue[SOKOBAN_SQUARES_MAX];
    unsigned tail = 0;
    for (unsigned i = 0; i < sokoban->squares; i++)
        distance[i] = SOKOBAN_DEAD;
    distance[goal] = 0;
    queue[tail++] = (uint8_t)goal;
    for (unsigned head = 0; head < tail; head++) {
        for (unsigned d = 0; d < 4; d++) {
            unsigned box = sokoban->neighbour[queue[head]][d];
            if (box == SOKOBAN_NO_SQUARE || distance[box] != SOKOBAN_DEAD ||
                sokoban->neighbour[box][d] == SOKOBAN_NO_SQUARE)
                continue;
            distance[box] = (uint16_t)(distance[queue[head]] + 1);
            queue[tail++] = (uint8_t)box;
        }
    }
}

void sokoban_find_distances(struct sokoban *sokoban)
{
    unsigned goals = 0;
    memset(sokoban->distance, 0xFF, sizeof sokoban->distance);
    for (unsigned square = 0; square < sokoban->squares; square++) {
        if (!sokoban->goal[square])
            continue;
        uint16_t *distance = sokoban->to_goal[goals];
        pull_from(sokoban, square, distance);
        for (unsigned i = 0; i < sokoban->squares; i++) {
            if (distance[i] >= sokoban->distance[i])
                continue;
            sokoban->distance[i] = distance[i];
            sokoban->nearest[i] = (uint8_t)goals;
        }
        goals++;
    }
}

/* ---- the bound ---- */

/* Potentials and pairs of the Hungarian method; rows are boxes, columns goals, both from 1 on. */
struct matching {
    int row_potential[PAIRS_MAX], column_potential[PAIRS_MAX];
    int slack[PAIRS_MAX];
    uint8_t box_of[PAIRS_MAX]; /* of a goal, 0 for none */
    uint8_t way[PAIRS_MAX];
    bool used[PAIRS_MAX];
};

static int pair_cost(const struct sokoban *sokoban, const uint8_t *state, unsigned box, unsigned goal)
{
    uint16_t distance = sokoban->to_goal[goal - 1][state[box]];
    return distance == SOKOBAN_DEAD ? NO_PAIR : distance;
}

/* Finds a free goal for box_of[0], by a shortest augmenting path; returns it. */
static unsigned find_goal(const struct sokoban *sokoban, const uint8_t *state, struct matching *matching)
{
    unsigned n = sokoban->boxes;
    unsigned column = 0;
    for (unsigned j = 0; j <= n; j++) {
        matching->slack[j] = INT32_MAX;
        matching->used[j] = false;
    }
    do {
        unsigned box = matching->box_of[column];
        unsigned next = 0;
        int delta = INT32_MAX;
        matching->used[column] = true;
        for (unsigned j = 1; j <= n; j++) {
            if (matching->used[j])
                continue;
            int cost = pair_cost(sokoban, state, box, j) - matching->row_potential[box] -
                       matching->column_potential[j];
            if (cost < matching->slack[j]) {
                matching->slack[j] = cost;
                matching->way[j] = (uint8_t)column;
            }
            if (matching->slack[j] < delta) {
                delta = matching->slack[j];
                next = j;
            }
        }
        for (unsigned j = 0; j <= n; j++) {
            if (matching->used[j]) {
                matching->row_potential[matching->box_of[j]] += delta;
                matching->column_potential[j] -= delta;
            } else if (j > 0) {
                matching->slack[j] -= delta;
            }
        }
        column = next;
    } while (matching->box_of[column] != 0);
    return column;
}

static unsigned match(const struct sokoban *sokoban, const uint8_t *state)
{
    struct matching matching;
    int sum = 0;
    memset(&matching, 0, sizeof matching);
    for (unsigned box = 1; box <= sokoban->boxes; box++) {
        matching.box_of[0] = (uint8_t)box;
        for (unsigned column = find_goal(sokoban, state, &matching); column != 0;) {
            unsigned before = matching.way[column];
            matching.box_of[column] = matching.box_of[before];
            column = before;
        }
    }
    for (unsigned goal = 1; goal <= sokoban->boxes; goal++)
        sum += pair_cost(sokoban, state, matching.box_of[goal], goal);
    return sum < NO_PAIR ? (unsigned)sum : SOKOBAN_HOPELESS;
}

/* Returns the cost of the matching, which is the nearest goals if no two boxes share one. */
static unsigned bound_of_boxes(const struct sokoban *sokoban, const uint8_t *state)
{
    uint32_t taken = 0;
    unsigned sum = 0;
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        if (sokoban->distance[state[i]] == SOKOBAN_DEAD)
            return SOKOBAN_HOPELESS;
        sum += sokoban->distance[state[i]];
        taken |= UINT32_C(1) << sokoban->nearest[state[i]];
    }
    return (unsigned)__builtin_popcount(taken) == sokoban->boxes ? sum : match(sokoban, state);
}

/* Returns a lower bound of the steps from the player to a square beside a box, without walls and boxes. */
static unsigned walk_to_a_box(const struct sokoban *sokoban, const uint8_t *state)
{
    unsigned columns = sokoban->level.columns;
    int row = (int)(sokoban->place[state[0]] / columns);
    int column = (int)(sokoban->place[state[0]] % columns);
    int least = INT32_MAX;
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        int rows = abs((int)(sokoban->place[state[i]] / columns) - row);
        int steps = rows + abs((int)(sokoban->place[state[i]] % columns) - column) - 1;
        least = steps < least ? steps : least;
    }
    return (unsigned)least;
}

unsigned sokoban_bound(const struct sokoban *sokoban, const uint8_t *state)
{
    unsigned bound = bound_of_boxes(sokoban, state);
    if (!sokoban->pushes && bound > 0 && bound < SOKOBAN_HOPELESS)
        bound += walk_to_a_box(sokoban, state);
    return bound;
}

/* ---- frozen boxes ---- */

enum frozen { FREE, FROZEN_AT_HOME, FROZEN_AWAY };

struct freeze {
    const struct sokoban *sokoban;
    bool box[SOKOBAN_SQUARES_MAX + 1]; /* by square; boxes being looked at are walls instead */
    bool wall[SOKOBAN_SQUARES_MAX + 1];
    unsigned looks;
};

static enum frozen look_at(struct freeze *freeze, unsigned square);

/* Returns FREE if the box on a square may ever be pushed along an axis (0 vertical, 2 horizontal), now or
 * after other pushes. */
static enum frozen look_along(struct freeze *freeze, unsigned square, unsigned axis)
{
    const struct sokoban *sokoban = freeze->sokoban;
    unsigned a = sokoban->neighbour[square][axis];
    unsigned b = sokoban->neighbour[square][axis + 1];
    if (freeze->wall[a] || freeze->wall[b])
        return FROZEN_AT_HOME;
    if (sokoban->distance[a] == SOKOBAN_DEAD && sokoban->distance[b] == SOKOBAN_DEAD)
        return FROZEN_AT_HOME;
    enum frozen frozen = freeze->box[a] ? look_at(freeze, a) : FREE;
    return frozen == FREE && freeze->box[b] ? look_at(freeze, b) : frozen;
}

/* Returns FREE, or how a box is frozen: it is if it is along both axes. Meanwhile the boxes beside it take it
 * for a wall, so that boxes that block each other are found frozen. */
static enum frozen look_at(struct freeze *freeze, unsigned square)
{
    if (++freeze->looks > FREEZE_LOOKS_MAX)
        return FREE;
    freeze->wall[square] = true;
    freeze->box[square] = false;
    enum frozen frozen = look_along(freeze, square, 0);
    if (frozen != FREE) {
        enum frozen other = look_along(freeze, square, 2);
        frozen = other == FREE || other > frozen ? other : frozen;
    }
    freeze->wall[square] = false;
    freeze->box[square] = true;
    return frozen != FREE && !freeze->sokoban->goal[square] ? FROZEN_AWAY : frozen;
}

bool sokoban_freezes(const struct sokoban *sokoban, const uint8_t *state, unsigned square)
{
    struct freeze freeze;
    freeze.sokoban = sokoban;
    freeze.looks = 0;
    memset(freeze.box, false, sizeof freeze.box);
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        freeze.box[state[i]] = true;
    memset(freeze.wall, false, sizeof freeze.wall);
    freeze.wall[SOKOBAN_NO_SQUARE] = true;
    return look_at(&freeze, square) == FROZEN_AWAY;
}
