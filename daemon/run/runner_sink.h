/* SPDX-License-Identifier: MIT */
/* The store as an exploration's sink: levels, examples and the table of one job. The search's thread. */
#ifndef DAEMON_RUNNER_SINK_H
#define DAEMON_RUNNER_SINK_H

#include "daemon/run/runner_options.h"

struct runner_sink;

/* Uses of the options: task, job, store, evicted, context; they outlive the sink. The store's buffers count
 * for the budget's peak. NULL without memory. */
struct runner_sink *runner_sink_new(const struct runner_options *options, struct budget *budget);
const struct explore_sink *runner_sink_calls(struct runner_sink *sink);
/* Makes the table visible if status is PZ_OK, and removes it otherwise. Returns status, or the failure of
 * this function. */
enum pz_status runner_sink_finish(struct runner_sink *sink, enum pz_status status,
                                  const struct explore_result *result, struct pz_error *error);
/* Returns true if the store has this exploration's table, or a better one. Call it after runner_sink_finish.
 */
bool runner_sink_has_table(const struct runner_sink *sink);
/* Returns how many levels were handed over so far. */
uint32_t runner_sink_levels(const struct runner_sink *sink);
/* Returns the bytes of the table that will be written in the end: 0 for no table, `unknown` if that is not
 * known ahead. */
uint64_t runner_sink_table_bytes(const struct runner_sink *sink, uint64_t unknown);
/* Returns " edges=…" and what belongs to it, as RESULT reports it; "" if edges were not counted. */
const struct text *runner_sink_edges(const struct runner_sink *sink);
uint64_t runner_sink_states(const struct runner_sink *sink);
void runner_sink_free(struct runner_sink *sink); /* NULL is fine */

#endif
