/* SPDX-License-Identifier: MIT */
/* Submits EXPLORE, SOLVE, GRADE and PDB to the scheduler. A lookup worker first parses the request and opens
 * the puzzle, since that may take long. Loop thread. */
#ifndef DAEMON_SUBMISSION_H
#define DAEMON_SUBMISSION_H

#include "daemon/net/connection.h"
#include "protocol/request.h"

struct server;

/* Takes the request over and frees it. */
void submission_begin(struct server *server, struct pending_reply *pending, struct request *request);
/* Begins a stored job again; for scheduler_options. context is the server. Returns false without memory. */
bool submission_resume(void *context, uint64_t job, const char *line);

#endif
