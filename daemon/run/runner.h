/* SPDX-License-Identifier: MIT */
/*
 * A running job: one thread that owns the search (and its team) and hands the results to the store. Progress
 * and the end come to the loop thread as messages.
 */
#ifndef DAEMON_RUNNER_H
#define DAEMON_RUNNER_H

#include "daemon/run/runner_options.h"

struct runner;

/* Loop thread, as all below. */
enum pz_status runner_start(const struct runner_options *options, struct runner **out,
                            struct pz_error *error);
/* Asks it to stop; it ends within a moment. */
void runner_cancel(struct runner *runner);
/* Asks it to stop because the daemon stops: a search with checkpoints leaves one first, if there is time. */
void runner_interrupt(struct runner *runner);
/* Returns when the last checkpoint was made, by the wall clock; 0 if there is none. */
uint64_t runner_checkpoint_ms(const struct runner *runner);
/* Returns true if this run has left a checkpoint. */
bool runner_has_saved(const struct runner *runner);
/* Returns how the job ended, and its answer, after ended() was called. The caller may take the answer's text,
 * which is NULL or failed without memory; the job has then failed or was cancelled. */
struct runner_outcome *runner_outcome(struct runner *runner);
/* Joins the thread, after ended() was called. */
void runner_free(struct runner *runner);

/* Carries out a SOLVE on the calling thread. checkpoint is for long searches and for building databases, or
 * NULL. Uses of the options: task, patterns, in_memory_only, parent, memory, threads. */
void runner_solve(const struct runner_options *options, struct control *control,
                  const struct explore_checkpoint *checkpoint, struct runner_outcome *outcome);

#endif
