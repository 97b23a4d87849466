/* SPDX-License-Identifier: MIT */
/* One board solved and its result brought, for commands that solve several. */
#ifndef SOLVED_H
#define SOLVED_H

#include "session.h"

/*
 * Submits a SOLVE, stays with the job until it ends, and gets its RESULT; the caller clears it. A question
 * that was asked before is asked anew where its job may be forgotten, so that times are of now. EXIT_FOUND
 * with a result; EXIT_REFUSED after an ERR, which is reported if that is wanted; or another failure.
 */
enum exit_code solved_ask(struct session *session, const struct text *request, bool report,
                          struct reply *result);

#endif
