/* SPDX-License-Identifier: MIT */
/* Sends requests to the lookup workers: many lookups together, or one request by itself. Long replies are
 * made piece by piece, as the client reads them. Requests of a client that is gone are dropped. Loop
 * thread. */
#ifndef DAEMON_LOOKUP_BATCH_H
#define DAEMON_LOOKUP_BATCH_H

#include "daemon/net/connection.h"
#include "daemon/verbs/verb_commands.h"
#include "protocol/request.h"

struct server;

/* Takes ownership of the text of count lines, each ended by LF. Finishes the pending reply with all replies.
 * context is the server. */
void lookup_batch_submit(void *context, struct pending_reply *pending, struct text *lines, unsigned count);
/* Sends one request to a worker by itself; takes it over and frees it. */
void lookup_batch_single(struct server *server, struct pending_reply *pending, struct request *request,
                         enum work_length length);

#endif
