/* SPDX-License-Identifier: MIT */
/*
 * Lookups about spaces that are small: what DISTANCE, PATH, SAMPLE or DEEPEST lack is explored before they
 * are answered, by a job of the client's own, within a second or two. [limits] explore-first says up to how
 * many states. Where nobody can tell the size, the job has little memory and time; if they do not suffice it
 * is forgotten, and the lookup is refused as ever. Such requests are remembered by their hash, in
 * server->explore_failed, and not tried again.
 */
#ifndef DAEMON_EXPLORE_FIRST_H
#define DAEMON_EXPLORE_FIRST_H

#include "daemon/net/pending_reply.h"

struct server;

/* Carries out an EXPLORE line for the client of the pending reply, which goes on waiting. done is called
 * once, when the exploration has ended or was refused; gone: the client has left, and its pending reply is no
 * more. Loop thread. */
void explore_first_begin(struct server *server, struct pending_reply *pending, const char *line,
                         void (*done)(void *context, bool gone), void *context);

#endif
