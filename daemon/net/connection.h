/* SPDX-License-Identifier: MIT */
/*
 * Connections: bytes become lines, lines become requests, and replies go back, one for each and in order.
 *
 * A connection does one thing at a time: the next request begins when the one before it has its reply. What
 * a client sends ahead waits in its input buffer, which is bounded. Consecutive lookups go to a worker
 * together, as one request. Consecutive submissions begin at once, so that one wait for the disk serves all
 * of them.
 *
 * A request that has no reply yet is a struct pending_reply. Everything here belongs to the loop thread.
 */
#ifndef DAEMON_CONNECTION_H
#define DAEMON_CONNECTION_H

#include "daemon/host/metrics.h"
#include "daemon/net/clients.h"
#include "daemon/net/connection_handler.h"
#include "daemon/net/pending_reply.h"
#include "daemon/settings/config.h"

struct event_base;
struct connection;
struct connections;

/* All that it points to outlives the connections. */
struct connections_options {
    struct event_base *base;
    const struct config *config;
    struct metrics *metrics;
    struct clients *clients;
    struct connection_handler handler;
};

enum pz_status connections_new(const struct connections_options *options, struct connections **out,
                               struct pz_error *error);
/* Closes all of them at once. NULL is fine. */
void connections_free(struct connections *all);
/* Takes over a connected, non-blocking socket. */
void connections_accept(struct connections *all, int socket);
/* Returns the text that a client sends in parts. */
struct draft;
struct draft *connection_draft(struct connection *connection);
size_t connections_count(const struct connections *all);
/* Gives open connections the timeouts of a configuration that has changed. */
void connections_reload(struct connections *all);
/* Reads no more input. A connection closes when its open pending reply is finished and written. */
void connections_drain(struct connections *all);

#endif
