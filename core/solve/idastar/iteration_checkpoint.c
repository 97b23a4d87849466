/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of an iteration: the bound, the work done, and what is left of the tree, as the names of all
 * subtrees that are held or wait. A search on one thread also keeps which boards it remembers, so that it
 * goes on node by node as if it had not stopped.
 */
#include "explore/checkpoint/checkpointer.h"
#include "solve/idastar/deepening.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUBTREES_MAX = 1 << 20, /* a checkpoint that claims more is refused */
    SKIP_BYTES = 4096
};

/* The head. The tasks follow, then those without a driver, the remembered boards, and the counts of the
 * branches. */
struct iteration_place {
    uint32_t bound, cut;
    uint32_t tasks, undriven; /* subtrees: a uint32_t depth, and so many moves */
    uint64_t remembered;      /* bytes */
    uint64_t generated, expanded;
    uint64_t branches; /* each a struct branch */
};

/* Returns the boards that a search on one thread remembers. Those of several threads are not kept. */
static void *remembered(const struct iteration *iteration, size_t *bytes)
{
    const struct walk_kernel *kernel = iteration->deepening->kernel;
    *bytes = 0;
    if (iteration->walk_count > 1 || kernel->remembered == NULL)
        return NULL;
    return kernel->remembered(iteration->walks[0], bytes);
}

/* ---- saving ---- */

static void count_subtree(void *context, const uint8_t *move, unsigned depth)
{
    uint32_t *count = context;
    (void)move;
    (void)depth;
    ++*count;
}

static void put_subtree(void *context, const uint8_t *move, unsigned depth)
{
    assert(depth <= WALK_DEPTH_MAX);
    const uint32_t length = depth;
    checkpointer_put(context, &length, sizeof length);
    checkpointer_put(context, move, depth);
}

static void each_task(const struct iteration *iteration, subtree_function *function, void *context)
{
    for (unsigned i = 0; i < iteration->workers; i++)
        iteration->deepening->kernel->list(iteration->walks[i], function, context);
    for (const struct subtree *task = iteration->tasks; task != NULL; task = task->next)
        function(context, task->move, task->depth);
}

static void each_undriven(const struct iteration *iteration, subtree_function *function, void *context)
{
    if (iteration->driver != NULL)
        iteration->deepening->kernel->list(iteration->driver, function, context);
    for (const struct subtree *task = iteration->undriven; task != NULL; task = task->next)
        function(context, task->move, task->depth);
}

/* Names the subtrees to keep: the tasks, or those for the driver. A walk that is alone leaves all of its own
 * to the driver, since others may help next time. */
static void each(const struct iteration *iteration, bool undriven, subtree_function *function, void *context)
{
    if (undriven)
        each_undriven(iteration, function, context);
    if (undriven == (iteration->workers == 1))
        each_task(iteration, function, context);
}

static struct iteration_place subtree_place(const struct iteration *iteration)
{
    struct iteration_place place = {
        .bound = iteration->bound,
        .cut = iteration->cut < iteration->bound ? iteration->cut : 1,
        .generated = iteration->generated_before,
        .expanded = iteration->expanded_before,
        .branches = iteration->branches.count,
    };
    size_t kept = 0;
    (void)remembered(iteration, &kept);
    place.remembered = kept;
    each(iteration, false, count_subtree, &place.tasks);
    each(iteration, true, count_subtree, &place.undriven);
    for (unsigned i = 0; i < iteration->walk_count; i++) {
        place.generated += iteration->walks[i]->generated;
        place.expanded += iteration->walks[i]->expanded;
    }
    return place;
}

void iteration_save(struct iteration *iteration)
{
    assert(!iteration->found && atomic_load_explicit(&iteration->idle, memory_order_relaxed) == 0);
    struct checkpointer *checkpointer = iteration->deepening->checkpointer;
    const struct iteration_place place = subtree_place(iteration);
    assert(place.cut > 0 && place.cut <= place.bound && place.generated >= place.expanded);
    uint64_t subtrees = (uint64_t)place.tasks + place.undriven;
    uint64_t bytes = sizeof place + place.remembered + subtrees * (sizeof(uint32_t) + iteration->bound) +
                     place.branches * sizeof(struct branch);
    if (!checkpointer_begin(checkpointer, iteration->bound, bytes))
        return;
    checkpointer_put(checkpointer, &place, sizeof place);
    each(iteration, false, put_subtree, checkpointer);
    each(iteration, true, put_subtree, checkpointer);
    size_t kept_bytes = 0;
    const void *kept = remembered(iteration, &kept_bytes);
    if (kept != NULL)
        checkpointer_put(checkpointer, kept, kept_bytes);
    if (iteration->branches.count > 0)
        checkpointer_put(checkpointer, iteration->branches.branch,
                         iteration->branches.count * sizeof(struct branch));
    checkpointer_end(checkpointer);
}

/* ---- loading ---- */

/* Returns true if the subtree's moves can be made. */
static bool saved_is_sound(const struct iteration *iteration, const struct subtree *subtree)
{
    struct board board = *iteration->deepening->start;
    for (unsigned i = 0; i < subtree->depth; i++)
        if (!iteration->deepening->kernel->play(iteration->deepening->grid, &board, subtree->move, i))
            return false;
    return true;
}

static struct subtree *get_subtree(const struct iteration *iteration)
{
    struct checkpointer *checkpointer = iteration->deepening->checkpointer;
    uint32_t depth = 0;
    if (!checkpointer_get(checkpointer, &depth, sizeof depth) || depth > iteration->bound)
        return NULL;
    struct subtree *subtree = subtree_new(NULL, depth);
    if (subtree == NULL)
        return NULL;
    if (checkpointer_get(checkpointer, subtree->move, depth) && saved_is_sound(iteration, subtree))
        return subtree;
    free(subtree);
    return NULL;
}

/* Reads a list of subtrees. The list is well formed even if reading fails. */
static bool get_subtrees(const struct iteration *iteration, uint32_t count, struct subtree **list)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((*list = get_subtree(iteration)) == NULL)
            return false;
        list = &(*list)->next;
    }
    return true;
}

/* Reads the remembered boards for the same search on one thread; otherwise skips them. */
static bool get_remembered(const struct iteration *iteration, uint64_t length)
{
    struct checkpointer *checkpointer = iteration->deepening->checkpointer;
    uint8_t skipped[SKIP_BYTES];
    size_t bytes = 0;
    void *memory = remembered(iteration, &bytes);
    if (memory != NULL && bytes == length)
        return checkpointer_get(checkpointer, memory, bytes);
    for (uint64_t left = length; left > 0;) {
        size_t here = left < SKIP_BYTES ? (size_t)left : SKIP_BYTES;
        if (!checkpointer_get(checkpointer, skipped, here))
            return false;
        left -= here;
    }
    return true;
}

static bool get_branches(struct iteration *iteration, uint64_t count)
{
    struct branches *branches = &iteration->branches;
    if (count == 0)
        return true;
    branches->branch = calloc(count, sizeof *branches->branch);
    if (branches->branch == NULL || !checkpointer_get(iteration->deepening->checkpointer, branches->branch,
                                                      count * sizeof *branches->branch))
        return false;
    branches->count = (uint32_t)count;
    for (uint32_t i = 1; i < count; i++)
        if (branches->branch[i].path <= branches->branch[i - 1].path)
            return false;
    return true;
}

static bool place_is_sound(const struct iteration *iteration, const struct iteration_place *place)
{
    unsigned least = deepening_least_bound(iteration->deepening);
    return place->bound >= least && place->bound <= WALK_DEPTH_MAX &&
           (place->bound - least) % iteration->deepening->kernel->bound_step == 0 && place->cut > 0 &&
           place->cut <= place->bound && place->tasks <= SUBTREES_MAX && place->undriven <= SUBTREES_MAX &&
           place->tasks + place->undriven > 0 &&
           place->branches <= branches_most(iteration->deepening->grid->cells) &&
           place->expanded <= place->generated && place->generated <= UINT64_MAX / 2;
}

static bool get_walk_place(struct iteration *iteration)
{
    assert(iteration->tasks == NULL && iteration->undriven == NULL);
    struct iteration_place place;
    if (!checkpointer_get(iteration->deepening->checkpointer, &place, sizeof place) ||
        !place_is_sound(iteration, &place))
        return false;
    iteration->bound = place.bound;
    iteration->cut = place.cut;
    iteration->generated_before = place.generated;
    iteration->expanded_before = place.expanded;
    return get_subtrees(iteration, place.tasks, &iteration->tasks) &&
           get_subtrees(iteration, place.undriven, &iteration->undriven) &&
           get_remembered(iteration, place.remembered) && get_branches(iteration, place.branches);
}

static void forget_loaded(struct iteration *iteration)
{
    iteration_drop_subtrees(iteration);
    branches_free(&iteration->branches);
    size_t bytes = 0;
    void *memory = remembered(iteration, &bytes);
    if (memory != NULL)
        memset(memory, 0, bytes);
    iteration->bound = deepening_least_bound(iteration->deepening);
    iteration->generated_before = iteration->expanded_before = 0;
}

bool iteration_load(struct iteration *iteration)
{
    struct checkpointer *checkpointer = iteration->deepening->checkpointer;
    if (checkpointer == NULL || !checkpointer_open(checkpointer))
        return false;
    if (!checkpointer_close(checkpointer, get_walk_place(iteration))) {
        forget_loaded(iteration);
        return false;
    }
    return true;
}
