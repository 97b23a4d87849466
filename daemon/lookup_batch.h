/* SPDX-License-Identifier: MIT */
/* Sends request lines to the lookup workers: many lookups together, or one request by itself. Loop thread. */
#ifndef DAEMON_LOOKUP_BATCH_H
#define DAEMON_LOOKUP_BATCH_H

#include "connection.h"

struct server;

/* count lines, each ended by LF; takes the text over. The reply is finished with all the replies. context is
 * the server. */
void lookup_batch_submit(void *context, struct pending_reply *pending, struct text *lines, unsigned count);
/* One line that a worker carries out by itself; is_slow as in struct command. */
void lookup_batch_single(struct server *server, struct pending_reply *pending, const char *line,
                         size_t length, bool is_slow);

#endif
