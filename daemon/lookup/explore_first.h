/* SPDX-License-Identifier: MIT */
/*
 * Lookups about small spaces: if DISTANCE, PATH, SAMPLE or DEEPEST find no table, the space is explored
 * first, by a job of the same client, within a second or two. [limits] explore-first says up to how many
 * states. If the size is not known, the job gets little memory and time; if they do not suffice, the job is
 * forgotten and the lookup is refused. The hashes of such requests are kept in server->explore_failed, and
 * they are not tried again.
 */
#ifndef DAEMON_EXPLORE_FIRST_H
#define DAEMON_EXPLORE_FIRST_H

#include "daemon/net/pending_reply.h"

struct server;

/* Carries out an EXPLORE line for the client of the pending reply, which goes on waiting. done is called
 * once, when the exploration has ended or was refused; gone: the client has left, and its pending reply is
 * freed. Loop thread. */
void explore_first_begin(struct server *server, struct pending_reply *pending, const char *line,
                         void (*done)(void *context, bool gone), void *context);

#endif
