/* SPDX-License-Identifier: MIT */
/*
 * A client: a user on the Unix socket, a network on TCP. All connections of one client share one struct,
 * which counts the client's use of resources. The struct stays for a while after the last connection, so
 * that no client evades a limit by connecting again. Loop thread only; other threads may compare the
 * pointer.
 */
#ifndef DAEMON_CLIENTS_H
#define DAEMON_CLIENTS_H

#include "base/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLIENT_RUN_QUEUES = 2 }; /* as many as the scheduler has */

/* The number, memory and scratch space of a client's running jobs in one run queue. */
struct client_load {
    unsigned jobs;
    uint64_t memory; /* bytes set aside */
    uint64_t disk;   /* of scratch space, as above */
};

struct client {
    struct client *next;
    char name[64];                                 /* "uid:1000", "tcp:127.0.0.0/8", "tcp:2001:db8::/64" */
    bool is_root;                                  /* or the daemon's own user */
    bool is_member;                                /* of the daemon's group */
    unsigned holders;                              /* connections, requests and jobs */
    double left;                                   /* clock_seconds() when the last holder went */
    uint64_t queued_jobs;                          /* submitted and not begun */
    unsigned understanding;                        /* submissions that a lookup thread has, or will get */
    size_t drafts_bytes;                           /* of texts that it has begun to send (draft.h) */
    struct client_load running[CLIENT_RUN_QUEUES]; /* the scheduler's */
    struct budget searches; /* of all its searches, where memory-per-client is set; the scheduler's */
    double allowance;       /* requests it may send now (token bucket) */
    double refilled;        /* clock_seconds() of the last refill */
};

/* Zeroed memory has no client. */
struct clients {
    struct client *first;
};

/* Returns the client of a connected socket; NULL without memory. The caller becomes a holder, as below. */
struct client *clients_join(struct clients *clients, int socket);
/* Returns the client of a name, as stored jobs have it. */
struct client *clients_named(struct clients *clients, const char *name);
/* Adds a holder; returns the client. */
struct client *client_hold(struct client *client);
void client_release(struct client *client); /* NULL is fine */
/* Frees all clients. None may have a holder any more. */
void clients_free(struct clients *clients);
/* Takes one request from the allowance of so many a second (0: no limit). Returns false if it is used up. */
bool client_may_request(struct client *client, uint64_t per_second);

#endif
