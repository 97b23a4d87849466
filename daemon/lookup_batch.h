/* SPDX-License-Identifier: MIT */
/* Sends requests to the lookup workers: many lookups together, or one request by itself. Long replies are
 * made piece by piece, as the client reads them; what a client that is gone has asked is dropped. Loop
 * thread. */
#ifndef DAEMON_LOOKUP_BATCH_H
#define DAEMON_LOOKUP_BATCH_H

#include "connection.h"
#include "protocol/request.h"

struct server;

/* Which threads a request goes to, so that short work does not wait behind long work. */
enum work_length {
    WORK_SHORT,
    WORK_BULK, /* replies of any length, made in pieces */
    WORK_SLOW  /* reads much in one go, or waits for the disk */
};

/* count lines, each ended by LF; takes the text over. The pending reply is finished with all the replies.
 * context is the server. */
void lookup_batch_submit(void *context, struct pending_reply *pending, struct text *lines, unsigned count);
/* A request that a worker carries out by itself; takes it over and frees it. */
void lookup_batch_single(struct server *server, struct pending_reply *pending, struct request *request,
                         enum work_length length);

#endif
