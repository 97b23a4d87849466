/* SPDX-License-Identifier: MIT */
/* All states up to a distance from the root, found breadth first: their number, their parity, and, where the
 * root is the goal and moves can be undone, their distance. */
#include "base/random.h"
#include "space/check/check_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REGION_STATES = 20000, SLOTS = 1 << 16, EMPTY = 0, LOOKED_AT = 2000 };

struct region {
    struct check *check;
    uint8_t *states;      /* in the order of their distance */
    uint32_t *distance;   /* of each */
    uint32_t *slots;      /* number + 1 of a state, by its hash; 0 for none */
    uint32_t count, next; /* the next one to be expanded */
};

static uint8_t *region_state(const struct region *region, uint32_t number)
{
    return region->states + (size_t)number * region->check->space->state_bytes;
}

static uint32_t hash(const struct region *region, const void *state)
{
    uint64_t words[PZ_STATE_MAX / 8] = {0};
    struct random random = {0};
    uint64_t mixed = 0;
    memcpy(words, state, region->check->space->state_bytes);
    for (unsigned i = 0; i < PZ_STATE_MAX / 8; i++) {
        random.state ^= words[i];
        mixed = random_next(&random);
    }
    return (uint32_t)mixed;
}

/* Returns the state's slot, or the free one where it belongs. */
static uint32_t *find_slot(const struct region *region, const void *state)
{
    const size_t size = region->check->space->state_bytes;
    uint32_t at = hash(region, state) % SLOTS;
    while (region->slots[at] != EMPTY &&
           memcmp(region_state(region, region->slots[at] - 1), state, size) != 0)
        at = (at + 1) % SLOTS;
    return &region->slots[at];
}

static void region_add(struct region *region, uint32_t *slot, const void *state, uint32_t distance)
{
    memcpy(region_state(region, region->count), state, region->check->space->state_bytes);
    region->distance[region->count] = distance;
    *slot = ++region->count;
}

/* Holds an edge between two known states against PZ_BIPARTITE. */
static void check_edge(struct region *region, const void *from, uint32_t distance, uint32_t other)
{
    if ((region->check->space->flags & PZ_BIPARTITE) != 0 && distance % 2 == other % 2)
        check_broken(region->check, PROMISE_BIPARTITE, from,
                     "PZ_BIPARTITE: a move joins states at distances %" PRIu32 " and %" PRIu32
                     " from the root",
                     distance, other);
}

/* Returns false if the state's successors are of no use. */
static bool expand_next(struct region *region)
{
    struct check *check = region->check;
    const uint32_t number = region->next++;
    const uint32_t distance = region->distance[number];
    struct checked_successors *brood = check->brood[0];
    if (!check_expand(check, region_state(region, number), PZ_NO_TOKEN, brood))
        return false;
    for (unsigned i = 0; i < brood->count; i++) {
        const uint8_t *state = check_brood_state(check, brood, i);
        uint32_t *slot = find_slot(region, state);
        if (*slot != EMPTY)
            check_edge(region, region_state(region, number), distance, region->distance[*slot - 1]);
        else if (region->count < REGION_STATES)
            region_add(region, slot, state, distance + 1);
        else
            return false;
    }
    return true;
}

/* The root is the goal, and every move can be undone: the distance from it is that to it. */
static void check_distances(const struct region *region)
{
    struct check *check = region->check;
    const struct pz_puzzle *puzzle = check->puzzle;
    for (uint32_t i = 0; i < region->count; i++) {
        const uint8_t *state = region_state(region, i);
        check_calling(check, "heuristic");
        const unsigned bound = puzzle->heuristic != NULL ? puzzle->heuristic(check->space, state) : 0;
        if (bound > region->distance[i])
            check_broken(check, PROMISE_ADMISSIBLE, state,
                         "heuristic is %u, and the goal is %" PRIu32 " moves away", bound,
                         region->distance[i]);
        check_calling(check, "solvable");
        if (puzzle->solvable != NULL && puzzle->solvable(check->space, state) == PZ_NO)
            check_broken(check, PROMISE_SOLVABLE, state,
                         "solvable says no, and the goal is %" PRIu32 " moves away", region->distance[i]);
        check_calling(check, "is_goal");
        if (puzzle->is_goal(check->space, state) != (i == 0))
            check_broken(check, PROMISE_GOAL, state, "PZ_UNIQUE_GOAL: is_goal does not agree with goal");
    }
}

static void check_total(const struct region *region)
{
    struct check *check = region->check;
    check_calling(check, "count");
    const uint64_t count = check->puzzle->count != NULL ? check->puzzle->count(check->space) : 0;
    if (count > 0 && region->count > count)
        check_broken(check, PROMISE_COUNT, NULL, "%" PRIu32 " states can be reached, and count is %" PRIu64,
                     region->count, count);
}

/* Looks at some of the states more closely, evenly over the distances. */
static void check_some(const struct region *region)
{
    const uint32_t stride = region->count / LOOKED_AT + 1;
    bool of_use = true;
    for (uint32_t i = 0; i < region->count && of_use; i += stride)
        of_use = check_state(region->check, region_state(region, i));
}

static void region_explore(struct region *region, const void *root)
{
    struct check *check = region->check;
    const uint32_t both = PZ_REVERSIBLE | PZ_UNIQUE_GOAL;
    uint64_t goal[PZ_STATE_MAX / 8] = {0};
    bool goes_on = true;
    region_add(region, find_slot(region, root), root, 0);
    while (goes_on && region->next < region->count)
        goes_on = expand_next(region);
    check->result->near = region->count;
    check->result->whole = goes_on;
    check_total(region);
    check_some(region);
    if ((check->space->flags & both) != both || check->puzzle->goal == NULL)
        return;
    check_calling(check, "goal");
    check->puzzle->goal(check->space, goal);
    if (memcmp(goal, root, check->space->state_bytes) == 0)
        check_distances(region);
}

void check_region(struct check *check, const void *root)
{
    struct region region = {.check = check,
                            .states = malloc((size_t)REGION_STATES * check->space->state_bytes),
                            .distance = malloc(REGION_STATES * sizeof *region.distance),
                            .slots = calloc(SLOTS, sizeof *region.slots)};
    if (region.states != NULL && region.distance != NULL && region.slots != NULL)
        region_explore(&region, root);
    free(region.states);
    free(region.distance);
    free(region.slots);
}
