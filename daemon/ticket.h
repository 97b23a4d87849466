/* SPDX-License-Identifier: MIT */
/*
 * The claim of one request, or of a batch of lookups, on its reply. Whoever answers finishes the ticket
 * exactly once; the client may be gone by then. Loop thread.
 */
#ifndef DAEMON_TICKET_H
#define DAEMON_TICKET_H

#include "protocol/limits.h"
#include "protocol/text.h"
#include "puzzled/status.h"

struct client;
struct connection;

struct ticket {
    struct connection *connection; /* NULL when the client is gone */
    char tag[PROTOCOL_TAG_MAX + 1];
    unsigned verb;
    double started; /* clock_seconds() */
    bool is_batch;  /* of lookups, each of which is counted by who answers it */
    /* Called when the client goes before the reply: whoever holds the ticket lets go of it and calls
     * ticket_drop. NULL: the ticket is finished later all the same. */
    void (*gone)(struct ticket *ticket);
    void *context; /* the holder's */
};

/* NULL when the request had no tag. */
const char *ticket_tag(const struct ticket *ticket);
/* Who asks; NULL when the client is gone. */
struct client *ticket_client(const struct ticket *ticket);
/* Writes what the text holds (whole lines) and empties it; the ticket stays open. */
void ticket_write(struct ticket *ticket, struct text *text);
/* Bytes written that the client has not taken yet. */
size_t ticket_backlog(const struct ticket *ticket);
/* Writes, frees the text, and ends the ticket. code is what is counted. */
void ticket_finish(struct ticket *ticket, struct text *text, enum pz_status code);
void ticket_fail(struct ticket *ticket, const struct pz_error *error);
/* Ends the ticket without a reply: the client is gone. */
void ticket_drop(struct ticket *ticket);
/* The connection closes once the reply is written. */
void ticket_close_connection(struct ticket *ticket);

#endif
