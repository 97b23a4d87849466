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

#endif
