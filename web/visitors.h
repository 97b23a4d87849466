/* SPDX-License-Identifier: MIT */
/*
 * The open connections, those first that have owed us something for the longest time: the rest of a request,
 * or the reading of an answer. One that owes for too long is hung up on, and when there are too many, the one
 * that owes for the longest time: so slow clients, however many, never keep others out.
 */
#ifndef VISITORS_H
#define VISITORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

enum {
    VISITORS_MAX = 2000,         /* connections, where descriptors suffice */
    VISITORS_PATIENCE_MS = 30000 /* for a whole request, an answer's reading, and the time between them */
};

struct exchange;

struct visitor {
    TAILQ_ENTRY(visitor) link;
    int fd;
    uint64_t since_ms;
    bool busy;                 /* we owe */
    struct exchange *exchange; /* its request; NULL between requests */
};

TAILQ_HEAD(visitor_list, visitor);

struct visitors {
    struct visitor_list owing;
    struct visitor_list busy;
    unsigned count, most;
};

void visitors_init(struct visitors *visitors, unsigned most);
/* A connection that begins; when there are too many, the longest owing one goes. NULL without memory. */
struct visitor *visitors_add(struct visitors *visitors, int fd, uint64_t now_ms);
void visitors_remove(struct visitors *visitors, struct visitor *visitor); /* frees it; NULL is fine */
/* Its request is whole, we answer; or it is the client's turn again. */
void visitors_set_busy(struct visitors *visitors, struct visitor *visitor, bool busy, uint64_t now_ms);
/* Hangs up on those that have owed for too long. */
void visitors_sweep(struct visitors *visitors, uint64_t now_ms);

#endif
