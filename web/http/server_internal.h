/* SPDX-License-Identifier: MIT */
/* Shared by the server's own files: server.c, exchange.c, stream.c and respond.c. */
#ifndef SERVER_INTERNAL_H
#define SERVER_INTERNAL_H

#include "web/http/settings.h"
#include "web/http/visitors.h"
#include "web/http/web_limits.h"
#include "web/http/web_pages.h"

#include <event2/event.h>
#include <microhttpd.h>

enum {
    ASKS_MAX = 128,          /* requests at the daemon at a time */
    STREAMS_MAX = 256,       /* event streams at a time */
    STREAMS_PER_CLIENT = 8,  /* of those, of one client in read-only mode */
    STARTS_READ_ONLY = 1000, /* boards of one request in read-only mode */
    ASK_SECONDS = 120        /* until the daemon must have answered */
};

struct web_server {
    const struct settings *settings;
    struct event_base *base;
    struct MHD_Daemon *http;
    struct event *readable, *timer, *sweep, *stop[2];
    struct web_pages *pages;
    struct visitors visitors;
    struct limits limits;
    unsigned asks, streams; /* now */
};

/* Makes libmicrohttpd run soon: something was resumed. */
void server_kick(struct web_server *server);
uint64_t server_now_ms(void);

#endif
