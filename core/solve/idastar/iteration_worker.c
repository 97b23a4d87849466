/* SPDX-License-Identifier: MIT */
#include "solve/idastar/deepening.h"

#include "base/clock.h"
#include "explore/checkpoint/checkpointer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    GIVE_MARGIN = 10,         /* a subtree nearer to the bound than this is not worth a hand-over */
    OWNER_WAIT_NS = 20000000, /* how long the owner waits for work before it reports */
    /* expanded, on average: a millisecond, so that little work is lost at the end */
    TASK_NODES = 8192,
    TASK_WINDOW = 32 /* tasks between two looks at their size */
};

static struct subtree *subtree_reverse(struct subtree *first)
{
    struct subtree *reversed = NULL;
    while (first != NULL) {
        struct subtree *next = first->next;
        first->next = reversed;
        reversed = first;
        first = next;
    }
    return reversed;
}

static struct branch *branch_of(const struct iteration *iteration, const struct subtree *subtree)
{
    return branches_find(&iteration->branches, subtree->move, subtree->depth);
}

void iteration_enter(struct idastar_walk *walk, struct subtree *subtree)
{
    assert(subtree->depth <= walk->bound);
    const struct deepening *deepening = walk->iteration->deepening;
    struct board board = *deepening->start;
    for (unsigned i = 0; i < subtree->depth; i++) {
        const bool played = deepening->kernel->play(walk->grid, &board, subtree->move, i);
        assert(played);
        (void)played;
    }
    walk->depth = subtree->depth;
    walk->branch = branch_of(walk->iteration, subtree);
    memcpy(walk->move, subtree->move, subtree->depth);
    free(subtree);
    deepening->kernel->add(walk, &board);
}

bool iteration_is_sound(const struct iteration *iteration)
{
    const bool halted = atomic_load_explicit(&iteration->halt, memory_order_relaxed);
    return iteration->workers >= 1 && iteration->workers <= iteration->walk_count &&
           (iteration->driver == NULL) == (iteration->workers == 1) &&
           atomic_load_explicit(&iteration->idle, memory_order_relaxed) <= iteration->workers &&
           iteration->bound <= WALK_DEPTH_MAX && iteration->cut > 0 && (!halted || iteration->over) &&
           (!iteration->found || (iteration->over && iteration->moves <= iteration->bound));
}

/* ---- the owner's duties ---- */

/* Under the lock. */
static void end_all(struct iteration *iteration)
{
    atomic_store_explicit(&iteration->halt, true, memory_order_relaxed);
    iteration->over = true;
    (void)pthread_cond_broadcast(&iteration->work);
}

void iteration_drop_subtrees(struct iteration *iteration)
{
    subtree_free_all(iteration->tasks);
    subtree_free_all(iteration->undriven);
    iteration->tasks = iteration->undriven = NULL;
}

uint64_t iteration_generated(const struct iteration *iteration)
{
    uint64_t total = iteration->generated_before;
    for (unsigned i = 0; i < iteration->walk_count; i++)
        total += atomic_load_explicit(&iteration->walks[i]->shown_generated, memory_order_relaxed);
    return total;
}

/* Stops all walks when the control or a limit says so, or when it is time for a checkpoint. */
static void poll_iteration(struct iteration *iteration)
{
    struct monitor *monitor = iteration->deepening->monitor;
    struct checkpointer *checkpointer = iteration->deepening->checkpointer;
    monitor->progress.states = iteration_generated(iteration);
    monitor->progress.level = iteration->bound;
    enum pz_status status = monitor_poll(monitor);
    if (status == PZ_OK && monitor->progress.states >= iteration->limit)
        status = PZ_LIMIT;
    iteration->pausing = status == PZ_OK && checkpointer != NULL && checkpointer_due(checkpointer, 0);
    if (status == PZ_OK && !iteration->pausing)
        return;
    iteration->ended = status;
    (void)pthread_mutex_lock(&iteration->lock);
    end_all(iteration);
    (void)pthread_mutex_unlock(&iteration->lock);
}

static void show_counters(struct idastar_walk *walk)
{
    atomic_store_explicit(&walk->shown_generated, walk->generated, memory_order_relaxed);
    atomic_store_explicit(&walk->shown_expanded, walk->expanded, memory_order_relaxed);
}

/* Work splitting: hands a subtree over for each idle worker. */
static void give(struct idastar_walk *walk, unsigned idle)
{
    struct iteration *iteration = walk->iteration;
    unsigned deepest = walk->bound > GIVE_MARGIN ? walk->bound - GIVE_MARGIN : 0;
    for (; idle > 0; idle--) {
        struct subtree *task = subtree_new(NULL, walk->bound);
        if (task == NULL)
            return; /* then this walk does it itself */
        task->depth = iteration->deepening->kernel->give(walk, deepest, task->move);
        assert(task->depth <= walk->bound);
        if (task->depth == 0) {
            free(task);
            return;
        }
        (void)pthread_mutex_lock(&iteration->lock);
        task->next = iteration->tasks;
        iteration->tasks = task;
        (void)pthread_cond_signal(&iteration->work);
        (void)pthread_mutex_unlock(&iteration->lock);
    }
}

bool walk_poll(struct idastar_walk *walk)
{
    struct iteration *iteration = walk->iteration;
    walk->fuel = WALK_POLL_NODES;
    show_counters(walk);
    if (walk->worker == 0)
        poll_iteration(iteration);
    unsigned idle = atomic_load_explicit(&iteration->idle, memory_order_relaxed);
    if (idle > 0)
        give(walk, idle);
    return atomic_load_explicit(&iteration->halt, memory_order_relaxed);
}

/* ---- the driver: under the lock ---- */

bool walk_on_cut(const struct idastar_walk *walk, unsigned depth)
{
    return depth >= walk->iteration->cut;
}

/* Sets the cut just below this node if the driver has expanded too many on its way: the cut lies too deep. */
void walk_driven(const struct idastar_walk *walk, unsigned depth)
{
    struct iteration *iteration = walk->iteration;
    assert(walk == iteration->driver && depth < iteration->cut);
    if (--iteration->patience == 0)
        iteration->cut = depth + 1;
}

static void keep_solution(struct iteration *iteration, const struct idastar_walk *walk)
{
    assert(walk->found && walk->depth <= iteration->bound);
    if (!iteration->found) {
        iteration->found = true;
        iteration->moves = walk->depth;
        memcpy(iteration->move, walk->move, walk->depth);
    }
    end_all(iteration);
}

static bool driver_is_at_its_end(const struct iteration *iteration)
{
    return iteration->driver == NULL ||
           (iteration->undriven == NULL && !iteration->deepening->kernel->holds(iteration->driver));
}

void iteration_note(struct idastar_walk *walk)
{
    assert(walk->expanded >= walk->noted_expanded);
    if (walk->branch != NULL) {
        walk->branch->expanded += walk->expanded - walk->noted_expanded;
        walk->branch->near += walk->near - walk->noted_near;
    }
    walk->noted_expanded = walk->expanded;
    walk->noted_near = walk->near;
}

/* Drives on to the next node on the cut. Returns the subtree there; NULL at the driver's end. */
static struct subtree *drive(struct iteration *iteration)
{
    struct idastar_walk *driver = iteration->driver;
    struct subtree *task = NULL;
    assert(driver != NULL && iteration->tasks == NULL && iteration_is_sound(iteration));
    iteration->patience = TASK_NODES;
    while (task == NULL && !iteration->starved && !driver->found && !driver_is_at_its_end(iteration)) {
        if (iteration->deepening->kernel->next_cut(driver)) {
            task = subtree_new(driver->move, driver->depth);
            iteration->starved = task == NULL;
        } else if (!driver->found && iteration->undriven != NULL) {
            struct subtree *next = iteration->undriven;
            iteration->undriven = next->next;
            iteration_note(driver);
            iteration_enter(driver, next);
        }
    }
    iteration_note(driver);
    show_counters(driver);
    if (driver->found)
        keep_solution(iteration, driver);
    else if (iteration->starved)
        end_all(iteration);
    return task;
}

/* Moves the cut if the last tasks were too large or too small. Single tasks differ by orders of magnitude, so
 * only many together tell. */
static void weigh_task(struct iteration *iteration, uint64_t nodes)
{
    const uint64_t aim = (uint64_t)TASK_NODES * TASK_WINDOW;
    if (driver_is_at_its_end(iteration))
        return;
    assert(iteration->weighed < TASK_WINDOW);
    iteration->weighed_nodes += nodes;
    iteration->weighed++;
    if (iteration->weighed < TASK_WINDOW && iteration->weighed_nodes <= 2 * aim)
        return;
    if (iteration->weighed_nodes > 2 * aim)
        iteration->cut++;
    else if (iteration->weighed_nodes < aim / 2 && iteration->cut > 1)
        iteration->cut--;
    iteration->weighed = 0;
    iteration->weighed_nodes = 0;
}

/* ---- its tasks ---- */

/* Waits once, with the lock held. The owner waits only for a moment, since it has to report. */
static void wait_for_tasks(struct iteration *iteration, unsigned worker)
{
    if (worker != 0) {
        (void)pthread_cond_wait(&iteration->work, &iteration->lock);
        return;
    }
    clock_wait(&iteration->work, &iteration->lock, OWNER_WAIT_NS);
    (void)pthread_mutex_unlock(&iteration->lock);
    poll_iteration(iteration);
    (void)pthread_mutex_lock(&iteration->lock);
}

/* Waits for subtrees that others split off; the last worker that finds nothing ends the iteration. Under the
 * lock. */
static void await_tasks(struct iteration *iteration, const struct idastar_walk *walk)
{
    unsigned idle = atomic_fetch_add_explicit(&iteration->idle, 1, memory_order_relaxed) + 1;
    assert(idle <= iteration->workers);
    if (idle == iteration->workers) {
        iteration->over = true;
        (void)pthread_cond_broadcast(&iteration->work);
    }
    while (iteration->tasks == NULL && !iteration->over)
        wait_for_tasks(iteration, walk->worker);
    atomic_fetch_sub_explicit(&iteration->idle, 1, memory_order_relaxed);
}

/* Returns the first of the tasks. A walk that is alone gets as many of the same branch as it can hold, so
 * that after a stop it goes on as before. Under the lock. */
static struct subtree *take_first_tasks(struct iteration *iteration)
{
    struct subtree *first = iteration->tasks;
    unsigned most = iteration->workers == 1 ? iteration->deepening->kernel->capacity : 1;
    struct subtree **end = &iteration->tasks;
    const struct branch *branch = first != NULL ? branch_of(iteration, first) : NULL;
    for (unsigned i = 0; i < most && *end != NULL && branch_of(iteration, *end) == branch; i++)
        end = &(*end)->next;
    struct subtree *rest = *end;
    *end = NULL;
    iteration->tasks = rest;
    return first;
}

/* Returns what the walk is to do next, in order; NULL when the iteration is over or halted. Tasks that were
 * given away come before the driver's: it has passed them already. */
static struct subtree *take_subtree(struct iteration *iteration, const struct idastar_walk *walk)
{
    struct subtree *task = NULL;
    (void)pthread_mutex_lock(&iteration->lock);
    if (!iteration->over && iteration->tasks == NULL && iteration->driver != NULL)
        task = drive(iteration);
    if (task == NULL && !iteration->over && iteration->tasks == NULL)
        await_tasks(iteration, walk);
    if (task == NULL && !iteration->over)
        task = take_first_tasks(iteration);
    assert(iteration_is_sound(iteration));
    (void)pthread_mutex_unlock(&iteration->lock);
    return task;
}

/* Returns false when the iteration is over or halted. */
static bool take_subtrees(struct iteration *iteration, struct idastar_walk *walk)
{
    struct subtree *task = subtree_reverse(take_subtree(iteration, walk));
    bool taken = task != NULL;
    walk->before = walk->expanded;
    while (task != NULL && !walk->found) {
        struct subtree *next = task->next;
        iteration_enter(walk, task);
        task = next;
    }
    subtree_free_all(task);
    return taken;
}

void iteration_worker(void *context, unsigned worker)
{
    struct iteration *iteration = context;
    const struct walk_kernel *kernel = iteration->deepening->kernel;
    struct idastar_walk *walk = iteration->walks[worker];
    bool halted = false;
    walk->fuel = WALK_POLL_NODES;
    while (!halted && (kernel->holds(walk) || take_subtrees(iteration, walk))) {
        kernel->run(walk);
        halted = kernel->holds(walk);
        show_counters(walk);
        (void)pthread_mutex_lock(&iteration->lock);
        iteration_note(walk);
        if (walk->found)
            keep_solution(iteration, walk);
        else if (!halted)
            weigh_task(iteration, walk->expanded - walk->before);
        (void)pthread_mutex_unlock(&iteration->lock);
    }
}
