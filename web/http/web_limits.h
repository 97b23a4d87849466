/* SPDX-License-Identifier: MIT */
/* Limits of each client, by its address (of IPv6 the network's 64 bits, unless it stands for one of IPv4).
 * The number of slots is fixed. Clients whose addresses fall into the same slot share its limits, and more
 * clients take no more memory. A visitor is whoever sends one cookie, or without it, whoever comes from one
 * address. A cookie is thrown away easily, so limits stay with addresses, and only jobs belong to visitors.
 */
#ifndef WEB_LIMITS_H
#define WEB_LIMITS_H

#include "web/api/refusal.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    LIMITS_SLOTS = 4096,
    LIMITS_JOBS = 8, /* the last jobs of a client that are known as its own */
    /* Bytes of answers that are being made or read. 64 MiB hold the longest answer (ANSWER_BYTES_MAX of
       lines). */
    LIMITS_HELD_MAX = 256 << 20,
    LIMITS_HELD_PER_CLIENT = 64 << 20
};

struct limits_slot {
    double tokens;
    uint64_t filled_ms;
    unsigned asks; /* its requests at the daemon now */
    unsigned streams;
    size_t held; /* bytes of its answers that are being made or read */
    struct {
        int64_t job; /* see access.h; 0: none */
        uint64_t visitor;
    } jobs[LIMITS_JOBS];
    unsigned next_job;
};

struct visitor {
    uint64_t id;
    struct limits_slot *slot;
};

struct limits {
    unsigned rate;    /* requests per second, 0 for no limit; three seconds' worth may come at once */
    unsigned asks;    /* requests at the daemon at a time */
    unsigned streams; /* event streams at a time */
    size_t held;      /* bytes of all answers that are being made or read */
    uint64_t seed;    /* so that nobody can choose whom to share a slot with */
    struct limits_slot slots[LIMITS_SLOTS];
};

/* Returns the visitor of an address. forwarded, NULL for none, is an X-Forwarded-For, whose last entry
 * counts. */
struct visitor limits_client(struct limits *limits, const struct sockaddr *address, const char *forwarded);
/* Returns the visitor of a cookie's value. */
struct visitor limits_visitor(struct limits *limits, const char *cookie);
/* Counts a request at this time. Returns false if the client has used up its own. */
bool limits_request(const struct limits *limits, struct limits_slot *slot, uint64_t now_ms,
                    struct refusal *refusal);
/* Counts a request to the daemon; the caller ends it by slot->asks--. */
bool limits_ask(const struct limits *limits, struct limits_slot *slot, struct refusal *refusal);
/* Counts a stream that begins; the caller ends it by slot->streams--. */
bool limits_stream(const struct limits *limits, struct limits_slot *slot, struct refusal *refusal);
/* Counts more bytes of an answer. Returns false if all answers, or those of this client, would hold too much.
 */
bool limits_hold(struct limits *limits, struct limits_slot *slot, size_t bytes, struct refusal *refusal);
void limits_release(struct limits *limits, struct limits_slot *slot, size_t bytes);

#endif
