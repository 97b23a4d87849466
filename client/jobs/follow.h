/* SPDX-License-Identifier: MIT */
/* Waiting for a job until it ends. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "client/session/session.h"

/* Watches a job and shows its progress. With events, prints every event (--json: as an object) to the output.
 * On Ctrl-C, asks whether to go on (on a terminal) or leaves. Returns EXIT_FOUND if the job has ended, with
 * its state in *state (32 bytes), or EXIT_DETACHED if it goes on without us; the user was then told how to
 * come back. */
enum exit_code follow_job(struct session *session, long long job, bool events, char state[32]);

/* The results of jobs, for commands that need several, or part of one. */

/* Submits a job, waits for its end, and gets its RESULT; the caller clears it. Returns EXIT_REFUSED with the
 * ERR, which is not reported, or another failure. */
enum exit_code finished_ask(struct session *session, struct text *request, struct reply *result);

/* Submits a SOLVE, waits for the end of the job, and gets its RESULT; the caller clears it. Forgets an
 * earlier job with the same question if it may, so that times are measured now. Returns EXIT_FOUND with a
 * result; EXIT_REFUSED after an ERR, which is reported if that is wanted; or another failure. */
enum exit_code solved_ask(struct session *session, const struct text *request, bool report,
                          struct reply *result);

#endif
