/* SPDX-License-Identifier: MIT */
/* EXPLORE, SOLVE and PDB on their way to the scheduler: a lookup worker reads the request and opens the
 * puzzle, since that may take long. Loop thread. */
#ifndef DAEMON_SUBMISSION_H
#define DAEMON_SUBMISSION_H

#include "connection.h"
#include "protocol/request.h"

struct server;

/* Takes the request over and frees it. */
void submission_begin(struct server *server, struct pending_reply *pending, struct request *request);
/* Begins a stored job again, as scheduler_options wants it; context is the server. False without memory. */
bool submission_resume(void *context, uint64_t job, const char *line);

#endif
