/* SPDX-License-Identifier: MIT */
/*
 * Limits of each client, by its address (of IPv6 the network's 64 bits). There is a fixed number of slots:
 * clients whose addresses fall into the same one share its limits, and no number of clients takes more
 * memory.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include "refusal.h"

#include <stdint.h>
#include <sys/socket.h>

enum { LIMITS_SLOTS = 4096 };

struct limits_slot {
    double tokens;
    uint64_t filled_ms;
    unsigned streams;
};

struct limits {
    unsigned rate;    /* requests a second, 0 for no limit; three seconds' worth may come at once */
    unsigned streams; /* event streams at a time */
    uint64_t seed;    /* so that nobody can choose whom to share a slot with */
    struct limits_slot slots[LIMITS_SLOTS];
};

/* The slot of an address; forwarded, NULL for none, is an X-Forwarded-For, whose last entry counts. */
struct limits_slot *limits_slot(struct limits *limits, const struct sockaddr *address, const char *forwarded);
/* Counts a request now; false when the client has used up its own. */
bool limits_request(const struct limits *limits, struct limits_slot *slot, uint64_t now_ms,
                    struct refusal *refusal);
/* Counts a stream that begins; the caller ends it by slot->streams--. */
bool limits_stream(const struct limits *limits, struct limits_slot *slot, struct refusal *refusal);

#endif
