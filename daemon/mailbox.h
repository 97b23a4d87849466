/* SPDX-License-Identifier: MIT */
/*
 * How other threads speak to the loop thread: they post letters, one eventfd wakes the loop, and the loop
 * calls each letter's deliver() in the order of posting. A letter is part of the sender's own struct, so
 * posting never fails and never allocates.
 */
#ifndef DAEMON_MAILBOX_H
#define DAEMON_MAILBOX_H

#include "puzzled/status.h"

struct event_base;
struct mailbox;

struct letter {
    struct letter *next; /* the mailbox's, while posted */
    void (*deliver)(struct letter *letter);
};

/* Loop thread. */
enum pz_status mailbox_new(struct event_base *base, struct mailbox **out, struct pz_error *error);
/* Loop thread, when nobody posts any more. Letters still inside are delivered first. NULL is fine. */
void mailbox_free(struct mailbox *mailbox);
/* Delivers what is inside now; loop thread. */
void mailbox_deliver(struct mailbox *mailbox);
/* Any thread. The letter belongs to the mailbox until it is delivered; one letter is in it once only. */
void mailbox_post(struct mailbox *mailbox, struct letter *letter);

#endif
