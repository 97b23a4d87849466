/* SPDX-License-Identifier: MIT */
/*
 * One level of the dense search: every block of the target's plane pulls its next states from the other
 * plane. Of metric:multi this is a sweep, and a level is several, to either colour in turn. Work is handed
 * out in ranges of blocks, which a thread walks in memory order. plan.h orders the ranges.
 */
#ifndef EXPLORE_DENSE_DENSE_LEVEL_H
#define EXPLORE_DENSE_DENSE_LEVEL_H

#include "base/team.h"
#include "explore/dense/kernel/kernel.h"
#include "explore/dense/plane/planes.h"
#include "explore/run/turns.h"

struct level_runner;

struct level_parts {
    const struct plan *plan;
    struct planes *planes;
    const struct kernel *kernel;
    struct team *team;
    struct control *control; /* may be NULL */
};

/* All parts must outlive the runner. Returns PZ_MEMORY without memory. */
enum pz_status level_runner_new(const struct level_parts *parts, struct level_runner **out,
                                struct pz_error *error);
void level_runner_free(struct level_runner *runner); /* NULL is fine */
uint64_t level_runner_bytes(unsigned threads);

/* A level to be made. */
struct level_task {
    unsigned target;  /* the colour of its plane; of metric:multi a level has states of both */
    bool mark, mark0; /* mark its states, too */
    uint64_t width;   /* states being expanded: a narrow level is not worth a second thread */
    uint32_t turn;    /* where to resume a level that ended early: level_turns(); else 0 */
    level_tick *tick; /* may be NULL */
    void *context;
};

/*
 * Writes the level after the one in the plane of colour 1 − target over the plane of colour target. Returns
 * PZ_OK with the number of its states, PZ_BUSY if it paused, PZ_CANCELLED if the control said stop, or
 * PZ_LIMIT if its deadline passed. After the last three, the ranges of the first level_turns() turns hold
 * the new level, and the others still hold the level before the last; the other plane is whole. Turns of
 * metric:multi count on from sweep to sweep.
 */
enum pz_status level_run(struct level_runner *runner, const struct level_task *task, uint64_t *states);
/* Returns how many turns, from the first on, are done after the last call. */
uint32_t level_turns(const struct level_runner *runner);

/* Returns how many blocks of the last level were worked on because something led there. */
uint64_t level_blocks(const struct level_runner *runner);

/* Advances one block, as level_run does; for tests that hold only few blocks. */
void level_advance_block(struct level_runner *runner, unsigned target, uint32_t block);

#endif
