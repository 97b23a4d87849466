/* SPDX-License-Identifier: MIT */
/* The store as an exploration's sink: levels, examples and the table of one job. The search's thread. */
#ifndef DAEMON_RUNNER_SINK_H
#define DAEMON_RUNNER_SINK_H

#include "task.h"

struct runner_sink;

struct runner_sink *runner_sink_new(struct store *store, uint64_t job,
                                    const struct task *task); /* NULL: no memory */
const struct explore_sink *runner_sink_calls(struct runner_sink *sink);
/* Makes the table visible when status is PZ_OK, removes it otherwise. Returns status, or what went wrong
 * here. */
enum pz_status runner_sink_finish(struct runner_sink *sink, enum pz_status status,
                                  const struct explore_result *result, struct pz_error *error);
/* What was handed over so far. */
uint32_t runner_sink_levels(const struct runner_sink *sink);
/* Of the table that will be written in the end: 0 when none is, and unknown where that cannot be told ahead.
 */
uint64_t runner_sink_table_bytes(const struct runner_sink *sink, uint64_t unknown);
uint64_t runner_sink_states(const struct runner_sink *sink);
void runner_sink_free(struct runner_sink *sink); /* NULL is fine */

#endif
