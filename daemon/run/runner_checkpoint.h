/* SPDX-License-Identifier: MIT */
/*
 * The store as the place of the checkpoints of an exploration, or of pattern databases that are being built.
 * The scheduler removes a checkpoint when its job has ended, as it outlives the runner when the daemon stops.
 */
#ifndef DAEMON_RUNNER_CHECKPOINT_H
#define DAEMON_RUNNER_CHECKPOINT_H

#include "daemon/run/runner_options.h"
#include "daemon/run/runner_sink.h"

#include <stdatomic.h>

struct runner_checkpoint;

/* Uses of the options: store, job, started_ms and the checkpoint settings. sink is NULL for work without one.
 * made_ms is set at each checkpoint to the time it was made, by the wall clock, and saved when one was made.
 * All must outlive it. NULL: no memory. */
struct runner_checkpoint *runner_checkpoint_new(const struct runner_options *options,
                                                const struct runner_sink *sink, _Atomic uint64_t *made_ms,
                                                _Atomic bool *saved);
void runner_checkpoint_free(struct runner_checkpoint *checkpoint); /* NULL is fine */
/* Returns NULL if checkpoint is NULL. */
const struct explore_checkpoint *runner_checkpoint_calls(const struct runner_checkpoint *checkpoint);

#endif
