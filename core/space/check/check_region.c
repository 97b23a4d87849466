/* SPDX-License-Identifier: MIT */
/* All states up to a distance from the root, found breadth first: their number, their parity, and, where the
 * root is the goal and moves can be undone, their distance. */
#include "base/table/state_table.h"
#include "space/check/check_state.h"

#include <inttypes.h>
#include <string.h>

enum { REGION_STATES = 20000, LOOKED_AT = 2000 };

struct region {
    struct check *check;
    struct state_table table; /* in the order of their distance; of own: the distance */
    uint32_t next;            /* the next one to be expanded */
};

static const void *region_state(const struct region *region, uint32_t number)
{
    return state_table_at(&region->table, number);
}

static uint32_t *distance_of(const struct region *region, uint32_t number)
{
    return (uint32_t *)(void *)region->table.own + number;
}

/* Returns false where it would be one state too many. */
static bool region_add(struct region *region, uint32_t *slot, const void *state, uint32_t distance)
{
    const uint32_t number = state_table_put(&region->table, slot, state);
    if (number == STATE_TABLE_NONE)
        return false;
    *distance_of(region, number) = distance;
    return true;
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
    const uint32_t distance = *distance_of(region, number);
    struct checked_successors *successors = check->successors[0];
    if (!check_expand(check, region_state(region, number), PZ_NO_TOKEN, successors))
        return false;
    for (unsigned i = 0; i < successors->count; i++) {
        const uint8_t *state = check_successor(check, successors, i);
        uint32_t *slot = state_table_slot(&region->table, state);
        if (*slot != 0)
            check_edge(region, region_state(region, number), distance, *distance_of(region, *slot - 1));
        else if (!region_add(region, slot, state, distance + 1))
            return false;
    }
    return true;
}

/* The root is the goal, and every move can be undone: the distance from it is that to it. */
static void check_distances(const struct region *region)
{
    struct check *check = region->check;
    const struct pz_puzzle *puzzle = check->puzzle;
    for (uint32_t i = 0; i < region->table.count; i++) {
        const void *state = region_state(region, i);
        const uint32_t distance = *distance_of(region, i);
        check_calling(check, "heuristic");
        const unsigned bound = puzzle->heuristic != NULL ? puzzle->heuristic(check->space, state) : 0;
        if (bound > distance)
            check_broken(check, PROMISE_ADMISSIBLE, state,
                         "heuristic is %u, and the goal is %" PRIu32 " moves away", bound, distance);
        check_calling(check, "solvable");
        if (puzzle->solvable != NULL && puzzle->solvable(check->space, state) == PZ_NO)
            check_broken(check, PROMISE_SOLVABLE, state,
                         "solvable says no, and the goal is %" PRIu32 " moves away", distance);
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
    if (count > 0 && region->table.count > count)
        check_broken(check, PROMISE_COUNT, NULL, "%" PRIu32 " states can be reached, and count is %" PRIu64,
                     region->table.count, count);
}

/* Looks at some of the states more closely, evenly over the distances. */
static void check_some(const struct region *region)
{
    const uint32_t stride = region->table.count / check_share(region->check, LOOKED_AT) + 1;
    bool of_use = true;
    for (uint32_t i = 0; i < region->table.count && of_use; i += stride)
        of_use = check_state(region->check, region_state(region, i));
}

static void region_explore(struct region *region, const void *root)
{
    struct check *check = region->check;
    uint64_t goal[PZ_STATE_MAX / 8] = {0};
    bool goes_on = region_add(region, state_table_slot(&region->table, root), root, 0);
    while (goes_on && region->next < region->table.count)
        goes_on = expand_next(region);
    check->result->near = region->table.count;
    check->result->whole = goes_on;
    check_total(region);
    check_some(region);
    if ((check->space->flags & PZ_UNIQUE_GOAL) == 0)
        return;
    check_calling(check, "goal");
    check->puzzle->goal(check->space, goal);
    check_calling(check, "is_goal");
    if (!check->puzzle->is_goal(check->space, goal))
        check_broken(check, PROMISE_GOAL, goal, "PZ_UNIQUE_GOAL: is_goal does not agree with goal");
    if ((check->space->flags & PZ_REVERSIBLE) != 0 && memcmp(goal, root, check->space->state_bytes) == 0)
        check_distances(region);
}

void check_region(struct check *check, const void *root)
{
    struct region region = {.check = check};
    if (state_table_init_alone(&region.table, REGION_STATES, check->space->state_bytes, sizeof(uint32_t)))
        region_explore(&region, root);
    state_table_clear(&region.table);
}
