/* SPDX-License-Identifier: MIT */
/* Dispatches a request line: to the loop, a worker or the scheduler. Loop thread. */
#ifndef DAEMON_DISPATCH_H
#define DAEMON_DISPATCH_H

#include "daemon/net/pending_reply.h"

/* For a connection_handler; context is the server. */
void command_run(void *context, struct pending_reply *pending, const char *line, size_t length);

#endif
