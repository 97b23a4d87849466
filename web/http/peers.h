/* SPDX-License-Identifier: MIT */
/* The open connections, in the order in which they began to owe us something: the rest of a request, or the
 * reading of an answer. A connection that owes for too long is closed. If there are too many, the one that
 * has owed longest is closed. So slow clients, however many, never keep others out. */
#ifndef PEERS_H
#define PEERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

enum {
    PEERS_MAX = 2000,         /* connections, if descriptors suffice */
    PEERS_PATIENCE_MS = 30000 /* for a whole request, an answer's reading, and the time between them */
};

struct http_exchange;

struct peer {
    TAILQ_ENTRY(peer) link;
    int fd;
    uint64_t since_ms;
    bool busy;                      /* we owe */
    const char *wrong;              /* with the address of the request that is being read; NULL: nothing */
    struct http_exchange *exchange; /* its request; NULL between requests */
};

TAILQ_HEAD(peer_list, peer);

struct peers {
    struct peer_list owing;
    struct peer_list busy;
    unsigned count, most;
};

void peers_init(struct peers *peers, unsigned most);
/* Adds a connection. If there are too many, closes the one that has owed longest. Returns NULL without
 * memory. */
struct peer *peers_add(struct peers *peers, int fd, uint64_t now_ms);
void peers_remove(struct peers *peers, struct peer *peer); /* frees it; NULL is fine */
/* Reports that its request is whole and we answer, or that it is the client's turn again. */
void peers_set_busy(struct peers *peers, struct peer *peer, bool busy, uint64_t now_ms);
/* Closes those that have owed for too long. */
void peers_sweep(struct peers *peers, uint64_t now_ms);

#endif
