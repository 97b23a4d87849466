/* SPDX-License-Identifier: MIT */
/* Shared by the server's own files: web_server.c, http_exchange.c, exchange_ask.c and respond.c. */
#ifndef SERVER_INTERNAL_H
#define SERVER_INTERNAL_H

#include "web/http/peers.h"
#include "web/http/settings.h"
#include "web/http/web_limits.h"
#include "web/http/web_pages.h"

#include <event2/event.h>
#include <microhttpd.h>
#include <time.h>

enum {
    ASKS_MAX = 128,          /* requests at the daemon at a time */
    ASKS_PER_CLIENT = 16,    /* of those, of one client in read-only mode or in a class */
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
    struct peers peers;
    struct limits limits;
    unsigned asks, streams; /* now */
};

/* Makes libmicrohttpd run soon: something was resumed. */
static inline void server_kick(struct web_server *server)
{
    const struct timeval at_once = {0};
    (void)evtimer_add(server->timer, &at_once);
}

static inline uint64_t server_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#endif
