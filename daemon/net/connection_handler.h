/* SPDX-License-Identifier: MIT */
/* The functions to which connections hand their lines. */
#ifndef DAEMON_CONNECTION_HANDLER_H
#define DAEMON_CONNECTION_HANDLER_H

#include "protocol/text/text.h"

struct pending_reply;

/* Carries out requests. Loop thread. */
struct connection_handler {
    void *context;
    /* Returns true if a line is a lookup that may be batched with others. */
    bool (*is_lookup)(const char *line, size_t length);
    /* Returns true if a line submits a job, and may begin before the submissions before it are answered. */
    bool (*is_submission)(const char *line, size_t length);
    /* Takes one line that is no lookup; the pending reply is finished now or later. */
    void (*request)(void *context, struct pending_reply *pending, const char *line, size_t length);
    /* Takes the text of count lookup lines, each ended by LF. One finish ends them all. */
    void (*lookups)(void *context, struct pending_reply *pending, struct text *lines, unsigned count);
};

#endif
