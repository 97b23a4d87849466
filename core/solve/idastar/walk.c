/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint/checkpointer.h"
#include "solve/idastar/walk_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DONATE_MARGIN = 10,       /* a branch nearer to the bound than this is not worth a hand-over */
    OWNER_WAIT_NS = 20000000, /* how long the owner waits for work before it reports */
    FIRST_CUT = 4,            /* an iteration's first cut lies at this part of its bound */
    GRAIN_NODES = 8192,       /* expanded, on average: a millisecond, and little to have walked in vain */
    GRAIN_WINDOW = 32         /* grains between two looks at their size */
};

unsigned walk_bound(const struct walk *walk)
{
    return walk->shared->bound;
}

/* ---- tasks ---- */

struct subtree *subtree_new(const uint8_t *move, unsigned depth)
{
    struct subtree *task = malloc(sizeof *task + depth);
    if (task == NULL)
        return NULL;
    *task = (struct subtree){.base = depth, .depth = depth};
    if (depth > 0)
        memcpy(task->bytes, move, depth);
    return task;
}

void subtree_free_all(struct subtree *tasks)
{
    while (tasks != NULL) {
        struct subtree *next = tasks->next;
        free(tasks);
        tasks = next;
    }
}

/* Under the lock. */
static void end_all(struct walk_shared *shared)
{
    atomic_store_explicit(&shared->halt, true, memory_order_relaxed);
    shared->over = true;
    (void)pthread_cond_broadcast(&shared->work);
}

/* Turns the untried branches of the least depth that has any into tasks. */
static void donate(struct walk *walk)
{
    struct walk_shared *shared = walk->shared;
    unsigned depth = walk->base;
    while (depth <= walk->depth && walk->untried[depth] == 0)
        depth++;
    if (depth > walk->depth || depth + DONATE_MARGIN > shared->bound)
        return;
    if (depth >= WALK_DEPTH_MAX) /* never; gcc 12 warns at -O3 without it */
        return;
    uint8_t path[WALK_DEPTH_MAX];
    memcpy(path, walk->move, depth);
    for (unsigned ways = walk->untried[depth]; ways != 0; ways &= ways - 1) {
        path[depth] = (uint8_t)__builtin_ctz(ways);
        struct subtree *task = subtree_new(path, depth + 1);
        if (task == NULL)
            return; /* then this walk does it itself */
        walk->untried[depth] &= (uint8_t) ~(1u << path[depth]);
        (void)pthread_mutex_lock(&shared->lock);
        task->next = shared->tasks;
        shared->tasks = task;
        (void)pthread_cond_signal(&shared->work);
        (void)pthread_mutex_unlock(&shared->lock);
    }
}

/* ---- the owner's duties ---- */

uint64_t walk_generated(const struct walk_shared *shared)
{
    uint64_t total = shared->generated_before;
    for (unsigned i = 0; i < shared->walk_count; i++)
        total += atomic_load_explicit(&shared->walks[i]->shown_generated, memory_order_relaxed);
    return total;
}

/* Stops all walks when the control or a limit says so, or when it is time for a checkpoint. */
static void owner_poll(struct walk_shared *shared)
{
    struct pace *pace = shared->deepening->pace;
    struct checkpointer *checkpointer = shared->deepening->checkpointer;
    pace->progress.states = walk_generated(shared);
    pace->progress.level = shared->bound;
    enum pz_status status = pace_poll(pace);
    if (status == PZ_OK && pace->progress.states >= shared->limit)
        status = PZ_LIMIT;
    shared->pausing = status == PZ_OK && checkpointer != NULL && checkpointer_due(checkpointer, 0);
    if (status == PZ_OK && !shared->pausing)
        return;
    shared->ended = status;
    (void)pthread_mutex_lock(&shared->lock);
    end_all(shared);
    (void)pthread_mutex_unlock(&shared->lock);
}

static void show_counters(struct walk *walk)
{
    atomic_store_explicit(&walk->shown_generated, walk->generated, memory_order_relaxed);
    atomic_store_explicit(&walk->shown_expanded, walk->expanded, memory_order_relaxed);
}

/* Whether the trunk is to stay where it is. A way to the cut that takes long is a cut that lies too deep. */
static bool trunk_poll(struct walk *trunk)
{
    struct walk_shared *shared = trunk->shared;
    trunk->fuel = 1;
    if (--shared->patience == 0)
        shared->cut = trunk->depth;
    return trunk->depth >= shared->cut;
}

bool walk_poll(struct walk *walk)
{
    struct walk_shared *shared = walk->shared;
    if (walk->is_trunk)
        return trunk_poll(walk);
    walk->fuel = WALK_POLL_NODES;
    show_counters(walk);
    if (walk->member == 0)
        owner_poll(shared);
    if (atomic_load_explicit(&shared->hungry, memory_order_relaxed) > 0)
        donate(walk);
    return atomic_load_explicit(&shared->halt, memory_order_relaxed);
}

/* ---- a member ---- */

/* Waits once, with the lock held; the owner not for long, since it has to report. */
static void wait_for_work(struct walk_shared *shared, unsigned member)
{
    if (member != 0) {
        (void)pthread_cond_wait(&shared->work, &shared->lock);
        return;
    }
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += OWNER_WAIT_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    (void)pthread_cond_clockwait(&shared->work, &shared->lock, CLOCK_MONOTONIC, &until);
    (void)pthread_mutex_unlock(&shared->lock);
    owner_poll(shared);
    (void)pthread_mutex_lock(&shared->lock);
}

/* Under the lock, as all down to next_task. */
static void keep_solution(struct walk_shared *shared, const struct walk *walk)
{
    if (!shared->found) {
        shared->found = true;
        shared->moves = walk->depth;
        memcpy(shared->move, walk->move, walk->depth);
    }
    end_all(shared);
}

/* Walks the trunk on to the cut, where it turns back: what lies below is left to the walk. False at its end.
 */
static bool next_grain(struct walk_shared *shared, struct walk *walk)
{
    struct walk *trunk = shared->trunk;
    unsigned below = 0;
    shared->patience = GRAIN_NODES;
    while (below == 0) {
        if (trunk == NULL || !shared->deepening->kernel->run(trunk)) {
            shared->trunk = NULL;
            return false;
        }
        if (trunk->found) {
            keep_solution(shared, trunk);
            return false;
        }
        below = trunk->untried[trunk->depth];
    }
    show_counters(trunk);
    trunk->untried[trunk->depth] = 0;
    walk->depth = trunk->depth;
    memcpy(walk->move, trunk->move, trunk->depth);
    return true;
}

/* Subtrees differ by orders of magnitude: only many together tell whether the cut lies right. */
static void weigh_grain(struct walk_shared *shared, uint64_t nodes)
{
    const uint64_t aim = (uint64_t)GRAIN_NODES * GRAIN_WINDOW;
    if (shared->trunk == NULL)
        return; /* no more grains will be cut off it */
    shared->grain_nodes += nodes;
    shared->grains++;
    if (shared->grains < GRAIN_WINDOW && shared->grain_nodes <= 2 * aim)
        return;
    if (shared->grain_nodes > 2 * aim)
        shared->cut++;
    else if (shared->grain_nodes < aim / 2 && shared->cut > 1)
        shared->cut--;
    shared->grains = 0;
    shared->grain_nodes = 0;
}

/* Waits for what others give away; the last member that finds nothing ends the iteration. */
static struct subtree *next_task(struct walk_shared *shared, const struct walk *walk)
{
    unsigned hungry = atomic_fetch_add_explicit(&shared->hungry, 1, memory_order_relaxed) + 1;
    if (hungry == shared->members && shared->tasks == NULL) {
        shared->over = true;
        (void)pthread_cond_broadcast(&shared->work);
    }
    while (shared->tasks == NULL && !shared->over)
        wait_for_work(shared, walk->member);
    if (shared->over)
        return NULL;
    struct subtree *task = shared->tasks;
    shared->tasks = task->next;
    atomic_fetch_sub_explicit(&shared->hungry, 1, memory_order_relaxed);
    return task;
}

/* What a walk is to do next: tasks come before the trunk, which has left them behind. */
enum taken { TAKEN_NONE, TAKEN_GRAIN, TAKEN_TASK };

static enum taken take(struct walk_shared *shared, struct walk *walk, struct subtree **task)
{
    enum taken taken = TAKEN_NONE;
    (void)pthread_mutex_lock(&shared->lock);
    if (!shared->over && shared->tasks == NULL && next_grain(shared, walk))
        taken = TAKEN_GRAIN;
    else if (!shared->over && (*task = next_task(shared, walk)) != NULL)
        taken = TAKEN_TASK;
    (void)pthread_mutex_unlock(&shared->lock);
    return taken;
}

bool walk_enter(struct walk *walk)
{
    struct walk_shared *shared = walk->shared;
    walk->board = *shared->deepening->start;
    for (unsigned i = 0; i < walk->depth; i++)
        (void)board_move(walk->grid, &walk->board, (enum direction)walk->move[i]);
    walk->blank = board_blank(&walk->board);
    walk->base = walk->depth;
    walk->found = false;
    return walk->depth + shared->deepening->kernel->begin(walk) <= shared->bound;
}

/* The trunk has been at its root, and has counted it. */
static void enter_grain(struct walk *walk)
{
    uint64_t generated = walk->generated;
    uint64_t expanded = walk->expanded;
    walk->active = walk_enter(walk);
    walk->generated = generated;
    walk->expanded = expanded;
}

static bool enter_task(struct walk *walk, const struct subtree *task)
{
    if (task->begun)
        return walk_take_up(walk, task);
    walk->depth = task->depth;
    memcpy(walk->move, task->bytes, task->depth);
    return walk_enter(walk);
}

/* The next subtree, which walk->active then says whether there is anything to be walked in. False when the
 * iteration is over, or halted. */
static bool take_subtree(struct walk_shared *shared, struct walk *walk)
{
    struct subtree *task = NULL;
    walk->before = walk->expanded;
    switch (take(shared, walk, &task)) {
    case TAKEN_GRAIN:
        enter_grain(walk);
        return true;
    case TAKEN_TASK:
        walk->active = enter_task(walk, task);
        free(task);
        return true;
    default:
        return false;
    }
}

static void member_iteration(void *context, unsigned member)
{
    struct walk_shared *shared = context;
    struct walk *walk = shared->walks[member];
    bool halted = false;
    walk->fuel = WALK_POLL_NODES;
    while (!halted && (walk->active || take_subtree(shared, walk))) {
        if (walk->active && !walk->found)
            halted = shared->deepening->kernel->run(walk) && !walk->found;
        show_counters(walk);
        walk->active = halted;
        (void)pthread_mutex_lock(&shared->lock);
        if (walk->found)
            keep_solution(shared, walk);
        if (!halted)
            weigh_grain(shared, walk->expanded - walk->before);
        (void)pthread_mutex_unlock(&shared->lock);
    }
}

/* ---- an iteration ---- */

/* Alone, a member takes the whole tree. */
static enum pz_status plant(struct walk_shared *shared, struct pz_error *error)
{
    if (shared->members == 1) {
        shared->tasks = subtree_new(NULL, 0);
        return shared->tasks == NULL ? pz_fail(error, PZ_MEMORY, "no memory to begin an iteration") : PZ_OK;
    }
    struct walk *trunk = shared->walks[shared->walk_count - 1];
    trunk->depth = 0;
    trunk->fuel = 1;
    shared->trunk = walk_enter(trunk) ? trunk : NULL;
    shared->cut = shared->bound / FIRST_CUT + 1;
    shared->grains = 0;
    shared->grain_nodes = 0;
    return PZ_OK;
}

/* The iteration of a checkpoint, whose tasks are there. Alone, a member takes what was the trunk's as the
 * last one. */
static void take_up_trunk(struct walk_shared *shared)
{
    struct subtree *task = shared->resumed;
    struct subtree **last = &shared->tasks;
    shared->resumed = NULL;
    if (task == NULL)
        return;
    if (shared->members == 1) {
        while (*last != NULL)
            last = &(*last)->next;
        *last = task;
        return;
    }
    struct walk *trunk = shared->walks[shared->walk_count - 1];
    shared->trunk = walk_take_up(trunk, task) ? trunk : NULL;
    trunk->fuel = 1;
    free(task);
}

/* Until the iteration is at its end or halted. */
static void walk_on(struct walk_shared *shared, struct team *team)
{
    shared->over = false;
    shared->pausing = false;
    atomic_store_explicit(&shared->halt, false, memory_order_relaxed);
    atomic_store_explicit(&shared->hungry, 0, memory_order_relaxed);
    if (team == NULL)
        member_iteration(shared, 0);
    else
        team_run(team, member_iteration, shared);
}

static bool is_at_its_end(const struct walk_shared *shared)
{
    bool at_end = shared->tasks == NULL && shared->trunk == NULL;
    for (unsigned i = 0; i < shared->walk_count; i++)
        at_end = at_end && !shared->walks[i]->active;
    return at_end;
}

static bool is_to_save_at_stop(const struct walk_shared *shared)
{
    const struct checkpointer *checkpointer = shared->deepening->checkpointer;
    return shared->ended == PZ_CANCELLED && checkpointer != NULL && checkpointer_wanted(checkpointer);
}

enum pz_status walk_iterate(struct walk_shared *shared, struct team *team, bool resumed,
                            struct pz_error *error)
{
    shared->members = team == NULL ? 1 : team_size(team);
    enum pz_status status = PZ_OK;
    if (resumed)
        take_up_trunk(shared);
    else
        status = plant(shared, error);
    if (status != PZ_OK)
        return status;
    walk_on(shared, team);
    while (shared->pausing && !shared->found && !is_at_its_end(shared)) {
        walk_save(shared);
        walk_on(shared, team);
    }
    if (!shared->found && is_at_its_end(shared))
        shared->ended = PZ_OK; /* it came to its end meanwhile: the next one stops */
    if (!shared->found && is_to_save_at_stop(shared))
        walk_save(shared);
    subtree_free_all(shared->tasks);
    shared->tasks = NULL;
    if (!shared->found && shared->ended != PZ_OK)
        return pz_fail(error, shared->ended, "stopped at bound %u", shared->bound);
    return PZ_OK;
}
