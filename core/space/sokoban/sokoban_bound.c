/* SPDX-License-Identifier: MIT */
/*
 * Finds lower bounds.
 *
 * The matching is the least of boxes and goals, by the pushes that each box would need alone, from the side
 * where the player is. A push moves one box by one square. That lowers the cost of its pairs, and so the
 * least, by at most one; of each other box the player is still on the same side: the matching is consistent.
 * The excess of clusters of boxes (sokoban_clusters.c) is not consistent, as they may go to other goals. In
 * moves the player must also walk up to some box, unless all are home. A step changes that walk by one and
 * nothing else, and just before a push it is 0.
 */
#include "space/sokoban/sokoban.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = SOKOBAN_BOXES_MAX + 1 };

/* ---- distances ---- */

void sokoban_flood(const struct sokoban *sokoban, unsigned from, uint8_t unseen, uint8_t mark, uint8_t *marks)
{
    uint8_t queue[SOKOBAN_SQUARES_MAX];
    unsigned tail = 0;
    marks[from] = mark;
    queue[tail++] = (uint8_t)from;
    for (unsigned head = 0; head < tail; head++) {
        for (unsigned d = 0; d < 4; d++) {
            const uint8_t next = sokoban->neighbour[queue[head]][d];
            if (next == SOKOBAN_NO_SQUARE || marks[next] != unseen)
                continue;
            marks[next] = mark;
            queue[tail++] = next;
        }
    }
}

/* Numbers the regions that the player can be in beside a lone box, which has SOKOBAN_NO_SQUARE: its sides. */
static void find_sides(const struct sokoban *sokoban, unsigned box, uint8_t *side)
{
    enum { UNSEEN = SOKOBAN_NO_SQUARE - 1 }; /* fewer regions than squares */
    unsigned count = 0;
    memset(side, UNSEEN, sokoban->squares);
    side[box] = SOKOBAN_NO_SQUARE;
    for (unsigned i = 0; i < sokoban->squares; i++)
        if (side[i] == UNSEEN)
            sokoban_flood(sokoban, i, UNSEEN, (uint8_t)count++, side);
}

typedef uint16_t side_distances[SOKOBAN_SQUARES_MAX][SOKOBAN_SIDES];

/* Pulls a lone box away from one goal, breadth first: the first distance found is the least. The player pulls
 * from the side that it is on, and is then on a side of the square that the box came to. */
static void pull_from(const struct sokoban *sokoban, unsigned goal, side_distances distance)
{
    uint16_t queue[SOKOBAN_SQUARES_MAX * SOKOBAN_SIDES]; /* square × SOKOBAN_SIDES + side */
    unsigned tail = 0;
    memset(distance, 0xFF, sizeof(side_distances));
    for (unsigned side = 0; side < SOKOBAN_SIDES; side++) {
        distance[goal][side] = 0;
        queue[tail++] = (uint16_t)(goal * SOKOBAN_SIDES + side);
    }
    for (unsigned head = 0; head < tail; head++) {
        const unsigned from = queue[head] / SOKOBAN_SIDES, side = queue[head] % SOKOBAN_SIDES;
        for (unsigned d = 0; d < 4; d++) {
            const unsigned box = sokoban->neighbour[from][d];
            if (box == SOKOBAN_NO_SQUARE || sokoban->side[from][box] != side)
                continue;
            const unsigned player = sokoban->neighbour[box][d];
            if (player == SOKOBAN_NO_SQUARE)
                continue;
            uint16_t *pulled = &distance[box][sokoban->side[box][player]];
            if (*pulled != SOKOBAN_DEAD)
                continue;
            *pulled = (uint16_t)(distance[from][side] + 1);
            queue[tail++] = (uint16_t)(box * SOKOBAN_SIDES + sokoban->side[box][player]);
        }
    }
}

/* Notes the pushes to one more goal. */
static void note_goal(struct sokoban *sokoban, unsigned number, side_distances distance)
{
    for (unsigned i = 0; i < sokoban->squares; i++) {
        for (unsigned side = 0; side < SOKOBAN_SIDES; side++) {
            struct sokoban_route *route = &sokoban->route[i][side];
            route->to_goal[number] = distance[i][side];
            if (distance[i][side] < sokoban->distance[i])
                sokoban->distance[i] = distance[i][side];
            if (number > 0 && distance[i][side] >= route->distance)
                continue;
            route->distance = distance[i][side];
            route->nearest = (uint8_t)number;
        }
    }
}

void sokoban_find_distances(struct sokoban *sokoban)
{
    unsigned goals = 0;
    memset(sokoban->distance, 0xFF, sizeof sokoban->distance);
    for (unsigned box = 0; box < sokoban->squares; box++)
        find_sides(sokoban, box, sokoban->side[box]);
    for (unsigned square = 0; square < sokoban->squares; square++) {
        side_distances distance;
        if (!sokoban->goal[square])
            continue;
        pull_from(sokoban, square, distance);
        note_goal(sokoban, goals++, distance);
    }
    for (unsigned i = 0; i < sokoban->squares; i++) {
        const bool is_dead = sokoban->distance[i] == SOKOBAN_DEAD;
        sokoban->alive_number[i] = is_dead ? SOKOBAN_NO_SQUARE : (uint8_t)sokoban->alive;
        if (!is_dead)
            sokoban->alive_square[sokoban->alive++] = (uint8_t)i;
    }
}

/* ---- the bound ---- */

/* Potentials and pairs of the Hungarian method; rows are boxes, columns goals, both from 1 on. */
struct matching {
    const struct sokoban_route *route[PAIRS_MAX]; /* of a box */
    int row_potential[PAIRS_MAX], column_potential[PAIRS_MAX];
    int length[PAIRS_MAX];     /* of the shortest path to a goal yet */
    uint8_t box_of[PAIRS_MAX]; /* of a goal, 0 for none */
    uint8_t back[PAIRS_MAX];
};

/* Finds a free goal for box_of[0], by a shortest augmenting path; returns it. */
static unsigned find_goal(unsigned n, struct matching *matching)
{
    unsigned column = 0, next = 0;
    int least = 0;
    for (unsigned j = 1; j <= n; j++)
        matching->length[j] = INT32_MAX;
    matching->length[0] = 0;
    sokoban_boxes unused = (SOKOBAN_BOX(n) - 1) << 1;
    do {
        const unsigned box = matching->box_of[column];
        const uint16_t *to_goal = matching->route[box]->to_goal;
        const int before = least - matching->row_potential[box];
        least = INT32_MAX;
        for (unsigned j = 1; j <= n; j++) {
            if ((unused & SOKOBAN_BOX(j)) == 0)
                continue;
            const int length = before + to_goal[j - 1] - matching->column_potential[j];
            if (length < matching->length[j]) {
                matching->length[j] = length;
                matching->back[j] = (uint8_t)column;
            }
            if (matching->length[j] < least) {
                least = matching->length[j];
                next = j;
            }
        }
        column = next;
        unused &= ~SOKOBAN_BOX(column);
    } while (matching->box_of[column] != 0);
    for (unsigned j = 0; j <= n; j++) {
        if ((unused & SOKOBAN_BOX(j)) == 0 && j != column) {
            matching->row_potential[matching->box_of[j]] += least - matching->length[j];
            matching->column_potential[j] -= least - matching->length[j];
        }
    }
    return column;
}

/* Begins with the prices of the goals, and of each box what is left to its cheapest goal: so no cost is
 * negative, and that of these pairs is 0. Pairs boxes with such goals, and returns the other boxes as bits.
 */
static sokoban_boxes match_cheapest(const struct sokoban *sokoban, struct matching *matching)
{
    const unsigned boxes = sokoban->boxes;
    sokoban_boxes left = 0;
    memset(matching->box_of, 0, sizeof matching->box_of);
    matching->row_potential[0] = matching->column_potential[0] = 0;
    for (unsigned goal = 1; goal <= boxes; goal++)
        matching->column_potential[goal] = sokoban->price[goal - 1];
    for (unsigned box = 1; box <= boxes; box++) {
        const uint16_t *to_goal = matching->route[box]->to_goal;
        int least = INT32_MAX;
        for (unsigned goal = 1; goal <= boxes; goal++) {
            const int cost = to_goal[goal - 1] - matching->column_potential[goal];
            least = cost < least ? cost : least;
        }
        matching->row_potential[box] = least;
        unsigned goal = 1;
        while (goal <= boxes &&
               (matching->box_of[goal] != 0 || to_goal[goal - 1] - matching->column_potential[goal] != least))
            goal++;
        if (goal <= boxes)
            matching->box_of[goal] = (uint8_t)box;
        else
            left |= SOKOBAN_BOX(box);
    }
    return left;
}

/* Returns the cost of the least matching of all boxes. */
static unsigned match(const struct sokoban *sokoban, struct matching *matching)
{
    unsigned sum = 0;
    for (sokoban_boxes left = match_cheapest(sokoban, matching); left != 0; left &= left - 1) {
        matching->box_of[0] = (uint8_t)__builtin_ctzll(left);
        for (unsigned column = find_goal(sokoban->boxes, matching); column != 0;) {
            unsigned before = matching->back[column];
            matching->box_of[column] = matching->box_of[before];
            column = before;
        }
    }
    for (unsigned goal = 1; goal <= sokoban->boxes; goal++)
        sum += matching->route[matching->box_of[goal]]->to_goal[goal - 1];
    return sum < SOKOBAN_DEAD ? sum : SOKOBAN_HOPELESS;
}

/* Finds each box's route. Returns false if one comes to no goal. *nearest: the sum of the pushes to the
 * nearest goals, *apart: whether no two boxes share one. */
static bool find_routes(const struct sokoban *sokoban, const uint8_t *state, struct matching *matching,
                        unsigned *nearest, bool *apart)
{
    uint64_t taken = 0;
    *nearest = 0;
    matching->route[0] = &sokoban->route[0][0]; /* no box: not looked at */
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        const struct sokoban_route *route = &sokoban->route[state[i]][sokoban->side[state[i]][state[0]]];
        if (route->distance == SOKOBAN_DEAD)
            return false;
        *nearest += route->distance;
        taken |= UINT64_C(1) << route->nearest;
        matching->route[i] = route;
    }
    *apart = (unsigned)__builtin_popcountll(taken) == sokoban->boxes;
    return true;
}

unsigned sokoban_match(const struct sokoban *sokoban, const uint8_t *state)
{
    struct matching matching;
    unsigned nearest;
    bool apart;
    if (!find_routes(sokoban, state, &matching, &nearest, &apart))
        return SOKOBAN_HOPELESS;
    return apart ? nearest : match(sokoban, &matching);
}

void sokoban_find_prices(struct sokoban *sokoban)
{
    struct matching matching;
    unsigned nearest;
    bool apart;
    if (!find_routes(sokoban, sokoban->start, &matching, &nearest, &apart) ||
        match(sokoban, &matching) == SOKOBAN_HOPELESS)
        return;
    for (unsigned goal = 1; goal <= sokoban->boxes; goal++)
        sokoban->price[goal - 1] = matching.column_potential[goal];
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

unsigned sokoban_bound(const struct sokoban *sokoban, const struct sokoban_clusters *clusters,
                       const uint8_t *state)
{
    unsigned bound = sokoban_match(sokoban, state);
    if (bound == 0 || bound == SOKOBAN_HOPELESS)
        return bound;
    const unsigned excess = sokoban_excess(sokoban, clusters, state);
    if (excess == SOKOBAN_HOPELESS)
        return SOKOBAN_HOPELESS;
    bound += excess;
    if (!sokoban->pushes)
        bound += walk_to_a_box(sokoban, state);
    return bound;
}
