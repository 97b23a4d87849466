/* SPDX-License-Identifier: MIT */
/* The HTTP server: one thread, one event loop. libmicrohttpd reads requests and writes answers; libevent
 * talks to the daemon. libmicrohttpd's epoll descriptor is an event of libevent's loop. */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include "web/http/settings.h"

struct web_server;

/* Starts to listen. Returns NULL with the reason. The settings must live as long as the server. */
struct web_server *server_new(const struct settings *settings, struct refusal *refusal);
/* Returns the port that it listens on, which the system chose if 0 was asked for. */
unsigned server_port(const struct web_server *server);
/* Serves until SIGTERM or SIGINT. */
void server_run(struct web_server *server);
void server_free(struct web_server *server); /* NULL is fine */

#endif
