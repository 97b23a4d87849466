/* SPDX-License-Identifier: MIT */
/*
 * Nodes lie one after another in two reserved ranges: their states, and what the search knows of them. They
 * are never moved or removed. A table of node numbers finds the best known node of a state. A better way to a
 * state makes a new node; the old one is skipped when its turn comes. The open list has a stack of nodes for
 * each value of f = g + h. The best node is the top of the lowest stack that is not empty. Of equal nodes
 * that is the one found last, which tends to be nearer to the goal. Where f passes EXPLORE_COST_MAX nodes are
 * left out, and without another solution the answer is unknown.
 */
#include "solve/astar.h"

#include "base/memory.h"
#include "explore/costs/cost_stacks.h"
#include "explore/explore.h"
#include "explore/run/monitor.h"
#include "solve/bound.h"
#include "solve/ending.h"
#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODE_CHUNK = 1 << 15,  /* nodes whose memory is taken from the budget at once */
    FIRST_SLOTS = 1 << 12, /* of the table of numbers */
    POLL_NODES = 2048,
    POLL_SLOTS = 1 << 16 /* moved to a larger table between two polls: milliseconds */
};

#define NO_NODE UINT32_MAX

struct astar_node {
    uint32_t parent; /* NO_NODE at the start */
    uint32_t below;  /* the next in its stack of the open list, plus 1; 0 for none */
    uint32_t g;
    uint16_t h;
    uint8_t token;
    bool done; /* expanded, or replaced by a better one */
};

/* The successors of the node that is expanded. */
struct offspring {
    uint8_t *states;
    uint32_t *costs;
    uint8_t *tokens;
};

struct astar {
    const struct pz_space *space;
    const struct solve_bound *bound;
    space_expand *expand; /* where all moves cost one */
    struct offspring offspring;
    struct budget *budget;
    size_t state_bytes;
    uint64_t *states; /* reserved for capacity nodes */
    struct astar_node *nodes;
    uint32_t capacity, paid, count; /* nodes: address space, taken from the budget, in use */
    uint32_t *slots;                /* node numbers by state plus 1, open addressing; 0 when free */
    uint32_t slot_mask;
    uint32_t distinct;
    struct cost_stacks open; /* of nodes by f, plus 1 */
    bool far;                /* nodes beyond EXPLORE_COST_MAX were left out */
    uint64_t open_count, expanded, generated;
    struct monitor *monitor;
};

/* ---- memory ---- */

static void astar_close(struct astar *astar)
{
    uint64_t each = astar->state_bytes + sizeof(struct astar_node);
    memory_unmap(astar->states, astar->capacity * astar->state_bytes);
    memory_unmap(astar->nodes, astar->capacity * sizeof(struct astar_node));
    budget_give(astar->budget, astar->paid * each);
    budget_unmap(astar->budget, astar->slots, ((uint64_t)astar->slot_mask + 1) * sizeof *astar->slots);
    cost_stacks_clear(&astar->open);
    free(astar->offspring.states);
}

static bool offspring_open(struct offspring *offspring, const struct pz_space *space)
{
    const size_t most = space->max_successors;
    offspring->states =
        malloc(most * (space->state_bytes + sizeof *offspring->costs + sizeof *offspring->tokens));
    if (offspring->states == NULL)
        return false;
    offspring->costs = (uint32_t *)(void *)(offspring->states + most * space->state_bytes);
    offspring->tokens = (uint8_t *)(offspring->costs + most);
    for (size_t i = 0; i < most; i++)
        offspring->costs[i] = 1;
    return true;
}

static bool astar_open(struct astar *astar, const struct solve_request *request, struct monitor *monitor)
{
    memset(astar, 0, sizeof *astar);
    astar->monitor = monitor;
    astar->space = request->space;
    astar->bound = request->bound;
    astar->expand = space_expand_needed(request->space);
    astar->budget = request->budget;
    astar->state_bytes = request->space->state_bytes;
    uint64_t most =
        budget_free(request->budget) / (astar->state_bytes + sizeof(struct astar_node)) + NODE_CHUNK;
    astar->capacity = most < NO_NODE - 1 ? (uint32_t)most : NO_NODE - 1;
    astar->states = memory_map(astar->capacity * astar->state_bytes, MEMORY_HUGE_PAGES);
    astar->nodes = memory_map(astar->capacity * sizeof(struct astar_node), MEMORY_HUGE_PAGES);
    astar->slots = budget_map(astar->budget, FIRST_SLOTS * sizeof *astar->slots);
    astar->slot_mask = FIRST_SLOTS - 1;
    const bool whole = offspring_open(&astar->offspring, request->space) && astar->states != NULL &&
                       astar->nodes != NULL && cost_stacks_init(&astar->open, astar->budget);
    if (!whole)
        budget_starve(astar->budget);
    if (!whole || astar->slots == NULL)
        return false;
    return true;
}

static const void *state_of(const struct astar *astar, uint32_t number)
{
    return (const uint8_t *)astar->states + number * astar->state_bytes;
}

/* ---- the table ---- */

static uint64_t hash_state(const struct astar *astar, const uint64_t *state)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < astar->state_bytes / sizeof *state; i++) {
        hash = (hash ^ state[i]) * 0x9E3779B97F4A7C15u; /* Knuth's multiplicative hash, folded */
        hash ^= hash >> 32;
    }
    return hash;
}

static const uint32_t *first_slot(const struct astar *astar, const uint8_t *state)
{
    return &astar->slots[hash_state(astar, (const uint64_t *)(const void *)state) & astar->slot_mask];
}

/* Returns the slot of a state's node, or the free slot where it would go. */
static uint32_t *find_slot(const struct astar *astar, const void *state)
{
    uint64_t slot = hash_state(astar, state);
    for (;; slot++) {
        uint32_t *place = &astar->slots[slot & astar->slot_mask];
        if (*place == 0 || memcmp(state_of(astar, *place - 1), state, astar->state_bytes) == 0)
            return place;
    }
}

/* Returns the next free slot for a state that has none yet, without comparing states. */
static uint32_t *free_slot(const struct astar *astar, const void *state)
{
    uint64_t slot = hash_state(astar, state);
    while (astar->slots[slot & astar->slot_mask] != 0)
        slot++;
    return &astar->slots[slot & astar->slot_mask];
}

/* Doubles the table. PZ_MEMORY, or why the search is to end. */
static enum pz_status grow_slots(struct astar *astar)
{
    uint64_t old_count = (uint64_t)astar->slot_mask + 1;
    uint32_t *old = astar->slots;
    uint32_t *grown = budget_map(astar->budget, old_count * 2 * sizeof *grown);
    enum pz_status status = PZ_OK;
    if (grown == NULL)
        return PZ_MEMORY;
    astar->slots = grown;
    astar->slot_mask = (uint32_t)(old_count * 2 - 1);
    for (uint64_t i = 0; i < old_count && status == PZ_OK; i++) {
        if (old[i] != 0)
            *free_slot(astar, state_of(astar, old[i] - 1)) = old[i];
        if (i % POLL_SLOTS == 0)
            status = monitor_poll(astar->monitor);
    }
    budget_unmap(astar->budget, old, old_count * sizeof *old);
    return status;
}

/* ---- the search ---- */

static bool node_room(struct astar *astar)
{
    if (astar->count < astar->paid)
        return true;
    uint64_t bytes = NODE_CHUNK * (uint64_t)(astar->state_bytes + sizeof(struct astar_node));
    if (astar->capacity - astar->paid < NODE_CHUNK || !budget_take(astar->budget, bytes))
        return false;
    astar->paid += NODE_CHUNK;
    return true;
}

/* Adds a node for a state that is new or now reached by a shorter way. PZ_MEMORY without room, or why the
 * search is to end. */
static enum pz_status add_node(struct astar *astar, const void *state, uint32_t parent, uint64_t g,
                               uint8_t token)
{
    uint32_t *slot = find_slot(astar, state);
    assert(*slot <= astar->count && (parent == NO_NODE || parent < astar->count));
    bool is_new = *slot == 0;
    struct astar_node *known = is_new ? NULL : &astar->nodes[*slot - 1];
    struct astar_node node = {.parent = parent, .g = (uint32_t)g, .token = token};
    if (is_new) {
        const unsigned bound = bound_of(astar->bound, astar->space, state);
        node.h = bound < PZ_HOPELESS ? (uint16_t)bound : PZ_HOPELESS;
    } else if (known->g <= g) {
        return PZ_OK;
    } else {
        node.h = known->h;
        assert(known->done || astar->open_count > 0);
        astar->open_count -= !known->done;
        known->done = true;
    }
    if (node.h >= PZ_HOPELESS)
        return PZ_OK;
    /* Where the bound is not consistent a node may promise less than was proven before. */
    const uint64_t f = g + node.h > astar->open.lowest ? g + node.h : astar->open.lowest;
    if (f > EXPLORE_COST_MAX) {
        astar->far = true;
        return PZ_OK;
    }
    uint32_t *top = cost_stacks_top(&astar->open, (uint32_t)f);
    if (top == NULL || !node_room(astar))
        return PZ_MEMORY;
    assert(astar->count < astar->paid && astar->paid <= astar->capacity);
    astar->distinct += is_new;
    *slot = astar->count + 1;
    memcpy((uint8_t *)astar->states + astar->count * astar->state_bytes, state, astar->state_bytes);
    node.below = *top;
    astar->nodes[astar->count++] = node;
    *top = astar->count;
    astar->open_count++;
    return astar->distinct > astar->slot_mask / 3 * 2 ? grow_slots(astar) : PZ_OK;
}

/* Takes the best open node; NO_NODE when there is none. */
static uint32_t take_best(struct astar *astar)
{
    uint32_t *top;
    while ((top = cost_stacks_first(&astar->open)) != NULL) {
        const uint32_t best = *top - 1;
        *top = astar->nodes[best].below;
        if (astar->nodes[best].done)
            continue;
        assert(best < astar->count && astar->open_count > 0);
        astar->nodes[best].done = true;
        astar->open_count--;
        return best;
    }
    return NO_NODE;
}

/* Brings what add() looks at into the cache: in turn the slots, and what they lead to. */
static void prefetch(const struct astar *astar, const uint8_t *successors, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        __builtin_prefetch(first_slot(astar, successors + i * astar->state_bytes));
    for (unsigned i = 0; i < count; i++) {
        const uint32_t known = *first_slot(astar, successors + i * astar->state_bytes);
        if (known == 0)
            continue;
        __builtin_prefetch(state_of(astar, known - 1));
        __builtin_prefetch(&astar->nodes[known - 1]);
    }
}

/* Writes the successors of a node and returns their number. */
static unsigned make_offspring(struct astar *astar, uint32_t number)
{
    const struct pz_space *space = astar->space;
    const struct offspring *offspring = &astar->offspring;
    const uint8_t token = astar->nodes[number].token;
    if ((space->flags & PZ_COSTS) != 0)
        return space_expand_costs(space, state_of(astar, number), token, offspring->states, offspring->tokens,
                                  offspring->costs);
    if (space->puzzle->expand_leaps != NULL)
        return space->puzzle->expand_leaps(space, state_of(astar, number), token, offspring->states,
                                           offspring->tokens, offspring->costs);
    return astar->expand(space, state_of(astar, number), token, offspring->states, offspring->tokens);
}

static enum pz_status expand_node(struct astar *astar, uint32_t number)
{
    const struct offspring *offspring = &astar->offspring;
    const unsigned count = make_offspring(astar, number);
    const uint64_t g = astar->nodes[number].g;
    assert(count <= astar->space->max_successors);
    enum pz_status status = PZ_OK;
    astar->expanded++;
    astar->generated += count;
    prefetch(astar, offspring->states, count);
    for (unsigned i = 0; i < count && status == PZ_OK; i++)
        status = add_node(astar, offspring->states + i * astar->state_bytes, number, g + offspring->costs[i],
                          offspring->tokens[i]);
    return status;
}

static enum pz_status run_astar(struct astar *astar, uint32_t *goal)
{
    struct monitor *monitor = astar->monitor;
    for (;;) {
        *goal = take_best(astar);
        if (*goal == NO_NODE || astar->space->puzzle->is_goal(astar->space, state_of(astar, *goal)))
            return PZ_OK;
        enum pz_status status = expand_node(astar, *goal);
        if (status == PZ_OK && astar->expanded % POLL_NODES == 0) {
            monitor->progress.level = astar->open.lowest;
            monitor->progress.frontier = astar->open_count;
            monitor->progress.states = astar->count;
            status = monitor_poll(monitor);
        }
        if (status != PZ_OK)
            return status;
    }
}

/* ---- the answer ---- */

/* Returns how many moves lead from a node's parent to it; 0 for the start. */
static size_t moves_to(const struct astar *astar, uint32_t number)
{
    const struct astar_node *node = &astar->nodes[number];
    if (node->parent == NO_NODE)
        return 0;
    return astar->space->puzzle->between == NULL ? 1 : node->g - astar->nodes[node->parent].g;
}

static size_t count_moves(const struct astar *astar, uint32_t goal)
{
    size_t moves = 0;
    for (uint32_t number = goal; number != NO_NODE; number = astar->nodes[number].parent)
        moves += moves_to(astar, number);
    return moves;
}

static enum pz_status write_astar_path(const struct astar *astar, uint32_t goal, struct solve_result *result,
                                       struct pz_error *error)
{
    size_t moves = count_moves(astar, goal), bytes = astar->state_bytes;
    uint8_t *path = malloc((moves + 1) * bytes);
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %zu moves", moves);
    result->path = path;
    result->moves = (int64_t)moves;
    result->cost = astar->nodes[goal].g;
    for (uint32_t number = goal; number != NO_NODE; number = astar->nodes[number].parent) {
        memcpy(path + moves * bytes, state_of(astar, number), bytes);
        const size_t length = moves_to(astar, number);
        moves -= length;
        if (length > 1)
            astar->space->puzzle->between(astar->space, state_of(astar, astar->nodes[number].parent),
                                          state_of(astar, number), path + (moves + 1) * bytes);
    }
    assert(moves == 0); /* the whole path is written */
    return PZ_OK;
}

static enum pz_status conclude(const struct astar *astar, enum pz_status status, uint32_t goal,
                               struct solve_result *result, struct pz_error *error)
{
    result->expanded = astar->expanded;
    result->generated = astar->generated;
    const uint32_t lowest = astar->open.lowest;
    if (status == PZ_OK && goal == NO_NODE && astar->far)
        return ending_stopped(result, STOP_LEVELS, (int64_t)EXPLORE_COST_MAX + 1);
    if (status == PZ_LIMIT || status == PZ_MEMORY)
        return ending_stopped(result, status == PZ_LIMIT ? STOP_TIME : STOP_MEMORY, lowest);
    if (status != PZ_OK)
        return ending_cancelled(result, lowest, error);
    result->solvable = goal == NO_NODE ? PZ_NO : PZ_YES;
    return goal == NO_NODE ? PZ_OK : write_astar_path(astar, goal, result, error);
}

enum pz_status astar_run(const struct solve_request *request, struct control *control,
                         struct solve_result *result, struct pz_error *error)
{
    struct astar astar;
    struct monitor monitor;
    uint32_t goal = NO_NODE;
    enum pz_status status = PZ_MEMORY;
    result->method = METHOD_ASTAR;
    result->moves = -1;
    monitor_init(&monitor, control, request->budget, "search");
    if (astar_open(&astar, request, &monitor))
        status = add_node(&astar, request->start, NO_NODE, 0, PZ_NO_TOKEN);
    if (status == PZ_OK)
        status = run_astar(&astar, &goal);
    status = conclude(&astar, status, goal, result, error);
    astar_close(&astar);
    return status;
}
