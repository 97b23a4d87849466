/* SPDX-License-Identifier: MIT */
/*
 * One level of the dense search: every block of the target's plane pulls its next states from the other
 * plane. Work is handed out in ranges of blocks that a thread walks in memory order; plan.h says in which
 * turns.
 */
#ifndef EXPLORE_DENSE_LEVEL_H
#define EXPLORE_DENSE_LEVEL_H

#include "base/team.h"
#include "explore/control.h"
#include "explore/dense/kernel.h"
#include "explore/dense/planes.h"

struct level_runner;

struct level_parts {
    const struct plan *plan;
    struct planes *planes;
    const struct kernel *kernel;
    struct team *team;
    struct control *control; /* may be NULL */
};

/* All parts must outlive the runner. PZ_MEMORY. */
enum pz_status level_runner_new(const struct level_parts *parts, struct level_runner **out,
                                struct pz_error *error);
void level_runner_free(struct level_runner *runner); /* NULL is fine */
uint64_t level_runner_bytes(unsigned threads);

/* Called by the owner every so often with the share of the level that is done; true makes the level pause. */
typedef bool level_tick(void *context, double done);

/* One level that is to be made. */
struct level_task {
    unsigned target;  /* the colour of its plane */
    bool mark;        /* its states are marked, too */
    uint64_t width;   /* states being expanded: a narrow level is not worth a second thread */
    uint32_t turn;    /* where to go on with a level that ended early: level_turns(); else 0 */
    level_tick *tick; /* may be NULL */
    void *context;
};

/*
 * Writes the level after the one in the plane of colour 1 − target over the plane of colour target. Returns
 * PZ_OK with the number of its states; PZ_BUSY when it paused, PZ_CANCELLED when the control said stop and
 * PZ_LIMIT when its deadline passed: then the ranges of level_turns() turns are of the new level, and the
 * others still of the one before the last (the other plane is whole).
 */
enum pz_status level_run(struct level_runner *runner, const struct level_task *task, uint64_t *states);
/* How many turns, from the first on, are done after the last call. */
uint32_t level_turns(const struct level_runner *runner);

/* How many blocks of the last level could not be passed over: something led there. */
uint64_t level_blocks(const struct level_runner *runner);

/* Advances the one block that number is in; what level_run does, for tests that hold only few blocks. */
void level_advance_block(struct level_runner *runner, unsigned target, uint32_t block);

#endif
