/* SPDX-License-Identifier: MIT */
/* Iteration after iteration, with rising bounds. */
#include "base/memory.h"
#include "solve/idastar/walk_parts.h"

#include <stdlib.h>
#include <string.h>

enum { SERIAL_NODES = 50000 /* an iteration after one smaller than this runs on one thread */ };

/* Bounds rise by two: every move changes the parity of the lower bound and of the way that is left. */
static enum pz_status deepen(struct walk_shared *shared, struct pz_error *error)
{
    const struct deepening *deepening = shared->deepening;
    struct team *team = NULL;
    uint64_t before = deepening->generated_before;
    enum pz_status status = PZ_OK;
    for (bool resumed = walk_load(shared); status == PZ_OK && !shared->found; resumed = false) {
        if (shared->bound > WALK_DEPTH_MAX) {
            status = pz_fail(error, PZ_TOO_LARGE, "no solution within %d moves", WALK_DEPTH_MAX);
            break;
        }
        uint64_t total = walk_generated(shared);
        bool worth = resumed || total - before > SERIAL_NODES;
        before = total;
        if (worth && team == NULL && deepening->threads > 1)
            status = team_new(deepening->threads, &team, error);
        if (status == PZ_OK)
            status = walk_iterate(shared, team, resumed, error);
        if (status == PZ_OK && !shared->found) {
            shared->finished = shared->bound;
            shared->bound += 2;
        }
    }
    team_free(team);
    return status;
}

static unsigned walks_needed(const struct deepening *deepening)
{
    return deepening->threads == 1 ? 1 : deepening->threads + 1;
}

uint64_t deepening_bytes(const struct deepening *deepening)
{
    return (uint64_t)walks_needed(deepening) * deepening->kernel->walk_bytes;
}

/* Zeroed. Small grids have short walks, which touch little of it. */
static struct walk *walk_new(const struct deepening *deepening)
{
    enum { SMALL_CELLS = 16 };
    bool small = deepening->grid->cells <= SMALL_CELLS;
    return memory_map(deepening->kernel->walk_bytes, small ? MEMORY_SMALL_PAGES : MEMORY_HUGE_PAGES);
}

static void walks_free(struct walk_shared *shared)
{
    for (unsigned i = 0; i < shared->walk_count; i++)
        memory_unmap(shared->walks[i], shared->deepening->kernel->walk_bytes);
    free(shared->walks);
}

static bool walks_new(struct walk_shared *shared)
{
    const struct deepening *deepening = shared->deepening;
    unsigned count = walks_needed(deepening);
    shared->walks = calloc(count, sizeof(struct walk *));
    while (shared->walks != NULL && shared->walk_count < count) {
        struct walk *walk = walk_new(deepening);
        if (walk == NULL)
            return false;
        walk->shared = shared;
        walk->heuristic = deepening->heuristic;
        walk->grid = deepening->grid;
        walk->member = shared->walk_count;
        walk->is_trunk = shared->walk_count == deepening->threads;
        shared->walks[shared->walk_count++] = walk;
    }
    return shared->walks != NULL;
}

static enum pz_status give_result(struct walk_shared *shared, struct deepening_result *result,
                                  struct pz_error *error)
{
    result->generated = shared->generated_before;
    result->expanded = shared->expanded_before;
    for (unsigned i = 0; i < shared->walk_count; i++) {
        result->generated += shared->walks[i]->generated;
        result->expanded += shared->walks[i]->expanded;
    }
    result->finished = shared->finished;
    if (!shared->found)
        return PZ_OK;
    result->found = true;
    result->moves = shared->moves;
    result->move = malloc(shared->moves + 1);
    if (result->move == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", shared->moves);
    memcpy(result->move, shared->move, shared->moves);
    return PZ_OK;
}

unsigned walk_least_bound(const struct deepening *deepening)
{
    unsigned value = deepening->kernel->value(deepening->heuristic, deepening->start);
    unsigned first = deepening->first_bound;
    return first > value ? first + ((first - value) & 1) : value;
}

enum pz_status deepening_run(const struct deepening *deepening, struct deepening_result *result,
                             struct pz_error *error)
{
    memset(result, 0, sizeof *result);
    struct walk_shared *shared = calloc(1, sizeof *shared);
    if (shared == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to search");
    shared->deepening = deepening;
    shared->limit = deepening->node_limit > 0 ? deepening->node_limit : UINT64_MAX;
    enum pz_status status = pz_fail(error, PZ_MEMORY, "no memory to search");
    if (walks_new(shared)) {
        shared->bound = walk_least_bound(deepening);
        shared->generated_before = deepening->generated_before;
        shared->expanded_before = deepening->expanded_before;
        (void)pthread_mutex_init(&shared->lock, NULL);
        (void)pthread_cond_init(&shared->work, NULL);
        status = deepen(shared, error);
        enum pz_status given = give_result(shared, result, error);
        status = status == PZ_OK ? given : status;
        (void)pthread_cond_destroy(&shared->work);
        (void)pthread_mutex_destroy(&shared->lock);
    }
    subtree_free_all(shared->tasks);
    free(shared->resumed);
    walks_free(shared);
    free(shared);
    return status;
}
