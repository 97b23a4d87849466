/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of an iteration: the bound, the work done, and what is left of the tree, which is where each
 * walk is, what it has not tried on its way there, and the subtrees that nobody walks. A search on one thread
 * also keeps which boards it remembers, so that it goes on as if nothing had been, node by node.
 */
#include "explore/checkpoint/checkpointer.h"
#include "solve/idastar/walk_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    TASKS_MAX = 1 << 20, /* more are not believed */
    SKIP_BYTES = 4096
};

/* What comes first. The trunk and the tasks follow, and then what is remembered. */
struct place {
    uint32_t bound, finished, cut;
    uint32_t trunk; /* 1: there is one */
    uint32_t tasks; /* walks that were cut off among them */
    uint32_t unused;
    uint64_t remembered; /* bytes */
    uint64_t generated, expanded;
};

/* A task in the stream; its bytes follow. */
struct subtree_head {
    uint32_t base, depth, begun, unused;
};

static size_t task_bytes(unsigned base, unsigned depth, bool begun)
{
    return depth + (begun ? depth - base + 1u : 0u);
}

/* What the search remembers of boards, where that is kept: with several threads it is anybody's. */
static void *remembered(const struct walk_shared *shared, size_t *bytes)
{
    const struct walk_kernel *kernel = shared->deepening->kernel;
    *bytes = 0;
    if (shared->walk_count > 1 || kernel->remembered == NULL)
        return NULL;
    return kernel->remembered(shared->walks[0], bytes);
}

/* ---- leaving one ---- */

static void put_task(struct checkpointer *checkpointer, const struct subtree_head *head, const uint8_t *move,
                     const uint8_t *untried)
{
    checkpointer_put(checkpointer, head, sizeof *head);
    checkpointer_put(checkpointer, move, head->depth);
    if (head->begun != 0)
        checkpointer_put(checkpointer, untried, head->depth - head->base + 1);
}

static void put_walk(struct checkpointer *checkpointer, const struct walk *walk)
{
    const struct subtree_head head = {.base = walk->base, .depth = walk->depth, .begun = 1};
    put_task(checkpointer, &head, walk->move, walk->untried + walk->base);
}

static struct place place_of(const struct walk_shared *shared, uint64_t *bytes)
{
    struct place place = {
        .bound = shared->bound,
        .finished = shared->finished,
        .cut = shared->trunk != NULL && shared->cut < shared->bound ? shared->cut : 1,
        .trunk = shared->trunk != NULL,
        .generated = shared->generated_before,
        .expanded = shared->expanded_before,
    };
    size_t kept = 0;
    (void)remembered(shared, &kept);
    place.remembered = kept;
    for (const struct subtree *task = shared->tasks; task != NULL; task = task->next)
        place.tasks++;
    for (unsigned i = 0; i < shared->walk_count; i++) {
        place.tasks += shared->walks[i]->active;
        place.generated += shared->walks[i]->generated;
        place.expanded += shared->walks[i]->expanded;
    }
    *bytes = sizeof place + kept +
             (place.tasks + 1) * (sizeof(struct subtree_head) + task_bytes(0, WALK_DEPTH_MAX, true));
    return place;
}

static void put_place(const struct walk_shared *shared, const struct place *place)
{
    struct checkpointer *checkpointer = shared->deepening->checkpointer;
    checkpointer_put(checkpointer, place, sizeof *place);
    if (shared->trunk != NULL)
        put_walk(checkpointer, shared->trunk);
    for (unsigned i = 0; i < shared->walk_count; i++)
        if (shared->walks[i]->active)
            put_walk(checkpointer, shared->walks[i]);
    for (const struct subtree *task = shared->tasks; task != NULL; task = task->next) {
        const struct subtree_head head = {.base = task->base, .depth = task->depth, .begun = task->begun};
        put_task(checkpointer, &head, task->bytes, task->bytes + task->depth);
    }
    size_t bytes = 0;
    const void *kept = remembered(shared, &bytes);
    if (kept != NULL)
        checkpointer_put(checkpointer, kept, bytes);
}

void walk_save(struct walk_shared *shared)
{
    struct checkpointer *checkpointer = shared->deepening->checkpointer;
    uint64_t bytes = 0;
    const struct place place = place_of(shared, &bytes);
    if (!checkpointer_begin(checkpointer, shared->bound, bytes))
        return;
    put_place(shared, &place);
    checkpointer_end(checkpointer);
}

/* ---- going on ---- */

/* Whether its moves up to the root of the subtree can be made. */
static bool root_is_sound(const struct walk_shared *shared, const struct subtree *task)
{
    struct board board = *shared->deepening->start;
    for (unsigned i = 0; i < task->base; i++) {
        bool back = i > 0 && task->bytes[i] == (task->bytes[i - 1] ^ 1u);
        if (task->bytes[i] >= DIRECTION_COUNT || back ||
            !board_move(shared->deepening->grid, &board, (enum direction)task->bytes[i]))
            return false;
    }
    return true;
}

/* Whether a walk can have been cut off there: that is tried, with one that has nothing else to do yet. */
static bool task_is_sound(const struct walk_shared *shared, const struct subtree *task)
{
    return root_is_sound(shared, task) && (!task->begun || walk_take_up(shared->walks[0], task));
}

static struct subtree *get_task(const struct walk_shared *shared)
{
    struct checkpointer *checkpointer = shared->deepening->checkpointer;
    struct subtree_head head;
    if (!checkpointer_get(checkpointer, &head, sizeof head) || head.begun > 1 || head.base > head.depth ||
        head.depth > shared->bound || (head.begun == 0 && head.base != head.depth))
        return NULL;
    size_t bytes = task_bytes(head.base, head.depth, head.begun != 0);
    struct subtree *task = malloc(sizeof *task + bytes);
    if (task == NULL)
        return NULL;
    *task = (struct subtree){.base = head.base, .depth = head.depth, .begun = head.begun != 0};
    if (checkpointer_get(checkpointer, task->bytes, bytes) && task_is_sound(shared, task))
        return task;
    free(task);
    return NULL;
}

/* What was remembered is of use to the same search on one thread; else it is read over. */
static bool get_remembered(const struct walk_shared *shared, uint64_t length)
{
    struct checkpointer *checkpointer = shared->deepening->checkpointer;
    uint8_t skipped[SKIP_BYTES];
    size_t bytes = 0;
    void *memory = remembered(shared, &bytes);
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

static bool place_is_sound(const struct walk_shared *shared, const struct place *place)
{
    unsigned least = walk_least_bound(shared->deepening);
    return place->bound >= least && place->bound <= WALK_DEPTH_MAX && (place->bound - least) % 2 == 0 &&
           place->finished < place->bound && place->cut > 0 && place->cut <= place->bound &&
           place->trunk <= 1 && place->tasks <= TASKS_MAX && place->trunk + place->tasks > 0;
}

static bool get_place(struct walk_shared *shared)
{
    struct place place;
    struct subtree **last = &shared->tasks;
    if (!checkpointer_get(shared->deepening->checkpointer, &place, sizeof place) ||
        !place_is_sound(shared, &place))
        return false;
    shared->bound = place.bound;
    shared->finished = place.finished;
    shared->cut = place.cut;
    shared->generated_before = place.generated;
    shared->expanded_before = place.expanded;
    if (place.trunk != 0 && (shared->resumed = get_task(shared)) == NULL)
        return false;
    if (place.trunk != 0 && (!shared->resumed->begun || shared->resumed->base != 0))
        return false;
    for (uint32_t i = 0; i < place.tasks; i++) {
        if ((*last = get_task(shared)) == NULL)
            return false;
        last = &(*last)->next;
    }
    return get_remembered(shared, place.remembered);
}

static void forget(struct walk_shared *shared)
{
    const struct deepening *deepening = shared->deepening;
    subtree_free_all(shared->tasks);
    free(shared->resumed);
    shared->tasks = shared->resumed = NULL;
    size_t bytes = 0;
    void *memory = remembered(shared, &bytes);
    if (memory != NULL)
        memset(memory, 0, bytes);
    shared->bound = walk_least_bound(deepening);
    shared->finished = 0;
    shared->generated_before = deepening->generated_before;
    shared->expanded_before = deepening->expanded_before;
}

bool walk_load(struct walk_shared *shared)
{
    struct checkpointer *checkpointer = shared->deepening->checkpointer;
    if (checkpointer == NULL || !checkpointer_open(checkpointer))
        return false;
    if (!checkpointer_close(checkpointer, get_place(shared))) {
        forget(shared);
        return false;
    }
    return true;
}

/* Whether the directions that were untried at a node, and the one that was taken from it, can be tried there.
 */
static bool is_within(const struct walk *walk, const struct subtree *task)
{
    unsigned ways = walk->untried[walk->depth];
    unsigned untried = task->bytes[task->depth + (walk->depth - task->base)];
    unsigned taken = walk->depth < task->depth ? task->bytes[walk->depth] : 0;
    if (taken >= DIRECTION_COUNT || (untried & ~ways) != 0)
        return false;
    return walk->depth == task->depth || (ways & ~untried & 1u << taken) != 0;
}

static bool follow(struct walk *walk, const struct subtree *task)
{
    const struct walk_kernel *kernel = walk->shared->deepening->kernel;
    memcpy(walk->move, task->bytes, task->base);
    walk->depth = task->base;
    if (!walk_enter(walk) || walk->found)
        return false;
    while (is_within(walk, task)) {
        if (walk->depth == task->depth)
            return true;
        if (!kernel->follow(walk, task->bytes[walk->depth]))
            return false;
    }
    return false;
}

bool walk_take_up(struct walk *walk, const struct subtree *task)
{
    uint64_t generated = walk->generated;
    uint64_t expanded = walk->expanded;
    bool sound = follow(walk, task);
    memcpy(walk->untried + task->base, task->bytes + task->depth, task->depth - task->base + 1u);
    walk->found = false;
    walk->generated = generated; /* these nodes were counted by who was cut off */
    walk->expanded = expanded;
    return sound;
}
