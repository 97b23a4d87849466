/* SPDX-License-Identifier: MIT */
/*
 * The store as the place of an exploration's checkpoints. The search's thread, but for runner_checkpoint_ms. The
 * scheduler removes a checkpoint when its job has ended, as it outlives the runner when the daemon stops.
 */
#ifndef DAEMON_RUNNER_CHECKPOINT_H
#define DAEMON_RUNNER_CHECKPOINT_H

#include "runner_sink.h"

#include <stdatomic.h>

struct runner_checkpoint;

/* interval in seconds. made_ms is set whenever there is a new one: when it was made, by the wall clock. All must outlive
 * it. NULL: no memory. */
struct runner_checkpoint *runner_checkpoint_new(struct store *store, uint64_t job, double interval,
                                                const struct runner_sink *sink, _Atomic uint64_t *made_ms);
void runner_checkpoint_free(struct runner_checkpoint *checkpoint); /* NULL is fine */
const struct explore_checkpoint *runner_checkpoint_calls(const struct runner_checkpoint *checkpoint);

#endif
