/* SPDX-License-Identifier: MIT */
/* What deepening.c (iteration after iteration), walk.c (one, shared out) and resume.c (their checkpoints)
 * share; others need walk.h. */
#ifndef IDASTAR_WALK_PARTS_H
#define IDASTAR_WALK_PARTS_H

#include "solve/idastar/walk.h"

#include <pthread.h>

/*
 * A subtree that was given away, or the whole tree, which nobody walks yet; or a walk that was cut off, from
 * its subtree's root at depth base on to where it was, with the directions that it had not tried at each
 * depth.
 */
struct subtree {
    struct subtree *next;
    unsigned base, depth;
    bool begun;      /* a walk that was cut off; else base and depth are the same */
    uint8_t bytes[]; /* depth moves; then, where it was begun, depth − base + 1 sets of directions */
};

struct walk_shared {
    const struct deepening *deepening;
    struct walk **walks; /* one for each thread, and after them the trunk where there are several */
    unsigned walk_count;
    unsigned members; /* threads that take part in this iteration */
    unsigned bound;
    unsigned finished; /* the last bound whose iteration came to its end without the goal; 0 for none */
    uint64_t limit;    /* generated nodes at which to stop */
    uint64_t generated_before,
        expanded_before; /* by earlier searches, and by the run that left a checkpoint */

    /* The owner's. */
    enum pz_status ended;    /* why it stopped the walks */
    bool pausing;            /* it stopped them to leave a checkpoint */
    struct subtree *resumed; /* the trunk of a checkpoint, until its iteration begins; else NULL */

    _Atomic bool halt;       /* the walks are to end: written under the lock, read by every walk */
    _Atomic unsigned hungry; /* members that wait for a task: written under the lock, read by every walk */

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t work;  /* a task was added, or all is over */
    struct walk *trunk;   /* NULL when it is at its end, or one member walks alone */
    unsigned cut;         /* depth of the roots of the grains */
    uint64_t patience;    /* nodes that the trunk may still expand on its way to the cut */
    unsigned grains;      /* walked since the size of grains was last looked at, and the nodes in them: */
    uint64_t grain_nodes;
    struct subtree *tasks;
    bool over; /* nothing is left and nobody walks, or halt is set */
    bool found;
    unsigned moves;
    uint8_t move[WALK_DEPTH_MAX];
};

/* ---- deepening.c ---- */

/* The least bound of the right parity that may hold a solution. */
unsigned walk_least_bound(const struct deepening *deepening);

/* ---- walk.c ---- */

/* One iteration, on the team or, without one, on the caller's thread; resumed: the one that walk_load has
 * taken up. PZ_OK when it is at its end or found the goal, PZ_MEMORY, or why the owner stopped it. */
enum pz_status walk_iterate(struct walk_shared *shared, struct team *team, bool resumed,
                            struct pz_error *error);
/* By all walks as far as they show it, and before them. */
uint64_t walk_generated(const struct walk_shared *shared);
/* NULL without memory. */
struct subtree *subtree_new(const uint8_t *move, unsigned depth);
void subtree_free_all(struct subtree *tasks);
/* Puts the walk at the node that walk->move leads to, as the root of a subtree. False when nothing is below.
 */
bool walk_enter(struct walk *walk);

/* ---- resume.c: by the owner, while nobody walks, but for the last ---- */

/* Leaves a checkpoint of the iteration. */
void walk_save(struct walk_shared *shared);
/* Takes up the iteration of a checkpoint: bound, counts, tasks and trunk; false when there is none that can
 * be used. */
bool walk_load(struct walk_shared *shared);
/* Puts the walk where another was cut off; false, with a walk that must not go on, where none can have been,
 * which walk_load has made sure of. The walk's own thread; the trunk by the owner. */
bool walk_take_up(struct walk *walk, const struct subtree *task);

#endif
