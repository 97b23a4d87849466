/* SPDX-License-Identifier: MIT */
/*
 * Who is at the other end: a user on the Unix socket, an address on TCP. All connections of one client share
 * one struct, in which what a client may take is counted. Loop thread only.
 */
#ifndef DAEMON_CLIENTS_H
#define DAEMON_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

struct client {
    struct client *next;
    char name[64];        /* "uid:1000", "127.0.0.1" */
    unsigned holders;     /* connections and queued jobs */
    uint64_t queued_jobs; /* that it submitted and that have not begun */
    double allowance;     /* requests it may send now (token bucket) */
    double refilled;      /* clock_seconds() of the last refill */
};

struct clients {
    struct client *first;
};

/* The client of a connected socket; NULL without memory. Each call is paired with one clients_release. */
struct client *clients_join(struct clients *clients, int socket);
/* One more holder of the same client: a queued job may outlive its connection. */
struct client *client_hold(struct client *client);
void clients_release(struct clients *clients, struct client *client);
/* Takes one request from the allowance of so many a second (0: no limit); false when it is used up. */
bool client_may_request(struct client *client, uint64_t per_second);

#endif
