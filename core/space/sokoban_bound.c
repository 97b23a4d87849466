/* SPDX-License-Identifier: MIT */
/*
 * Finds lower bounds.
 *
 * The bound in pushes is a minimum matching of boxes and goals, by the pushes that each box would need alone.
 * A push moves one box by one square. That changes the cost of its pairs, and so the minimum, by at most one:
 * the bound is consistent. In moves the player must also walk up to some box, unless all are home. A step
 * changes that walk by one and nothing else, and just before a push it is 0.
 */
#include "space/sokoban.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = SOKOBAN_BOXES_MAX + 1 };

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
        uint16_t distance[SOKOBAN_SQUARES_MAX];
        pull_from(sokoban, square, distance);
        for (unsigned i = 0; i < sokoban->squares; i++) {
            sokoban->to_goal[i][goals] = distance[i];
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
        const uint16_t *to_goal = sokoban->to_goal[state[box]];
        unsigned next = 0;
        int delta = INT32_MAX;
        matching->used[column] = true;
        for (unsigned j = 1; j <= n; j++) {
            if (matching->used[j])
                continue;
            int cost = to_goal[j - 1] - matching->row_potential[box] - matching->column_potential[j];
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

/* Pairs each goal with the first box that it is the nearest to, and returns the other boxes as bits. With the
 * distances to the nearest goals as potentials of the boxes no cost is negative, and that of each pair is 0.
 */
static uint32_t match_nearest(const struct sokoban *sokoban, const uint8_t *state, struct matching *matching)
{
    uint32_t left = 0;
    memset(matching, 0, sizeof *matching);
    for (unsigned box = 1; box <= sokoban->boxes; box++) {
        const unsigned goal = sokoban->nearest[state[box]] + 1u;
        matching->row_potential[box] = sokoban->distance[state[box]];
        if (matching->box_of[goal] == 0)
            matching->box_of[goal] = (uint8_t)box;
        else
            left |= UINT32_C(1) << box;
    }
    return left;
}

static unsigned match(const struct sokoban *sokoban, const uint8_t *state)
{
    struct matching matching;
    unsigned sum = 0;
    for (uint32_t left = match_nearest(sokoban, state, &matching); left != 0; left &= left - 1) {
        matching.box_of[0] = (uint8_t)__builtin_ctz(left);
        for (unsigned column = find_goal(sokoban, state, &matching); column != 0;) {
            unsigned before = matching.way[column];
            matching.box_of[column] = matching.box_of[before];
            column = before;
        }
    }
    for (unsigned goal = 1; goal <= sokoban->boxes; goal++)
        sum += sokoban->to_goal[state[matching.box_of[goal]]][goal - 1];
    return sum < SOKOBAN_DEAD ? sum : SOKOBAN_HOPELESS;
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
