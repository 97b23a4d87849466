/* SPDX-License-Identifier: MIT */
/* One conversation with the daemon, on its own connection: lines out, replies in. Runs in the loop's
 * thread. */
#ifndef ASK_H
#define ASK_H

#include "protocol/address.h"
#include "protocol/reply.h"
#include "web/api/refusal.h"

#include <event2/event.h>
#include <stddef.h>

struct ask;

/* Either callback may end the conversation with ask_free. */
struct ask_user {
    /* A reply, which the ask owns. */
    void (*reply)(void *user, const struct reply *reply);
    /* Nothing more comes: the daemon hung up, cannot be reached, sent too much or answered too late. */
    void (*broken)(void *user, const struct refusal *refusal);
    void *user;
};

/* Connects and sends the lines. seconds limits the whole conversation (0 for no limit), bytes what is read.
 * No callback comes before this returns. Returns NULL with the reason if the daemon cannot be reached. */
struct ask *ask_new(struct event_base *base, const struct address *address, const char *lines, size_t length,
                    struct ask_user user, struct refusal *refusal);
/* Limits what is read from now on: bytes, and seconds until it must have ended. 0 means no limit. */
bool ask_bound(struct ask *ask, size_t bytes, unsigned seconds);
/* Pauses reading, or resumes it. */
void ask_pause(struct ask *ask, bool paused);
/* Closes the connection; NULL is fine. */
void ask_free(struct ask *ask);
/* Gives back what ask_free leaves to the loop, once that has ended: libevent keeps a connection whose
 * callbacks are due. No event but those of freed asks may be left in the base. */
void ask_settle(struct event_base *base);

#endif
