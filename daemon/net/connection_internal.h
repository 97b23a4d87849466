/* SPDX-License-Identifier: MIT */
/* Shared by connection.c (bytes and lines) and pending_reply.c (replies). Loop thread. */
#ifndef DAEMON_CONNECTION_INTERNAL_H
#define DAEMON_CONNECTION_INTERNAL_H

#include "daemon/host/metrics.h"
#include "daemon/net/clients.h"
#include "daemon/net/connection_handler.h"
#include "daemon/net/draft.h"
#include "daemon/settings/config.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <sys/queue.h>

struct connections {
    struct event_base *base;
    const struct config *config;
    struct metrics *metrics;
    struct connection_handler handler;
    struct clients *clients;
    LIST_HEAD(connection_list, connection) list;
    size_t count;
    struct drafts drafts;
    bool draining;
};

struct connection {
    struct connections *all;
    LIST_ENTRY(connection) link;
    struct bufferevent *bev;
    struct client *client;
    struct pending_reply *pending; /* of the requests at work, in their order; NULL when there is none */
    struct pending_reply *last_pending;
    unsigned pending_count;
    size_t scanned; /* bytes of the input known to hold no LF */
    struct draft draft;
    double answered; /* clock_seconds() of the latest reply */
    bool processing; /* connection_process is on the stack */
    bool discarding; /* within a line that was too long */
    bool reading;    /* EV_READ is on */
    bool ended;      /* the client sends no more */
    bool closing;    /* closes when the output is written */
    bool broken; /* a part of the output is missing: closes after what came before it, and writes no more */
};

/* Bytes written that the client has not taken yet. */
static inline size_t connection_backlog(const struct connection *connection)
{
    return evbuffer_get_length(bufferevent_get_output(connection->bev));
}

/* Returns true if the invariant between two calls holds: the list of replies that are waited for is whole. */
static inline bool connection_is_sound(const struct connection *connection)
{
    return (connection->pending == NULL) == (connection->pending_count == 0) &&
           (connection->pending == NULL) == (connection->last_pending == NULL) &&
           connection->all->count > 0 && connection->draft.text.length <= connection->client->drafts_bytes;
}

/* Returns the pending reply of a request that begins now; NULL without memory. */
struct pending_reply *pending_reply_new(struct connection *connection);

#endif
