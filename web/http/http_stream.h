/* SPDX-License-Identifier: MIT */
/* The events of a job as Server-Sent Events: what WATCH sends, one JSON object each. */
#ifndef HTTP_STREAM_H
#define HTTP_STREAM_H

#include "protocol/reply.h"
#include "protocol/text/text.h"
#include "web/api/refusal.h"

#include <sys/types.h>

enum {
    STREAM_WAITING_MAX = 64 << 10 /* bytes that wait for a slow reader; beyond them the daemon waits, too */
};

/* A zeroed one is empty and may be cleared. */
struct stream {
    struct text out;
    bool ended; /* nothing comes after out */
};

/* Adds a line of WATCH. The event's name is "message" for EVENT, "lost" for LOST, "refused" for ERR. ERR ends
 * the stream, and so does the last EVENT, which has the state of an ended job. */
void stream_take(struct stream *stream, const struct reply *reply);
/* Adds one of our errors and ends the stream. */
void stream_fail(struct stream *stream, const struct refusal *refusal);
/* Adds a comment that shows proxies and browsers that the server is still there. */
void stream_beat(struct stream *stream);
/* Takes up to room bytes out. Returns 0 if there are none, -1 at the end. */
ssize_t stream_read(struct stream *stream, char *bytes, size_t room);
void stream_clear(struct stream *stream);

#endif
