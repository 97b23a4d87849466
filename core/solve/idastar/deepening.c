/* SPDX-License-Identifier: MIT */
/* Runs one iteration after another, with rising bounds. */
#include "solve/idastar/deepening.h"

#include "base/clock.h"
#include "base/memory.h"
#include "solve/idastar/iteration.h"

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

/* Notes how many nodes an iteration without the goal has generated. */
static void note_failed(struct iteration *iteration, uint64_t generated)
{
    iteration->previous = iteration->last;
    iteration->last = generated;
}

/* The bound rises by two, since each move changes the parity of the lower bound and of the distance left. */
static enum pz_status deepen(struct iteration *iteration, struct pz_error *error)
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
        iterations_note(&iteration->iterations, iteration->bound, iteration_generated(iteration) - before,
                        clock_seconds() - began);
        if (status == PZ_OK && !iteration->found) {
            if (!resumed)
                note_failed(iteration, iteration_generated(iteration) - before);
            iteration->bound += 2;
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
static bool keep(struct idastar_walk *walk, size_t bytes)
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
        if (!iteration_is_small(deepening) || !keep(iteration->walks[i], bytes))
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
        walk->member = iteration->walk_count;
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
    assert(iteration->moves <= iteration->bound && (iteration->bound - iteration->moves) % 2 == 0);
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
        status = deepen(iteration, error);
        enum pz_status given = give_result(iteration, result, error);
        status = status == PZ_OK ? given : status;
        (void)pthread_cond_destroy(&iteration->work);
        (void)pthread_mutex_destroy(&iteration->lock);
    }
    subtree_free_all(iteration->tasks);
    subtree_free_all(iteration->undriven);
    branches_free(&iteration->branches);
    if (iteration->divides && deepening->budget != NULL)
        budget_give(deepening->budget, branches_bytes(deepening->grid->cells));
    walks_free(iteration);
    free(iteration);
    return status;
}
