/* SPDX-License-Identifier: MIT */
/* What the loop thread sends to the desk: batches of lookups, and submissions to be understood. Loop thread.
 */
#ifndef DAEMON_ERRANDS_H
#define DAEMON_ERRANDS_H

#include "connection.h"
#include "protocol/request.h"
#include "server.h"

/* The context of the two that take one is the server. */

/* count lines, each ended by LF; takes the text over. The ticket is finished with all the replies. */
void errand_lookups(void *context, struct ticket *ticket, struct text *lines, unsigned count);
/* One line that a desk command carries out by itself; lasts as in struct command. */
void errand_single(struct server *server, struct ticket *ticket, const char *line, size_t length, bool lasts);
/* EXPLORE, SOLVE or PDB: understood on the desk, then admitted by the scheduler. */
void errand_submit(struct server *server, struct ticket *ticket, const struct request *request);
/* The same for a stored job; as scheduler_options wants it: false without memory. */
bool errand_prepare(void *context, uint64_t job, const char *request);

#endif
