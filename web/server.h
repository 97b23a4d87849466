/* SPDX-License-Identifier: MIT */
/*
 * The HTTP server: one thread, one event loop. libmicrohttpd reads requests and writes answers, libevent
 * talks to the daemon; the first's epoll descriptor is an event of the second.
 */
#ifndef SERVER_H
#define SERVER_H

#include "settings.h"

struct server;

/* Listens; NULL with the reason. The settings must live as long as the server. */
struct server *server_new(const struct settings *settings, struct refusal *refusal);
/* Where it listens: the port is another than asked for where that was 0. */
unsigned server_port(const struct server *server);
/* Serves until SIGTERM or SIGINT. */
void server_run(struct server *server);
void server_free(struct server *server); /* NULL is fine */

#endif
