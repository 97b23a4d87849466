/* SPDX-License-Identifier: MIT */
/* The store as an exploration's sink: levels, examples and the table of one job. The search's thread. */
#ifndef DAEMON_RUNNER_SINK_H
#define DAEMON_RUNNER_SINK_H

#include "daemon/run/runner_options.h"

struct runner_sink;

/* Levels, states and edges that the sink was given so far. */
struct runner_sink_found {
    bool has_table; /* after runner_sink_finish: the store has this exploration's table, or a better one */
    uint32_t levels;
    uint64_t states;
    struct text edges; /* " edges=…" and so on, as RESULT reports it; "" if they were not counted */
};

/* Uses of the options: task, job, store, evicted, context; they outlive the sink. The store's buffers count
 * for the budget's peak. NULL without memory. */
struct runner_sink *runner_sink_new(const struct runner_options *options, struct budget *budget);
const struct explore_sink *runner_sink_calls(struct runner_sink *sink);
/* Makes the table visible if status is PZ_OK, and removes it otherwise. Returns status, or the failure of
 * this function. */
enum pz_status runner_sink_finish(struct runner_sink *sink, enum pz_status status,
                                  const struct explore_result *result, struct pz_error *error);
/* Lives as long as the sink; all zeros for NULL. */
const struct runner_sink_found *runner_sink_found(const struct runner_sink *sink);
/* Returns the bytes of the table that will be written in the end: 0 for no table, `unknown` if that is not
 * known ahead. */
uint64_t runner_sink_table_bytes(const struct runner_sink *sink, uint64_t unknown);
void runner_sink_free(struct runner_sink *sink); /* NULL is fine */

#endif
