/* SPDX-License-Identifier: MIT */
/* Solves one board and gets its result, for commands that solve several. */
#ifndef SOLVED_H
#define SOLVED_H

#include "session.h"

/* Submits a SOLVE, waits for the end of the job, and gets its RESULT; the caller clears it. Forgets an
 * earlier job with the same question if it may, so that times are measured now. Returns EXIT_FOUND with a
 * result; EXIT_REFUSED after an ERR, which is reported if that is wanted; or another failure. */
enum exit_code solved_ask(struct session *session, const struct text *request, bool report,
                          struct reply *result);

#endif
