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

/* All pointers must outlive the runner. control may be NULL. */
enum pz_status level_runner_new(const struct plan *plan, struct planes *planes, const struct kernel *kernel,
                                struct team *team, struct control *control, struct level_runner **out,
                                struct pz_error *error);
void level_runner_free(struct level_runner *runner); /* NULL is fine */
uint64_t level_runner_bytes(unsigned threads);

/*
 * Writes the level after the one in the plane of colour 1 − target over the plane of colour target, and marks
 * its states when mark is true. width is the number of states being expanded: a narrow level is not worth a
 * second thread. tick is called by the owner every so often with the share that is done; true makes the level
 * pause. Returns PZ_OK with the number of states; PZ_BUSY when it paused, PZ_CANCELLED when the control said
 * stop and PZ_LIMIT when its deadline passed: then the ranges of level_turns() turns are of the new level,
 * and the others still of the one before the last (the other plane is whole).
 */
typedef bool level_tick(void *context, double done);
enum pz_status level_run(struct level_runner *runner, unsigned target, bool mark, uint64_t width,
                         level_tick *tick, void *context, uint64_t *states);
/* As above for a level that ended early, from that turn on; the number of states is that of the whole level.
 */
enum pz_status level_go_on(struct level_runner *runner, uint32_t turn, unsigned target, bool mark,
                           uint64_t width, level_tick *tick, void *context, uint64_t *states);
/* How many turns, from the first on, are done after the last call. */
uint32_t level_turns(const struct level_runner *runner);

/* How many blocks of the last level could not be passed over: something led there. */
uint64_t level_blocks(const struct level_runner *runner);

/* Advances the one block that number is in; what level_run does, for tests that hold only few blocks. */
void level_advance_block(struct level_runner *runner, unsigned target, uint32_t block);

#endif
