/* SPDX-License-Identifier: MIT */
/*
 * Threads share an iteration. Together they go through the tree in the order in which one thread would: the
 * last iteration need only walk what comes before the goal. One more walk, the driver, goes through what lies
 * above a cut. A thread without work takes the lock, drives on to the next node on the cut, and then walks
 * the subtree below that node alone: a task. The cut rises and sinks, so that tasks have a fit size on
 * average. When the driver is at its end and a thread is idle, the others give away the subtrees nearest to
 * the start, so that all end together.
 *
 * Shared by deepening.c (iteration after iteration), iteration.c and iteration_checkpoint.c; others need
 * deepening.h.
 */
#ifndef IDASTAR_ITERATION_H
#define IDASTAR_ITERATION_H

#include "base/team.h"
#include "solve/idastar/deepening_request.h"

#include <pthread.h>

/* A subtree that nobody holds. */
struct subtree {
    struct subtree *next;
    unsigned depth;
    uint8_t move[]; /* depth of them */
};

struct iteration {
    const struct deepening *deepening;
    struct walk **walks; /* one for each thread, and after them the driver where there are several */
    unsigned walk_count;
    unsigned members; /* threads that take part in this iteration */
    unsigned bound;
    uint64_t limit;                             /* generated nodes at which to stop */
    uint64_t generated_before, expanded_before; /* by the run that left a checkpoint */

    /* The owner's. */
    enum pz_status ended; /* why it stopped the walks */
    bool pausing;         /* it stopped them to leave a checkpoint */

    _Atomic bool halt;     /* the walks are to end: written under the lock, read by every walk */
    _Atomic unsigned idle; /* members that wait for a task: written under the lock, read by every walk */

    pthread_mutex_t lock; /* guards what follows, and the driver */
    pthread_cond_t work;  /* a task was added, or all is over */
    struct walk *driver;  /* NULL when one member walks alone */
    unsigned cut;         /* least depth of the roots of tasks that the driver leaves */
    uint64_t patience;    /* nodes that the driver may still expand on its way to the cut */
    unsigned weighed;     /* tasks since the cut was last set, and the nodes in them: */
    uint64_t weighed_nodes;
    struct subtree *tasks;    /* for the next member that looks for one */
    struct subtree *undriven; /* for the driver, in order; for the member that walks alone */
    bool starved;             /* a subtree was lost for want of memory */
    bool over;                /* nothing is left and nobody walks, or halt is set */
    bool found;
    unsigned moves;
    uint8_t move[WALK_DEPTH_MAX];
};

/* ---- deepening.c ---- */

/* Returns the least bound of the right parity that may hold a solution. */
unsigned deepening_least_bound(const struct deepening *deepening);

/* ---- iteration.c ---- */

/* Runs one iteration, on the team or, without one, on the caller's thread. resumed: it is the one that
 * iteration_load has taken up. PZ_OK when it is at its end or found the goal, PZ_MEMORY, or why the owner
 * stopped it. */
enum pz_status iteration_run(struct iteration *iteration, struct team *team, bool resumed,
                             struct pz_error *error);
/* Returns the nodes of all walks as far as they show them, and those before. */
uint64_t iteration_generated(const struct iteration *iteration);
/* NULL without memory. */
struct subtree *subtree_new(const uint8_t *move, unsigned depth);
void subtree_free_all(struct subtree *first);

/* ---- iteration_checkpoint.c: by the owner, while nobody walks ---- */

/* Leaves a checkpoint of the iteration. */
void iteration_save(struct iteration *iteration);
/* Takes up the iteration of a checkpoint: bound, counts and subtrees. Returns false when there is none that
 * can be used. */
bool iteration_load(struct iteration *iteration);

#endif
