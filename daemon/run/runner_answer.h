/* SPDX-License-Identifier: MIT */
/* The answer of a job: its facts, and the fields that RESULT reports beside them. */
#ifndef DAEMON_RUNNER_ANSWER_H
#define DAEMON_RUNNER_ANSWER_H

#include "daemon/jobs/task.h"
#include "daemon/run/runner_options.h"
#include "protocol/text/text.h"

/* edges: the field of the numbers of moves, "" without them. */
void runner_write_explored(const struct runner_options *options, const struct explore_result *result,
                           const struct text *edges, bool has_table, struct text *out);
void runner_write_solved(const struct runner_options *options, const struct solve_result *result,
                         struct text *out);
void runner_write_built(const struct runner_options *options, const struct pdb_build_result *result,
                        struct text *out);

/* Records the limits that stopped a job: a task with wider ones runs again. If the system ran out of memory
 * or the disk out of room, the recorded limit is what was used: there may be more next time. */
void runner_limits_note(const struct runner_options *options, enum stop_reason reason,
                        const struct budget *budget, struct job_facts *facts);
/* Does what runner_limits_note does, for an exploration. On a cluster the limit of memory is that of a rank;
 * 0 if the disk is full. */
void runner_limits_note_explored(const struct runner_options *options, const struct explore_result *found,
                                 const struct budget *budget, struct job_facts *facts);

/* Grades the board that was solved with that request, and adds what is known to the answer, with the limits
 * if one left a figure out. Does nothing without a path of states. PZ_OK, PZ_CANCELLED. */
enum pz_status runner_grade(const struct runner_options *options, const struct solve_request *request,
                            const struct solve_result *solved, struct control *control,
                            struct job_answer *answer);

/* For an exploration whose table an earlier run has stored, when the daemon ended before it could record the
 * result. Fills in the result from the job's own table and its levels, if they answer its whole question.
 * Otherwise returns false: the job must explore. Runner's thread. */
bool runner_stored(const struct runner_options *options, struct explore_result *found);
/* Returns true if the store has all levels of a job, by the last one's depth and their states. Any thread. */
bool runner_levels_agree(struct store *store, uint64_t job, uint32_t depth, uint64_t states);

#endif
