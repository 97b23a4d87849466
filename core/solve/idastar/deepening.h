/* SPDX-License-Identifier: MIT */
/*
 * Iterative deepening for plain sliding puzzles: depth-first walks within a bound that rises until the goal
 * is found. An iteration walks every path that never turns back and whose length plus lower bound is within
 * its bound.
 *
 * Boards are those of the canonical grid with the ordered goal.
 */
#ifndef IDASTAR_DEEPENING_H
#define IDASTAR_DEEPENING_H

#include "base/team.h"
#include "explore/run/monitor.h"
#include "solve/idastar/walk/idastar_kernel.h"
#include "solve/solve_request.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * The branches of a tree: its subtrees at a fixed depth. An iteration counts in each of them the nodes it
 * expands, and how near to the goal they come; the next one begins with the branches that came nearest on
 * average. All iterations but the last walk the whole tree, whatever the order; the last one ends in the
 * branch that has the goal. (To begin with what a shallower search found best is as old as iterative
 * deepening: A. Reinefeld and T. Marsland, "Enhanced Iterative-Deepening Search", PAMI 16, 1994.)
 */

/* Subtrees that nobody holds, named by the moves that lead to them, in lists. */

struct subtree {
    struct subtree *next;
    unsigned depth;
    uint8_t move[]; /* depth of them */
};

/* Makes one of those moves, or with room for so many where move is NULL; NULL without memory. */
static inline struct subtree *subtree_new(const uint8_t *move, unsigned depth)
{
    assert(depth <= WALK_DEPTH_MAX);
    struct subtree *subtree = malloc(sizeof *subtree + depth);
    if (subtree == NULL)
        return NULL;
    subtree->next = NULL;
    subtree->depth = depth;
    if (move != NULL)
        memcpy(subtree->move, move, depth);
    return subtree;
}

static inline void subtree_free_all(struct subtree *first)
{
    while (first != NULL) {
        struct subtree *next = first->next;
        free(first);
        first = next;
    }
}

enum { BRANCH_DEPTH = 10 };

struct branch {
    uint64_t path;           /* its moves, two bits each, the first one in front */
    uint64_t expanded, near; /* in this iteration, so far; near: the sum of walk_nearness */
};

struct branches {
    struct branch *branch; /* by path, ascending */
    uint32_t count;        /* 0 in an iteration that is not divided */
};

/* Returns a number that no tree on a grid of so many cells has more branches than. 5x5 has up
 * to 11,600. */
static inline uint32_t branches_most(unsigned cells)
{
    return 20 * cells * cells;
}
/* Returns the bytes of the branches on a grid of so many cells, while one iteration follows the other. */
uint64_t branches_bytes(unsigned cells);
/* Returns the branch that those moves lead into; NULL where they end above all branches, or lead into one
 * that was beyond the iteration's bound. */
struct branch *branches_find(const struct branches *branches, const uint8_t *move, unsigned depth);
/* Begins an iteration: takes the roots of its branches, in the order of the walk. Moves those to the front
 * that came nearest in the iteration before, and begins to count anew. Returns false without memory: then the
 * list is as it was. */
bool branches_begin(struct branches *branches, struct subtree **list);
void branches_free(struct branches *branches);

struct checkpointer; /* explore/checkpoint/checkpointer.h */

struct deepening {
    const struct grid *grid;
    const struct board *start;
    const struct walk_kernel *kernel;
    const void *heuristic;
    unsigned threads;
    unsigned remember; /* a walk on more than 16 cells remembers 2^remember boards; 0: the usual number;
                          WALK_FORGETS: a walk on any grid remembers none */
    const struct move_order *order; /* NULL for the usual; a kernel without an order of its own ignores it */
    unsigned first_bound;           /* no solution is shorter: iterations below it are left out; 0 for none */
    uint64_t node_limit;            /* generated, about; 0 for none */
    uint64_t divide_nodes;          /* once that many are generated, iterations go branch by branch; 0: the
                                       usual number */
    struct budget *budget;          /* for branches; NULL: nothing is accounted */
    struct monitor *monitor;
    struct checkpointer *checkpointer; /* to go on from and to leave checkpoints in; NULL for none */
};

struct deepening_result {
    bool found;
    unsigned moves;
    uint8_t *move;                /* malloc'd, to play by the kernel; NULL unless found */
    unsigned at_least;            /* no solution is shorter */
    uint64_t generated, expanded; /* also those before the checkpoint that was gone on from */
    uint64_t last, previous;      /* by the last iterations that ended without the goal; 0 for none */
    struct iterations iterations; /* that began after the checkpoint */
};

/*
 * Runs iterations with rising bounds until the goal is found. The length found is the least, whatever the
 * number of threads. The start must be solvable. PZ_OK and found, or PZ_LIMIT (deadline, node limit),
 * PZ_CANCELLED, PZ_MEMORY, PZ_TOO_LARGE (longer than WALK_DEPTH_MAX); the result's counters and `at_least`
 * hold for all of these. The caller frees result->move.
 */
enum pz_status deepening_run(const struct deepening *deepening, struct deepening_result *result,
                             struct pz_error *error);

/* Returns about how many bytes deepening_run takes, but for branches. The caller accounts for them. */
uint64_t deepening_bytes(const struct deepening *deepening);

/*
 * ---- for the files of this room ----
 *
 * Threads share an iteration. Together they go through the tree, or branch by branch through its branches, in
 * the order in which one thread would: the last iteration need only walk what comes before the goal. One more
 * walk, the driver, goes through what lies above a cut. A thread without work takes the lock, drives on to
 * the next node on the cut, and then walks the subtree below that node alone: a task. The cut rises and
 * sinks, so that tasks have a fit size on average. When the driver is at its end and a thread is idle, the
 * others give away the subtrees nearest to the start, so that all end together.
 */

struct iteration {
    const struct deepening *deepening;
    struct idastar_walk **walks; /* one for each thread, and after them the driver where there are several */
    unsigned walk_count;
    unsigned workers; /* threads that take part in this iteration */
    unsigned bound;
    uint64_t limit;                             /* generated nodes at which to stop */
    uint64_t generated_before, expanded_before; /* by the run that left a checkpoint */

    /* The owner's. */
    enum pz_status ended;    /* why it stopped the walks */
    bool pausing;            /* it stopped them to leave a checkpoint */
    bool divides;            /* memory for branches was taken from the budget */
    uint64_t last, previous; /* generated by the last iterations that ended without the goal; 0 for none */
    struct iterations iterations; /* those of this run */

    _Atomic bool halt;     /* the walks are to end: written under the lock, read by every walk */
    _Atomic unsigned idle; /* workers that wait for a task: written under the lock, read by every walk */

    pthread_mutex_t lock;        /* guards what follows, and the driver */
    pthread_cond_t work;         /* a task was added, or all is over */
    struct idastar_walk *driver; /* NULL when one worker walks alone */
    unsigned cut;                /* least depth of the roots of tasks that the driver leaves */
    uint64_t patience;           /* nodes that the driver may still expand on its way to the cut */
    unsigned weighed;            /* tasks since the cut was last set, and the nodes in them: */
    uint64_t weighed_nodes;
    struct branches branches; /* their counts; the owner divides the tree, while nobody walks */
    struct subtree *tasks;    /* for the next worker that looks for one */
    struct subtree *undriven; /* for the driver, in order; for the worker that walks alone */
    bool starved;             /* a subtree was lost for want of memory */
    bool over;                /* nothing is left and nobody walks, or halt is set */
    bool found;
    unsigned moves;
    uint8_t move[WALK_DEPTH_MAX];
};

/* Returns the least bound, of the right parity where there is one, that may hold a solution. */
static inline unsigned deepening_least_bound(const struct deepening *deepening)
{
    unsigned value = deepening->kernel->value(deepening->heuristic, deepening->start);
    unsigned first = deepening->first_bound;
    return first > value ? first + (first - value) % deepening->kernel->bound_step : value;
}

/* ---- iteration_worker.c ---- */

/* Walks tasks, and drives on for more, until the iteration is at its end or halted: the part of each worker
 * of the team. context: the struct iteration. */
void iteration_worker(void *context, unsigned worker);
/* Gives the walk the subtree, and frees it. */
void iteration_enter(struct idastar_walk *walk, struct subtree *subtree);
/* Counts what the walk has done in its branch. Under the lock, or while nobody walks. */
void iteration_note(struct idastar_walk *walk);
/* Frees the subtrees that nobody holds. */
void iteration_drop_subtrees(struct iteration *iteration);
/* Returns the nodes of all walks as far as they show them, and those before. */
uint64_t iteration_generated(const struct iteration *iteration);
/* Returns true if all is as it must be whenever nobody has the lock; for asserts. */
bool iteration_is_sound(const struct iteration *iteration);

/* ---- iteration_checkpoint.c: by the owner, while nobody walks ---- */

/* Leaves a checkpoint of the iteration. */
void iteration_save(struct iteration *iteration);
/* Takes up the iteration of a checkpoint: bound, counts and subtrees. Returns false when there is none that
 * can be used. */
bool iteration_load(struct iteration *iteration);

#endif
