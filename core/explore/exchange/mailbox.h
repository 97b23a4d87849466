/* SPDX-License-Identifier: MIT */
/*
 * Sends byte strings to other ranks (exchange.h), several in a message. It goes in rounds: every rank sends,
 * and at the end of the round all wait until everything has come. Between two rounds the ranks must gather
 * once, so that no string comes too early. Messages that are not sound (frame.h) end all ranks.
 *
 * All functions are called by the owner of the search.
 */
#ifndef EXCHANGE_MAILBOX_H
#define EXCHANGE_MAILBOX_H

#include "explore/exchange/frame.h"
#include "puzzled/status.h"

#include <stdint.h>

enum { MAILBOX_HEAD = 64 /* bytes of a message at most that are not strings */ };

/* Takes a string that came in. Returns NULL, or what is wrong with it. */
typedef const char *mailbox_deliver(void *context, unsigned from, const uint8_t *bytes, size_t length);

struct mailbox;

struct mailbox_options {
    const struct exchange *exchange; /* must outlive the mailbox */
    enum frame_kind kind;
    size_t message; /* bytes of the longest message: that of the longest string, and MAILBOX_HEAD, or more */
    uint32_t reasons; /* the greatest number of a reason to give a round up */
    mailbox_deliver *deliver;
    void *context;
};

/* Returns PZ_MEMORY without memory. */
enum pz_status mailbox_new(const struct mailbox_options *options, struct mailbox **out,
                           struct pz_error *error);
void mailbox_free(struct mailbox *mailbox); /* NULL is fine */
/* Returns the bytes that mailbox_new allocates for messages of such a length. */
uint64_t mailbox_bytes(const struct exchange *exchange, size_t message);

/* Returns true if a string of that length can be sent to a rank without waiting. */
bool mailbox_has_room(const struct mailbox *mailbox, unsigned to, size_t length);
/* Sends a string of that length. The caller then writes it to the returned address, which is not aligned.
 * While too much is on its way, waits and delivers what comes in. */
uint8_t *mailbox_send(struct mailbox *mailbox, unsigned to, size_t length);
/* Delivers what came in. Returns false if nothing did. */
bool mailbox_receive(struct mailbox *mailbox);
/* Returns the reason for which another rank has given the round up; 0 if none has. */
uint32_t mailbox_given_up(const struct mailbox *mailbox);
/* Ends the round: sends what is left, and waits until everything that the other ranks sent is delivered.
 * reason: why this rank gives the round up; 0 if it does not. */
void mailbox_end(struct mailbox *mailbox, uint32_t reason);

#endif
