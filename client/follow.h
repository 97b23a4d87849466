/* SPDX-License-Identifier: MIT */
/* Staying with a job until it ends. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "session.h"

/*
 * Watches a job and shows its progress; with events, prints every event (--json: as an object) on the output.
 * On Ctrl-C asks whether to go on (on a terminal) or leaves. EXIT_FOUND: the job has ended, with *state its
 * last word (32 bytes); EXIT_DETACHED: it goes on without us, and how to come back was said.
 */
enum exit_code follow_job(struct session *session, long long job, bool events, char state[32]);

#endif
