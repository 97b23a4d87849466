/* SPDX-License-Identifier: MIT */
/* Limits of each client, by its address (of IPv6 the network's 64 bits). The number of slots is fixed.
 * Clients whose addresses fall into the same slot share its limits, and more clients take no more memory. */
#ifndef LIMITS_H
#define LIMITS_H

#include "web/api/refusal.h"

#include <stdint.h>
#include <sys/socket.h>

enum { LIMITS_SLOTS = 4096 };

struct limits_slot {
    double tokens;
    uint64_t filled_ms;
    unsigned streams;
};

struct limits {
    unsigned rate;    /* requests per second, 0 for no limit; three seconds' worth may come at once */
    unsigned streams; /* event streams at a time */
    uint64_t seed;    /* so that nobody can choose whom to share a slot with */
    struct limits_slot slots[LIMITS_SLOTS];
};

/* Returns the slot of an address. forwarded, NULL for none, is an X-Forwarded-For, whose last entry
 * counts. */
struct limits_slot *limits_slot(struct limits *limits, const struct sockaddr *address, const char *forwarded);
/* Counts a request at this time. Returns false if the client has used up its own. */
bool limits_request(const struct limits *limits, struct limits_slot *slot, uint64_t now_ms,
                    struct refusal *refusal);
/* Counts a stream that begins; the caller ends it by slot->streams--. */
bool limits_stream(const struct limits *limits, struct limits_slot *slot, struct refusal *refusal);

#endif
