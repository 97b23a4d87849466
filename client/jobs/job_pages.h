/* SPDX-License-Identifier: MIT */
/* The daemon's jobs, the latest first, page by page. Only one page is in memory at a time. */
#ifndef JOB_PAGES_H
#define JOB_PAGES_H

#include "client/session/command.h"
#include "client/session/session.h"

/* Calls visit for each job, as JOBS reports it, until it returns false. visit may take over the reply and
 * leaves it zeroed then. pairs (NULL for none) go into the requests. tools: also those that tools submitted
 * on their way. */
enum exit_code pages_each(struct session *session, const struct arguments *pairs, bool tools,
                          bool (*visit)(void *context, struct reply *job), void *context);

/* Finds the latest job of a puzzle: "3x3", "klotski", "jugs:3,5"; of "3x3" one without walls and by moves of
 * one tile, if there is one, and one that no tool submitted on its way. kind may be NULL for any. *job is 0
 * if there is none; then "; did you mean …?" is appended to hint (NULL is fine) if a job's puzzle is similar.
 */
enum exit_code pages_find(struct session *session, const char *puzzle, const char *kind, struct text *hint,
                          long long *job);

#endif
