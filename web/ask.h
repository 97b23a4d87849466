/* SPDX-License-Identifier: MIT */
/* One conversation with the daemon, on a connection of its own: lines out, replies in. In the loop's thread.
 */
#ifndef ASK_H
#define ASK_H

#include "protocol/address.h"
#include "protocol/reply.h"
#include "refusal.h"

#include <event2/event.h>
#include <stddef.h>

struct ask;

/* Either callback may end the conversation with ask_free. */
struct ask_user {
    /* A reply, which stays the ask's. */
    void (*reply)(void *user, const struct reply *reply);
    /* No more comes: the daemon hung up, cannot be reached, spoke too much or too late. */
    void (*broken)(void *user, const struct refusal *refusal);
    void *user;
};

/* Connects and sends the lines; seconds bounds the whole (0 for no bound), and bytes what is read. No
 * callback comes before this returns. NULL with the reason when the daemon cannot be reached. */
struct ask *ask_new(struct event_base *base, const struct address *address, const char *lines, size_t length,
                    struct ask_user user, struct refusal *refusal);
/* Bounds what is read from now on: bytes, and seconds until it must have ended. 0 is no bound. */
bool ask_bound(struct ask *ask, size_t bytes, unsigned seconds);
/* Stops reading, or goes on. */
void ask_pause(struct ask *ask, bool paused);
/* Hangs up; NULL is fine. */
void ask_free(struct ask *ask);

#endif
