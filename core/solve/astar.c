/* SPDX-License-Identifier: MIT */
/*
 * Each state has one node; a better way to it changes the node and opens it again. The open list has a stack
 * for each value of f = g + h. The best node is the top of the lowest stack that is not empty. Of equal nodes
 * that is the one found last, which tends to be nearer to the goal. Where f passes EXPLORE_COST_MAX nodes are
 * left out, and without another solution the answer is unknown.
 */
#include "solve/solver.h"

#include "base/table/cost_queue.h"
#include "base/table/state_table.h"
#include "explore/explore.h"
#include "explore/run/monitor.h"
#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_NODES = 16 }; /* a node of Sokoban may take milliseconds */

#define NO_NODE STATE_TABLE_NONE

/* The search's record of a state. */
struct astar_node {
    uint32_t parent; /* NO_NODE at the start */
    uint32_t g;
    uint16_t h;
    uint8_t token;
    bool done; /* expanded at this g */
};

/* The successors of the node that is expanded. */
struct astar_successors {
    uint8_t *states;
    uint32_t *costs;
    uint8_t *tokens;
};

struct astar {
    const struct solve_request *request;
    const struct pz_space *space;
    space_expand *expand; /* where all moves cost one */
    struct astar_successors successors;
    struct state_table table; /* of own: struct astar_node */
    struct cost_queue open;   /* nodes by f */
    bool far;                 /* nodes beyond EXPLORE_COST_MAX were left out */
    uint64_t open_count, expanded, generated;
    struct monitor *monitor;
};

/* ---- memory ---- */

static void astar_close(struct astar *astar)
{
    state_table_clear(&astar->table);
    cost_queue_clear(&astar->open);
    free(astar->successors.states);
}

static bool astar_successors_open(struct astar_successors *successors, const struct pz_space *space)
{
    const size_t most = space->max_successors;
    successors->states =
        malloc(most * (space->state_bytes + sizeof *successors->costs + sizeof *successors->tokens));
    if (successors->states == NULL)
        return false;
    successors->costs = (uint32_t *)(void *)(successors->states + most * space->state_bytes);
    successors->tokens = (uint8_t *)(successors->costs + most);
    for (size_t i = 0; i < most; i++)
        successors->costs[i] = 1;
    return true;
}

static bool astar_open(struct astar *astar, const struct solve_request *request, struct monitor *monitor)
{
    *astar = (struct astar){.space = request->space,
                            .request = request,
                            .expand = space_expand_needed(request->space),
                            .monitor = monitor};
    if (!astar_successors_open(&astar->successors, request->space)) {
        budget_starve(request->budget);
        return false;
    }
    const bool whole = state_table_init(&astar->table, request->budget, request->space->state_bytes,
                                        sizeof(struct astar_node)) &&
                       cost_queue_init(&astar->open, request->budget);
    astar->table.halts = monitor_halts;
    astar->table.context = monitor;
    return whole;
}

static const void *state_of(const struct astar *astar, uint32_t number)
{
    return state_table_at(&astar->table, number);
}

static struct astar_node *node_of(const struct astar *astar, uint32_t number)
{
    return (struct astar_node *)(void *)astar->table.own + number;
}

/* ---- the search ---- */

/* Returns why a node could not be added: a halt, or no memory. */
static enum pz_status astar_full(struct astar *astar)
{
    const enum pz_status status = monitor_poll(astar->monitor);
    return status != PZ_OK ? status : PZ_MEMORY;
}

/* Opens a node that has a new g. */
static enum pz_status open_node(struct astar *astar, uint32_t number)
{
    const struct astar_node *node = node_of(astar, number);
    uint32_t *lowest = &astar->open.lowest;
    uint64_t f = bound_weighted(astar->request, node->g, node->h);
    if (astar->request->weight > 1)
        f = f < EXPLORE_COST_MAX ? f : EXPLORE_COST_MAX;
    if (f < *lowest && astar->request->weight > 1)
        *lowest = (uint32_t)f;
    else if (f < *lowest)
        f = *lowest; /* where the bound is not consistent it promises less than was proven before */
    assert(f <= EXPLORE_COST_MAX && !node->done);
    astar->open_count++;
    return cost_queue_push(&astar->open, number, (uint32_t)f) ? PZ_OK : PZ_MEMORY;
}

/* Adds a state that has no node yet. */
static enum pz_status add_node(struct astar *astar, uint32_t *slot, const void *state, uint32_t parent,
                               uint64_t g, uint8_t token)
{
    const unsigned h = bound_of(astar->request->bound, astar->space, state);
    if (h >= PZ_HOPELESS)
        return PZ_OK;
    if (g + h > EXPLORE_COST_MAX) {
        astar->far = true;
        return PZ_OK;
    }
    const uint32_t number = state_table_put(&astar->table, slot, state);
    if (number == STATE_TABLE_NONE)
        return astar_full(astar);
    *node_of(astar, number) =
        (struct astar_node){.parent = parent, .g = (uint32_t)g, .h = (uint16_t)h, .token = token};
    return open_node(astar, number);
}

/* Records a way to a state. PZ_MEMORY without room, or why the search is to end. */
static enum pz_status offer_node(struct astar *astar, const void *state, uint32_t parent, uint64_t g,
                                 uint8_t token)
{
    uint32_t *slot = state_table_slot(&astar->table, state);
    if (*slot == 0)
        return add_node(astar, slot, state, parent, g, token);
    const uint32_t number = *slot - 1;
    struct astar_node *known = node_of(astar, number);
    if (known->g <= g)
        return PZ_OK;
    assert(known->done || astar->open_count > 0);
    astar->open_count -= !known->done;
    *known = (struct astar_node){.parent = parent, .g = (uint32_t)g, .h = known->h, .token = token};
    return open_node(astar, number);
}

/* Takes the best open node; NO_NODE when there is none. An entry of a node that is done is an older one, of a
 * longer way. */
static uint32_t take_best(struct astar *astar)
{
    uint32_t f;
    while (cost_queue_lowest(&astar->open, &f)) {
        const uint32_t best = cost_queue_pop(&astar->open, f);
        struct astar_node *node = node_of(astar, best);
        if (node->done)
            continue;
        assert(astar->open_count > 0);
        node->done = true;
        astar->open_count--;
        return best;
    }
    return NO_NODE;
}

/* Brings what the offers look at into the cache: in turn the slots, and what they lead to. */
static void prefetch_offspring(const struct astar *astar, unsigned count)
{
    const uint8_t *states = astar->successors.states;
    for (unsigned i = 0; i < count; i++)
        state_table_prefetch(&astar->table, states + i * astar->table.state_bytes);
    for (unsigned i = 0; i < count; i++)
        state_table_prefetch_found(&astar->table, states + i * astar->table.state_bytes);
}

/* Writes the successors of a node and returns their number. */
static unsigned make_offspring(struct astar *astar, uint32_t number)
{
    const struct pz_space *space = astar->space;
    const struct astar_successors *successors = &astar->successors;
    const uint8_t token = node_of(astar, number)->token;
    if ((space->flags & PZ_COSTS) != 0)
        return space_expand_costs(space, state_of(astar, number), token, successors->states,
                                  successors->tokens, successors->costs);
    if (space->puzzle->expand_leaps != NULL)
        return space->puzzle->expand_leaps(space, state_of(astar, number), token, successors->states,
                                           successors->tokens, successors->costs);
    return astar->expand(space, state_of(astar, number), token, successors->states, successors->tokens);
}

static enum pz_status expand_astar_node(struct astar *astar, uint32_t number)
{
    const struct astar_successors *successors = &astar->successors;
    const unsigned count = make_offspring(astar, number);
    const uint64_t g = node_of(astar, number)->g;
    assert(count <= astar->space->max_successors);
    enum pz_status status = PZ_OK;
    astar->expanded++;
    astar->generated += count;
    prefetch_offspring(astar, count);
    for (unsigned i = 0; i < count && status == PZ_OK; i++)
        status = offer_node(astar, successors->states + i * astar->table.state_bytes, number,
                            g + successors->costs[i], successors->tokens[i]);
    return status;
}

static enum pz_status run_astar(struct astar *astar, uint32_t *goal)
{
    struct monitor *monitor = astar->monitor;
    for (;;) {
        *goal = take_best(astar);
        if (*goal == NO_NODE || astar->space->puzzle->is_goal(astar->space, state_of(astar, *goal)))
            return PZ_OK;
        enum pz_status status = expand_astar_node(astar, *goal);
        if (status == PZ_OK && astar->expanded % POLL_NODES == 0) {
            monitor->progress.level = astar->open.lowest;
            monitor->progress.frontier = astar->open_count;
            monitor->progress.states = astar->table.count;
            status = monitor_poll(monitor);
        }
        if (status != PZ_OK)
            return status;
    }
}

/* ---- the answer ---- */

/* Returns a number than which no solution has fewer moves, or costs: of a search by weights, the least that
 * an open node promises by its own bound. last: the goal, or the node whose expansion was cut off; both are
 * open, too. */
static int64_t astar_proven(const struct astar *astar, uint32_t last)
{
    int64_t least = last != NO_NODE ? (int64_t)node_of(astar, last)->g + node_of(astar, last)->h : INT64_MAX;
    if (astar->request->weight <= 1)
        return astar->open.lowest;
    for (uint32_t i = 0; i < astar->table.count; i++) {
        const struct astar_node *node = node_of(astar, i);
        const int64_t promised = (int64_t)node->g + node->h;
        least = !node->done && promised < least ? promised : least;
    }
    return least < INT64_MAX ? least : 0;
}

/* Returns how many moves lead from a node's parent to it; 0 for the start. */
static size_t moves_to(const struct astar *astar, uint32_t number)
{
    const struct astar_node *node = node_of(astar, number);
    if (node->parent == NO_NODE)
        return 0;
    return astar->space->puzzle->between == NULL ? 1 : node->g - node_of(astar, node->parent)->g;
}

static size_t count_astar_moves(const struct astar *astar, uint32_t goal)
{
    size_t moves = 0;
    for (uint32_t number = goal; number != NO_NODE; number = node_of(astar, number)->parent)
        moves += moves_to(astar, number);
    return moves;
}

static enum pz_status write_astar_path(const struct astar *astar, uint32_t goal, struct solve_result *result,
                                       struct pz_error *error)
{
    size_t moves = count_astar_moves(astar, goal), bytes = astar->table.state_bytes;
    uint8_t *path = malloc((moves + 1) * bytes);
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %zu moves", moves);
    result->path = path;
    result->moves = (int64_t)moves;
    result->cost = node_of(astar, goal)->g;
    for (uint32_t number = goal; number != NO_NODE; number = node_of(astar, number)->parent) {
        memcpy(path + moves * bytes, state_of(astar, number), bytes);
        const size_t length = moves_to(astar, number);
        moves -= length;
        if (length > 1)
            astar->space->puzzle->between(astar->space, state_of(astar, node_of(astar, number)->parent),
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
    const int64_t proven = astar_proven(astar, goal);
    if (status == PZ_OK && goal == NO_NODE && astar->far)
        return ending_stopped(result, STOP_LEVELS, (int64_t)EXPLORE_COST_MAX + 1);
    if (status == PZ_LIMIT || status == PZ_MEMORY)
        return ending_stopped(result, status == PZ_LIMIT ? STOP_TIME : STOP_MEMORY, proven);
    if (status != PZ_OK)
        return ending_cancelled(result, proven, error);
    result->solvable = goal == NO_NODE ? PZ_NO : PZ_YES;
    if (goal != NO_NODE)
        bound_note_proven(astar->request, node_of(astar, goal)->g, proven, result);
    return goal == NO_NODE ? PZ_OK : write_astar_path(astar, goal, result, error);
}

enum pz_status astar_run(const struct solve_request *request, struct control *control,
                         struct solve_result *result, struct pz_error *error)
{
    assert(request->budget != NULL && request->space->puzzle->is_goal != NULL);
    struct astar astar;
    struct monitor monitor;
    uint32_t goal = NO_NODE;
    enum pz_status status = PZ_MEMORY;
    result->method = METHOD_ASTAR;
    result->alone = true;
    result->moves = -1;
    monitor_init(&monitor, control, request->budget, "search");
    if (astar_open(&astar, request, &monitor))
        status = offer_node(&astar, request->start, NO_NODE, 0, PZ_NO_TOKEN);
    if (status == PZ_OK)
        status = run_astar(&astar, &goal);
    status = conclude(&astar, status, goal, result, error);
    astar_close(&astar);
    return status;
}
