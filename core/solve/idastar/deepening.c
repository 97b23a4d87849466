/* SPDX-License-Identifier: MIT */
/* Runs one iteration after another, with rising bounds. */
#include "solve/idastar/deepening.h"

#include "base/budget.h"
#include "base/clock.h"
#include "explore/checkpoint/checkpointer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SERIAL_NODES = 50000, /* an iteration after one smaller than this runs on one thread */
    SMALL_CELLS = 16,     /* walks on such grids are short, and touch little of their memory */
    KEPT_WALKS = 16
};

/* Walks on small grids that wait for the next search. To map and touch their memory again takes as long as
 * some thousand nodes. */
static struct {
    pthread_mutex_t lock;
    struct kept_walk {
        struct idastar_walk *walk;
        size_t bytes;
    } walk[KEPT_WALKS];
    unsigned count;
} kept_walks = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- one iteration ---- */

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
    iteration->driver = iteration->workers > 1 ? iteration->walks[iteration->walk_count - 1] : NULL;
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
static void walk_iteration(struct iteration *iteration, struct team *team)
{
    iteration->over = false;
    iteration->pausing = false;
    atomic_store_explicit(&iteration->halt, false, memory_order_relaxed);
    atomic_store_explicit(&iteration->idle, 0, memory_order_relaxed);
    assert(iteration_is_sound(iteration));
    if (team == NULL)
        iteration_worker(iteration, 0);
    else
        team_run(team, iteration_worker, iteration);
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

/* Runs one iteration, on the team or, without one, on the caller's thread. resumed: it is the one that
 * iteration_load has taken up. PZ_OK when it is at its end or found the goal, PZ_MEMORY, or why the owner
 * stopped it. */
static enum pz_status iteration_run(struct iteration *iteration, struct team *team, bool resumed,
                                    struct pz_error *error)
{
    iteration->workers = team == NULL ? 1 : team_size(team);
    iteration->ended = PZ_OK;
    begin_walks(iteration);
    if (!resumed && !begin_tree(iteration))
        return pz_fail(error, PZ_MEMORY, "no memory to begin an iteration");
    if (iteration->workers == 1)
        leave_to_one(iteration);
    walk_iteration(iteration, team);
    while (iteration->pausing && !iteration->found && !is_at_its_end(iteration)) {
        iteration_save(iteration);
        walk_iteration(iteration, team);
    }
    if (iteration->starved)
        return pz_fail(error, PZ_MEMORY, "no memory for a subtree");
    if (!iteration->found && is_at_its_end(iteration))
        iteration->ended = PZ_OK; /* nothing was left to stop: the next iteration stops */
    if (!iteration->found && is_to_save_at_stop(iteration))
        iteration_save(iteration);
    iteration_drop_subtrees(iteration);
    if (!iteration->found && iteration->ended != PZ_OK)
        return pz_fail(error, iteration->ended, "stopped at bound %u", iteration->bound);
    return PZ_OK;
}

/* ---- all of them ---- */

/* Notes how many nodes an iteration without the goal has generated. */
static void note_failed(struct iteration *iteration, uint64_t generated)
{
    iteration->previous = iteration->last;
    iteration->last = generated;
}

/* The bound rises by two where each move changes the parity of the lower bound and of the distance left. */
static enum pz_status deepen_iterations(struct iteration *iteration, struct pz_error *error)
{
    const struct deepening *deepening = iteration->deepening;
    struct team *team = NULL;
    uint64_t before = 0;
    enum pz_status status = PZ_OK;
    for (bool resumed = iteration_load(iteration); status == PZ_OK && !iteration->found; resumed = false) {
        if (iteration->bound > WALK_DEPTH_MAX) {
            status = pz_fail(error, PZ_TOO_LARGE, "no solution within %d moves", WALK_DEPTH_MAX);
            break;
        }
        uint64_t total = iteration_generated(iteration);
        assert(resumed || (iteration->tasks == NULL && iteration->undriven == NULL));
        assert(resumed || total >= before);
        bool worth = resumed || total - before > SERIAL_NODES;
        before = total;
        const double began = clock_seconds();
        if (worth && team == NULL && deepening->threads > 1)
            status = team_new(deepening->threads, &team, error);
        if (status == PZ_OK)
            status = iteration_run(iteration, team, resumed, error);
        if (!resumed)
            iterations_note(&iteration->iterations, iteration->bound, iteration_generated(iteration) - before,
                            clock_seconds() - began);
        if (status == PZ_OK && !iteration->found) {
            if (!resumed)
                note_failed(iteration, iteration_generated(iteration) - before);
            iteration->bound += deepening->kernel->bound_step;
        }
    }
    team_free(team);
    return status;
}

static unsigned walks_needed(const struct deepening *deepening)
{
    return deepening->threads == 1 ? 1 : deepening->threads + 1;
}

static size_t walk_bytes(const struct deepening *deepening)
{
    return deepening->kernel->walk_bytes(deepening->grid->cells, deepening->remember);
}

uint64_t deepening_bytes(const struct deepening *deepening)
{
    return (uint64_t)walks_needed(deepening) * walk_bytes(deepening);
}

static bool iteration_is_small(const struct deepening *deepening)
{
    return deepening->grid->cells <= SMALL_CELLS;
}

/* Takes a kept walk of that size; NULL when there is none. */
static struct idastar_walk *take_kept(size_t bytes)
{
    struct idastar_walk *walk = NULL;
    (void)pthread_mutex_lock(&kept_walks.lock);
    for (unsigned i = kept_walks.count; i-- > 0 && walk == NULL;) {
        if (kept_walks.walk[i].bytes != bytes)
            continue;
        walk = kept_walks.walk[i].walk;
        assert(walk != NULL);
        kept_walks.walk[i] = kept_walks.walk[--kept_walks.count];
    }
    (void)pthread_mutex_unlock(&kept_walks.lock);
    return walk;
}

/* Keeps a walk for the next search. Returns false when there are enough. */
static bool keep_walk(struct idastar_walk *walk, size_t bytes)
{
    (void)pthread_mutex_lock(&kept_walks.lock);
    const bool room = kept_walks.count < KEPT_WALKS;
    if (room)
        kept_walks.walk[kept_walks.count++] = (struct kept_walk){walk, bytes};
    (void)pthread_mutex_unlock(&kept_walks.lock);
    return room;
}

/* Returns a walk whose first struct is zeroed, and which remembers nothing; NULL without memory. */
static struct idastar_walk *walk_new(const struct deepening *deepening)
{
    const size_t bytes = walk_bytes(deepening);
    if (!iteration_is_small(deepening))
        return memory_map(bytes, MEMORY_HUGE_PAGES);
    struct idastar_walk *walk = take_kept(bytes);
    if (walk == NULL)
        return memory_map(bytes, MEMORY_SMALL_PAGES);
    memset(walk, 0, sizeof *walk);
    return walk;
}

/* Clears what a walk on a small grid remembers. Of new memory, too: the walk itself would read first, and a
 * page that is read and then written is faulted in twice. */
static void clear_remembered(const struct deepening *deepening, struct idastar_walk *walk)
{
    size_t bytes = 0;
    if (deepening->kernel->remembered == NULL || !iteration_is_small(deepening))
        return;
    void *remembered = deepening->kernel->remembered(walk, &bytes);
    if (remembered != NULL)
        memset(remembered, 0, bytes);
}

static void walks_free(struct iteration *iteration)
{
    const struct deepening *deepening = iteration->deepening;
    const size_t bytes = walk_bytes(deepening);
    for (unsigned i = 0; i < iteration->walk_count; i++)
        if (!iteration_is_small(deepening) || !keep_walk(iteration->walks[i], bytes))
            memory_unmap(iteration->walks[i], bytes);
    free(iteration->walks);
}

static bool walks_new(struct iteration *iteration)
{
    const struct deepening *deepening = iteration->deepening;
    unsigned count = walks_needed(deepening);
    iteration->walks = calloc(count, sizeof(struct idastar_walk *));
    while (iteration->walks != NULL && iteration->walk_count < count) {
        struct idastar_walk *walk = walk_new(deepening);
        if (walk == NULL)
            return false;
        walk->iteration = iteration;
        walk->heuristic = deepening->heuristic;
        walk->grid = deepening->grid;
        walk->window = deepening->kernel->window;
        walk->remember = deepening->remember;
        walk->order = deepening->order != NULL ? deepening->order : &move_order_usual;
        walk->worker = iteration->walk_count;
        clear_remembered(deepening, walk);
        iteration->walks[iteration->walk_count++] = walk;
    }
    return iteration->walks != NULL;
}

static enum pz_status give_result(struct iteration *iteration, struct deepening_result *result,
                                  struct pz_error *error)
{
    result->generated = iteration->generated_before;
    result->expanded = iteration->expanded_before;
    for (unsigned i = 0; i < iteration->walk_count; i++) {
        result->generated += iteration->walks[i]->generated;
        result->expanded += iteration->walks[i]->expanded;
    }
    result->at_least = iteration->bound;
    result->iterations = iteration->iterations;
    result->last = iteration->last;
    result->previous = iteration->previous;
    if (!iteration->found)
        return PZ_OK;
    assert(iteration->moves <= iteration->bound &&
           (iteration->bound - iteration->moves) % iteration->deepening->kernel->bound_step == 0);
    result->found = true;
    result->moves = iteration->moves;
    result->move = malloc(iteration->moves + 1);
    if (result->move == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", iteration->moves);
    memcpy(result->move, iteration->move, iteration->moves);
    return PZ_OK;
}

enum pz_status deepening_run(const struct deepening *deepening, struct deepening_result *result,
                             struct pz_error *error)
{
    assert(deepening->threads >= 1 && walk_bytes(deepening) >= sizeof(struct idastar_walk));
    memset(result, 0, sizeof *result);
    struct iteration *iteration = calloc(1, sizeof *iteration);
    if (iteration == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to search");
    iteration->deepening = deepening;
    iteration->limit = deepening->node_limit > 0 ? deepening->node_limit : UINT64_MAX;
    enum pz_status status = pz_fail(error, PZ_MEMORY, "no memory to search");
    if (walks_new(iteration)) {
        iteration->bound = deepening_least_bound(deepening);
        (void)pthread_mutex_init(&iteration->lock, NULL);
        (void)pthread_cond_init(&iteration->work, NULL);
        status = deepen_iterations(iteration, error);
        enum pz_status given = give_result(iteration, result, error);
        status = status == PZ_OK ? given : status;
        (void)pthread_cond_destroy(&iteration->work);
        (void)pthread_mutex_destroy(&iteration->lock);
    }
    iteration_drop_subtrees(iteration);
    branches_free(&iteration->branches);
    if (iteration->divides && deepening->budget != NULL)
        budget_give(deepening->budget, branches_bytes(deepening->grid->cells));
    walks_free(iteration);
    free(iteration);
    return status;
}
