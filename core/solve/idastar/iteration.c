/* SPDX-License-Identifier: MIT */
#include "solve/idastar/iteration.h"

#include "explore/checkpoint/checkpointer.h"

#include <assert.h>

enum {
    FIRST_CUT = 4,        /* an iteration's first cut lies at this part of its bound */
    DIVIDE_NODES = 500000 /* generated before an iteration is divided into branches */
};

static void begin_walks(struct iteration *iteration)
{
    for (unsigned i = 0; i < iteration->walk_count; i++) {
        struct idastar_walk *walk = iteration->walks[i];
        walk->bound = iteration->bound;
        walk->found = false;
        walk->depth = 0;
        iteration->deepening->kernel->begin(walk);
    }
    iteration->driver = iteration->members > 1 ? iteration->walks[iteration->walk_count - 1] : NULL;
    iteration->weighed = 0;
    iteration->weighed_nodes = 0;
}

/* Walks what lies above the branches, with the walk that drives or is alone. If it meets the goal there, as a
 * forged checkpoint may lead to, it keeps it. Returns false without memory. */
static bool reach_branches(struct iteration *iteration)
{
    struct idastar_walk *driver = iteration->driver;
    struct idastar_walk *walk = driver != NULL ? driver : iteration->walks[0];
    struct subtree **end = &iteration->undriven;
    bool complete = true;
    iteration->driver = walk;
    iteration->cut = BRANCH_DEPTH;
    iteration->patience = UINT64_MAX;
    iteration_enter(walk, iteration->undriven);
    for (*end = NULL; complete && iteration->deepening->kernel->next_cut(walk);) {
        *end = subtree_new(walk->move, walk->depth);
        complete = *end != NULL;
        if (complete)
            end = &(*end)->next;
    }
    iteration_note(walk);
    iteration->driver = driver;
    return complete && branches_begin(&iteration->branches, &iteration->undriven);
}

/* Returns true if the search is long enough for branches, and the budget has room for them. */
static bool is_to_be_divided(struct iteration *iteration)
{
    const struct deepening *deepening = iteration->deepening;
    const uint64_t most = deepening->divide_nodes > 0 ? deepening->divide_nodes : DIVIDE_NODES;
    if (iteration_generated(iteration) <= most || iteration->bound <= BRANCH_DEPTH)
        return false;
    if (!iteration->divides)
        iteration->divides = deepening->budget == NULL ||
                             budget_take(deepening->budget, branches_bytes(deepening->grid->cells));
    return iteration->divides;
}

/* Begins with the whole tree, or with its branches. Returns false without memory. */
static bool begin_tree(struct iteration *iteration)
{
    iteration->undriven = subtree_new(NULL, 0);
    if (iteration->undriven == NULL || (is_to_be_divided(iteration) && !reach_branches(iteration)))
        return false;
    iteration->cut = iteration->bound / FIRST_CUT + 1;
    return true;
}

/* Gives a worker that is alone what the driver would go through, after its tasks. */
static void leave_to_one(struct iteration *iteration)
{
    struct subtree **end = &iteration->tasks;
    while (*end != NULL)
        end = &(*end)->next;
    *end = iteration->undriven;
    iteration->undriven = NULL;
}

/* Walks until the iteration is at its end or halted. */
static void walk_on(struct iteration *iteration, struct team *team)
{
    iteration->over = false;
    iteration->pausing = false;
    atomic_store_explicit(&iteration->halt, false, memory_order_relaxed);
    atomic_store_explicit(&iteration->idle, 0, memory_order_relaxed);
    assert(iteration_is_sound(iteration));
    if (team == NULL)
        iteration_member(iteration, 0);
    else
        team_run(team, iteration_member, iteration);
    assert(iteration->over && iteration_is_sound(iteration));
    assert(atomic_load_explicit(&iteration->idle, memory_order_relaxed) == 0);
}

static bool is_at_its_end(const struct iteration *iteration)
{
    bool at_end = iteration->tasks == NULL && iteration->undriven == NULL;
    for (unsigned i = 0; i < iteration->walk_count; i++)
        at_end = at_end && !iteration->deepening->kernel->holds(iteration->walks[i]);
    return at_end;
}

static bool is_to_save_at_stop(const struct iteration *iteration)
{
    const struct checkpointer *checkpointer = iteration->deepening->checkpointer;
    return iteration->ended == PZ_CANCELLED && checkpointer != NULL && checkpointer_wanted(checkpointer);
}

static void drop_subtrees(struct iteration *iteration)
{
    subtree_free_all(iteration->tasks);
    subtree_free_all(iteration->undriven);
    iteration->tasks = iteration->undriven = NULL;
}

enum pz_status iteration_run(struct iteration *iteration, struct team *team, bool resumed,
                             struct pz_error *error)
{
    iteration->members = team == NULL ? 1 : team_size(team);
    iteration->ended = PZ_OK;
    begin_walks(iteration);
    if (!resumed && !begin_tree(iteration))
        return pz_fail(error, PZ_MEMORY, "no memory to begin an iteration");
    if (iteration->members == 1)
        leave_to_one(iteration);
    walk_on(iteration, team);
    while (iteration->pausing && !iteration->found && !is_at_its_end(iteration)) {
        iteration_save(iteration);
        walk_on(iteration, team);
    }
    if (iteration->starved)
        return pz_fail(error, PZ_MEMORY, "no memory for a subtree");
    if (!iteration->found && is_at_its_end(iteration))
        iteration->ended = PZ_OK; /* nothing was left to stop: the next iteration stops */
    if (!iteration->found && is_to_save_at_stop(iteration))
        iteration_save(iteration);
    drop_subtrees(iteration);
    if (!iteration->found && iteration->ended != PZ_OK)
        return pz_fail(error, iteration->ended, "stopped at bound %u", iteration->bound);
    return PZ_OK;
}
