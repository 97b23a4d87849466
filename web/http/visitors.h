/* SPDX-License-Identifier: MIT */
/* The open connections, in the order in which they began to owe us something: the rest of a request, or the
 * reading of an answer. A connection that owes for too long is closed. If there are too many, the one that
 * has owed longest is closed. So slow clients, however many, never keep others out. */
#ifndef VISITORS_H
#define VISITORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

enum {
    VISITORS_MAX = 2000,         /* connections, if descriptors suffice */
    VISITORS_PATIENCE_MS = 30000 /* for a whole request, an answer's reading, and the time between them */
};

struct http_exchange;

struct visitor {
    TAILQ_ENTRY(visitor) link;
    int fd;
    uint64_t since_ms;
    bool busy;                      /* we owe */
    bool zero_byte;                 /* the request that is being read has a %00 in its address */
    struct http_exchange *exchange; /* its request; NULL between requests */
};

TAILQ_HEAD(visitor_list, visitor);

struct visitors {
    struct visitor_list owing;
    struct visitor_list busy;
    unsigned count, most;
};

void visitors_init(struct visitors *visitors, unsigned most);
/* Adds a connection. If there are too many, closes the one that has owed longest. Returns NULL without
 * memory. */
struct visitor *visitors_add(struct visitors *visitors, int fd, uint64_t now_ms);
void visitors_remove(struct visitors *visitors, struct visitor *visitor); /* frees it; NULL is fine */
/* Tells that its request is whole and we answer, or that it is the client's turn again. */
void visitors_set_busy(struct visitors *visitors, struct visitor *visitor, bool busy, uint64_t now_ms);
/* Closes those that have owed for too long. */
void visitors_sweep(struct visitors *visitors, uint64_t now_ms);

#endif
