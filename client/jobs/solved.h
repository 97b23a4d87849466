/* SPDX-License-Identifier: MIT */
/* The results of jobs, for commands that need several, or part of one. */
#ifndef SOLVED_H
#define SOLVED_H

#include "client/session/session.h"

/* Submits a job, waits for its end, and gets its RESULT; the caller clears it. Returns EXIT_REFUSED with the
 * ERR, which is not reported, or another failure. */
enum exit_code finished_ask(struct session *session, struct text *request, struct reply *result);

/* Submits a SOLVE, waits for the end of the job, and gets its RESULT; the caller clears it. Forgets an
 * earlier job with the same question if it may, so that times are measured now. Returns EXIT_FOUND with a
 * result; EXIT_REFUSED after an ERR, which is reported if that is wanted; or another failure. */
enum exit_code solved_ask(struct session *session, const struct text *request, bool report,
                          struct reply *result);

#endif
