/* SPDX-License-Identifier: MIT */
/* Prints the results of jobs, for people or for scripts. */
#ifndef JOB_RESULT_H
#define JOB_RESULT_H

#include "client/session/command.h"
#include "client/session/session.h"

/* Asks RESULT of a job and prints it. arguments say what to do with the boards of a solution (drawing.h).
 * remark: follows the job's number if not NULL ("answered before"). */
enum exit_code result_print(struct session *session, long long job, const struct arguments *arguments,
                            const char *remark);
/* Prints a reply that has the keys of RESULT. */
enum exit_code result_print_reply(struct session *session, const struct reply *reply,
                                  const struct arguments *arguments, const char *remark);
/* Returns the exit status for a state and what was found. */
enum exit_code result_exit(const struct reply *reply);
/* Returns the metric by which a question of a puzzle's text counts, its word malloc'd: what it names, else
 * the puzzle's own; "" where it has but one. NULL without memory. */
char *result_metric(const char *puzzle);
/* Puts the name of a layout or a definition, where the reply has one, in the place of its puzzle. */
void result_show_layout(struct reply *job);
/* Returns true for a state word of an ended job. */
bool result_is_end(const char *state);

#endif
