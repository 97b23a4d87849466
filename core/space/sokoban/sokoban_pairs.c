/* SPDX-License-Identifier: MIT */
/*
 * A bound from pairs of boxes that hinder each other: the pushes that two boxes, alone on the floor, need
 * more than each of them alone, whichever two goals they go to. Of these goals the least counts, so that a
 * solution, too, makes as many pushes of the two more than the matching has for them. Pairs without a common
 * box add up.
 *
 * A table has this for all pairs of squares and all squares of the player. It is made by pulling two boxes
 * away from each pair of goals, breadth first.
 */
#include "space/sokoban/sokoban.h"
#include "space/sokoban/sokoban_clusters.h"

#include "space/guard.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNSEEN = 0xFFFF,
    DEAD = 0xFF,         /* an excess: the two never come to goals both */
    REGIONS_MAX = 8,     /* of the player, beside two boxes */
    EDGES_MAX = 8,       /* of a state */
    WORK_MAX = 1 << 26,  /* states to visit: half a second */
    ASK_STATES = 1 << 16 /* visited before it asks if the table is still wanted */
};
#define NO_STATE UINT32_MAX

struct sokoban_pairs {
    bool made;        /* false if that takes too long: then nothing below is read */
    uint8_t excess[]; /* of two numbers of alive squares (pair_of), by the player's square */
};

static size_t pair_of(unsigned a, unsigned b)
{
    assert(a <= SOKOBAN_SQUARES_MAX && b <= SOKOBAN_SQUARES_MAX);
    return a < b ? (size_t)b * (b - 1) / 2 + a : (size_t)a * (a - 1) / 2 + b;
}

/* ---- states of two boxes ---- */

/* A position is two boxes on squares with numbers a < b, and a region of the player. A state is a position,
 * and which of the boxes is the first: of state 2 × position the one on a. */
struct position {
    uint8_t number[2];
    uint8_t player; /* a square of the region */
    uint8_t excess;
};

struct making {
    const struct sokoban *sokoban;
    struct sokoban_pairs *pairs; /* excess: of each square the region that it is in, until the end */
    unsigned squares, positions;
    uint32_t *first; /* position of a pair */
    struct position *position;
    uint32_t *edge;   /* of a state the first in before; one more, the end */
    uint32_t *before; /* states from which a push leads to this one */
    uint16_t *pushes; /* of a state */
    uint32_t *queue;
    unsigned visited; /* states, since it was last asked */
    bool dropped;     /* the table is no longer wanted: all loops end */
};

/* Counts a state that is visited. Returns false if the table is no longer wanted. */
static bool visit_state(struct making *making)
{
    if (++making->visited == ASK_STATES) {
        making->visited = 0;
        making->dropped = making->dropped || !wanted_still();
    }
    return !making->dropped;
}

static uint8_t *pair_excess(const struct making *making, unsigned a, unsigned b)
{
    return making->pairs->excess + pair_of(a, b) * making->squares;
}

static void find_positions(struct making *making)
{
    for (unsigned b = 1; b < making->sokoban->alive; b++) {
        for (unsigned a = 0; a < b; a++) {
            uint8_t *region = pair_excess(making, a, b);
            const unsigned first = making->positions;
            making->first[pair_of(a, b)] = first;
            making->positions += sokoban_find_regions(
                making->sokoban,
                (const uint8_t[]){making->sokoban->alive_square[a], making->sokoban->alive_square[b]}, 2,
                region);
            assert(making->positions - first <= REGIONS_MAX);
            for (unsigned i = 0; i < making->squares; i++)
                if (region[i] != SOKOBAN_NO_SQUARE)
                    making->position[first + region[i]] =
                        (struct position){{(uint8_t)a, (uint8_t)b}, (uint8_t)i, DEAD};
        }
    }
}

/* Returns the state from which a push leads to this one: box 0 or 1 of its position came against a direction.
 * NO_STATE if there is none. */
static uint32_t pull(const struct making *making, uint32_t state, unsigned box, unsigned direction)
{
    const struct position *position = &making->position[state / 2];
    const unsigned from = position->number[box], other = position->number[1 - box];
    const uint8_t *region = pair_excess(making, from, other);
    const unsigned to = making->sokoban->neighbour[making->sokoban->alive_square[from]][direction];
    if (to == SOKOBAN_NO_SQUARE || region[to] != region[position->player])
        return NO_STATE;
    const unsigned player = making->sokoban->neighbour[to][direction],
                   number = making->sokoban->alive_number[to];
    if (player == SOKOBAN_NO_SQUARE || player == making->sokoban->alive_square[other] ||
        number == SOKOBAN_NO_SQUARE)
        return NO_STATE;
    const bool is_first = box == state % 2, is_higher = number > other;
    return 2 * (making->first[pair_of(number, other)] + pair_excess(making, number, other)[player]) +
           (is_first == is_higher);
}

static void find_edges(struct making *making)
{
    uint32_t count = 0;
    for (uint32_t state = 0; state < 2 * making->positions && visit_state(making); state++) {
        making->edge[state] = count;
        for (unsigned i = 0; i < EDGES_MAX; i++) {
            making->before[count] = pull(making, state, i % 2, i / 2);
            count += making->before[count] != NO_STATE;
        }
    }
    assert(count <= 2 * (size_t)making->positions * EDGES_MAX);
    making->edge[2 * (size_t)making->positions] = count;
}

/* ---- pulls ---- */

/* Returns the pushes of both boxes of a state to two goals, each as if it were alone. */
static unsigned pair_apart(const struct making *making, uint32_t state, const unsigned goals[2])
{
    const struct sokoban *sokoban = making->sokoban;
    const struct position *position = &making->position[state / 2];
    unsigned sum = 0;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned square = making->sokoban->alive_square[position->number[i ^ state % 2]];
        sum += sokoban->route[square][sokoban->side[square][position->player]].to_goal[goals[i]];
    }
    return sum;
}

/* Pulls two boxes away from two goals, given by their order, the first from the first. */
static void pull_pair_from(struct making *making, const unsigned goals[2], const unsigned numbers[2])
{
    const uint32_t first = making->first[pair_of(numbers[0], numbers[1])];
    uint32_t tail = 0;
    memset(making->pushes, 0xFF, 2 * (size_t)making->positions * sizeof *making->pushes);
    for (uint32_t i = first; i < making->positions && making->position[i].number[0] == numbers[0] &&
                             making->position[i].number[1] == numbers[1];
         i++) {
        making->pushes[2 * (size_t)i] = 0;
        making->queue[tail++] = 2 * i;
    }
    for (uint32_t head = 0; head < tail && visit_state(making); head++) {
        const uint32_t state = making->queue[head];
        uint8_t *least = &making->position[state / 2].excess;
        const unsigned pushes = making->pushes[state], excess = pushes - pair_apart(making, state, goals);
        assert(excess <= pushes);
        const unsigned noted = excess < DEAD - 1 ? excess : DEAD - 1; /* less than it needs is a bound, too */
        *least = noted < *least ? (uint8_t)noted : *least;
        for (uint32_t i = making->edge[state]; i < making->edge[state + 1]; i++) {
            const uint32_t before = making->before[i];
            if (making->pushes[before] != UNSEEN)
                continue;
            assert(pushes + 1 < UNSEEN && tail < 2 * making->positions);
            making->pushes[before] = (uint16_t)(pushes + 1);
            making->queue[tail++] = before;
        }
    }
}

static void pull_from_all(struct making *making)
{
    const struct sokoban *sokoban = making->sokoban;
    unsigned numbers[SOKOBAN_BOXES_MAX], count = 0;
    for (unsigned square = 0; square < making->squares; square++)
        if (sokoban->goal[square])
            numbers[count++] = making->sokoban->alive_number[square];
    for (unsigned b = 1; b < count; b++)
        for (unsigned a = 0; a < b && !making->dropped; a++)
            pull_pair_from(making, (const unsigned[]){a, b}, (const unsigned[]){numbers[a], numbers[b]});
    for (unsigned b = 1; b < making->sokoban->alive; b++) {
        for (unsigned a = 0; a < b; a++) {
            uint8_t *square = pair_excess(making, a, b);
            for (unsigned i = 0; i < making->squares; i++)
                square[i] = square[i] == SOKOBAN_NO_SQUARE
                                ? 0
                                : making->position[making->first[pair_of(a, b)] + square[i]].excess;
        }
    }
}

/* ---- the table ---- */

static bool make_states(struct making *making)
{
    const size_t pairs = pair_of(0, making->sokoban->alive), most = pairs * REGIONS_MAX;
    making->first = calloc(pairs + 1, sizeof *making->first);
    making->position = calloc(most + 1, sizeof *making->position);
    if (making->first == NULL || making->position == NULL)
        return false;
    find_positions(making);
    const size_t states = 2 * (size_t)making->positions;
    making->edge = malloc((states + 1) * sizeof *making->edge);
    making->before = malloc((states * EDGES_MAX + 1) * sizeof *making->before);
    making->pushes = malloc((states + 1) * sizeof *making->pushes);
    making->queue = malloc((states + 1) * sizeof *making->queue);
    return making->edge != NULL && making->before != NULL && making->pushes != NULL && making->queue != NULL;
}

static void making_free(struct making *making)
{
    free(making->first);
    free(making->position);
    free(making->edge);
    free(making->before);
    free(making->pushes);
    free(making->queue);
}

/* Makes the table, or one that is not made where that takes too long; NULL without memory, and if it is no
 * longer wanted. */
static struct sokoban_pairs *make_pairs(const struct sokoban *sokoban)
{
    struct making making = {.sokoban = sokoban, .squares = sokoban->squares};
    const size_t bytes = pair_of(0, sokoban->alive) * sokoban->squares;
    making.pairs = calloc(1, sizeof *making.pairs + bytes);
    if (making.pairs == NULL)
        return NULL;
    const bool has_room = make_states(&making);
    const uint64_t work = (uint64_t)sokoban->boxes * (sokoban->boxes - 1) / 2 * 2 * making.positions;
    making.pairs->made = has_room && work <= WORK_MAX;
    if (making.pairs->made) {
        find_edges(&making);
        if (!making.dropped)
            pull_from_all(&making);
    }
    making_free(&making);
    if (!making.dropped)
        return making.pairs;
    free(making.pairs);
    return NULL;
}

/* Returns the table; NULL if this thread's work is no longer wanted. The first to ask makes it; of two at
 * once one throws its own away. */
static const struct sokoban_pairs *pairs_of(const struct sokoban *sokoban)
{
    struct sokoban_pairs *pairs = atomic_load_explicit(sokoban->pairs, memory_order_acquire);
    struct sokoban_pairs *none = NULL;
    if (pairs != NULL || !wanted_still())
        return pairs;
    pairs = make_pairs(sokoban);
    if (pairs == NULL || atomic_compare_exchange_strong(sokoban->pairs, &none, pairs))
        return pairs;
    free(pairs);
    return none;
}

/* ---- the bound ---- */

unsigned sokoban_pair_excess(const struct sokoban *sokoban, unsigned a, unsigned b, unsigned player)
{
    const struct sokoban_pairs *pairs = pairs_of(sokoban);
    return pairs != NULL && pairs->made
               ? pairs
                     ->excess[pair_of(sokoban->alive_number[a], sokoban->alive_number[b]) * sokoban->squares +
                              player]
               : 0;
}

void sokoban_hindrance_add(struct sokoban_hindrances *found, uint8_t excess, sokoban_boxes boxes)
{
    const unsigned worth = excess * 12u / (unsigned)__builtin_popcountll(boxes);
    struct sokoban_hindrance *each = found->each;
    if (found->count == SOKOBAN_HINDRANCES_MAX)
        return;
    unsigned at = found->count++;
    for (; at > 0 && each[at - 1].worth < worth; at--)
        each[at] = each[at - 1];
    each[at] = (struct sokoban_hindrance){excess, (uint16_t)worth, boxes};
}

/* Finds the pairs that hinder each other. Returns false if two can never come to goals both. */
static bool find_pairs(const struct sokoban *sokoban, const struct sokoban_pairs *pairs, const uint8_t *state,
                       struct sokoban_hindrances *found)
{
    for (unsigned b = 2; b <= sokoban->boxes; b++) {
        for (unsigned a = 1; a < b; a++) {
            const unsigned one = sokoban->alive_number[state[a]], other = sokoban->alive_number[state[b]];
            assert(one != other && one < sokoban->alive &&
                   other < sokoban->alive); /* the matching is not hopeless */
            const uint8_t excess = pairs->excess[pair_of(one, other) * sokoban->squares + state[0]];
            if (excess == DEAD)
                return false;
            if (excess > 0)
                sokoban_hindrance_add(found, excess, SOKOBAN_BOX(a) | SOKOBAN_BOX(b));
        }
    }
    return true;
}

unsigned sokoban_excess(const struct sokoban *sokoban, const struct sokoban_clusters *clusters,
                        const uint8_t *state)
{
    struct sokoban_hindrances found;
    const struct sokoban_pairs *pairs = sokoban->boxes > 1 ? pairs_of(sokoban) : NULL;
    sokoban_boxes used = 0;
    unsigned sum = 0;
    found.count = 0;
    if (pairs != NULL && pairs->made && !find_pairs(sokoban, pairs, state, &found))
        return SOKOBAN_HOPELESS;
    if (clusters != NULL && !sokoban_clusters_find(clusters, state, &found))
        return SOKOBAN_HOPELESS;
    for (unsigned i = 0; i < found.count; i++) {
        if ((used & found.each[i].boxes) != 0)
            continue;
        used |= found.each[i].boxes;
        sum += found.each[i].excess;
    }
    return sum;
}
