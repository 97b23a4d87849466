/* SPDX-License-Identifier: MIT */
/* Results of jobs as the fields that RESULT reports beside the facts. */
#ifndef DAEMON_RUNNER_WRITE_H
#define DAEMON_RUNNER_WRITE_H

#include "daemon/run/runner_options.h"
#include "protocol/text/text.h"

/* edges: the field of the numbers of moves, "" without them. */
void runner_write_explored(const struct runner_options *options, const struct explore_result *result,
                           const struct text *edges, bool has_table, struct text *out);
void runner_write_solved(const struct runner_options *options, const struct solve_result *result,
                         struct text *out);
void runner_write_built(const struct runner_options *options, const struct pdb_build_result *result,
                        struct text *out);

#endif
