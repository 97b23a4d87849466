/* SPDX-License-Identifier: MIT */
/*
 * The store as the place of the checkpoints of an exploration, or of pattern databases that are being built.
 * The scheduler removes a checkpoint when its job has ended, as it outlives the runner when the daemon stops.
 */
#ifndef DAEMON_RUNNER_CHECKPOINT_H
#define DAEMON_RUNNER_CHECKPOINT_H

#include "runner.h"
#include "runner_sink.h"

#include <stdatomic.h>

struct runner_checkpoint;

/* Of the options: store, job and what is said of checkpoints. sink is NULL for what has none. made_ms is set
 * whenever there is a new one: when it was made, by the wall clock. All must outlive it. NULL: no memory. */
struct runner_checkpoint *runner_checkpoint_new(const struct runner_options *options,
                                                const struct runner_sink *sink, _Atomic uint64_t *made_ms);
void runner_checkpoint_free(struct runner_checkpoint *checkpoint); /* NULL is fine */
/* NULL of NULL. */
const struct explore_checkpoint *runner_checkpoint_calls(const struct runner_checkpoint *checkpoint);

#endif
