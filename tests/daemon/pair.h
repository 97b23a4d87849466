/* SPDX-License-Identifier: MIT */
/* One connection over a pair of sockets in this process, with the test's own loop. */
#ifndef TESTS_DAEMON_PAIR_H
#define TESTS_DAEMON_PAIR_H

#include "daemon/net/connection.h"

#include <event2/event.h>
#include <sys/socket.h>

/* The connections need this for as long as they live. */
struct pair {
    struct event_base *base;
    struct config *config;
    struct metrics *metrics;
    struct clients *clients;
};

/* Returns the client's end, which the caller closes; -1 on failure. Fills in the base and the default
 * configuration, which the caller frees, also after a failure. */
static inline int pair_connect(struct pair *pair, const struct connection_handler *handler,
                               struct connections **connections)
{
    struct pz_error error;
    int sockets[2];
    pair->base = event_base_new();
    const struct connections_options options = {.base = pair->base,
                                                .config = pair->config,
                                                .metrics = pair->metrics,
                                                .clients = pair->clients,
                                                .handler = *handler};
    if (config_defaults(pair->config, &error) != PZ_OK || pair->base == NULL ||
        connections_new(&options, connections, &error) != PZ_OK ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) != 0)
        return -1;
    connections_accept(*connections, sockets[0]);
    return sockets[1];
}

/* Lets the loop do what there is to do now. */
static inline void pair_turn(struct event_base *base)
{
    for (int i = 0; i < 20; i++)
        (void)event_base_loop(base, EVLOOP_NONBLOCK);
}

#endif
