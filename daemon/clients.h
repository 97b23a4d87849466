/* SPDX-License-Identifier: MIT */
/*
 * Who is at the other end: a user on the Unix socket, a network on TCP. All connections of one client share
 * one struct, in which what a client may take is counted. It is known for a while after the last connection,
 * so that no limit is passed by connecting again. Loop thread only; other threads may compare the pointer.
 */
#ifndef DAEMON_CLIENTS_H
#define DAEMON_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

enum { CLIENT_RUN_QUEUES = 2 }; /* as many as the scheduler has */

struct client {
    struct client *next;
    char name[64];                            /* "uid:1000", "tcp:127.0.0.0/8", "tcp:2001:db8::/64" */
    bool is_root;                             /* or the daemon's own user */
    bool is_member;                           /* of the daemon's group */
    unsigned holders;                         /* connections, requests and jobs */
    double left;                              /* clock_seconds() when the last holder went */
    uint64_t queued_jobs;                     /* that it submitted and that have not begun */
    unsigned running_jobs[CLIENT_RUN_QUEUES]; /* the scheduler's */
    double allowance;                         /* requests it may send now (token bucket) */
    double refilled;                          /* clock_seconds() of the last refill */
};

/* Zeroed memory knows nobody. */
struct clients {
    struct client *first;
};

/* The client of a connected socket; NULL without memory. The caller is a holder of it, so too below. */
struct client *clients_join(struct clients *clients, int socket);
/* The client of a name, as stored jobs have it. */
struct client *clients_named(struct clients *clients, const char *name);
/* One more holder; returns the client. */
struct client *client_hold(struct client *client);
void client_release(struct client *client); /* NULL is fine */
/* Nobody holds one any more. */
void clients_free(struct clients *clients);
/* Takes one request from the allowance of so many a second (0: no limit); false when it is used up. */
bool client_may_request(struct client *client, uint64_t per_second);

#endif
