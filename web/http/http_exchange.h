/* SPDX-License-Identifier: MIT */
/* One request, from its first header to the last byte of its answer: http_exchange.c has what libmicrohttpd
 * calls, exchange_ask.c what the daemon is asked. */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "protocol/reply.h"
#include "protocol/text/text.h"
#include "web/api/ask.h"
#include "web/api/json_answer.h"
#include "web/api/refusal.h"
#include "web/http/server_internal.h"

#include <sys/types.h>

/* The events of a job as Server-Sent Events: what WATCH sends, one JSON object each. */

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
void events_take(struct stream *stream, const struct reply *reply);
/* Adds one of our errors and ends the stream. */
void events_fail(struct stream *stream, const struct refusal *refusal);
/* Adds a comment that shows proxies and browsers that the server is still there. */
void events_beat(struct stream *stream);
void events_clear(struct stream *stream);

struct http_exchange {
    struct web_server *server;
    struct MHD_Connection *connection;
    struct peer *peer;
    struct limits_slot *slot; /* of the client's address */
    struct visitor visitor;
    const struct page *page;   /* a file of the page, for which nothing is asked; else NULL */
    const struct route *route; /* of the API; else NULL */
    char job[ROUTE_JOB_MAX];
    const char *allow; /* of a refused method; else NULL */
    bool answered;     /* the answer is whole, or the stream may begin */
    bool suspended;
    struct text body;
    bool body_too_long;
    struct ask *ask;
    struct event *gone; /* the client's end of the connection, while the daemon is asked */
    bool lasts;         /* web_question.h */
    struct json_answer answer;
    size_t held;    /* bytes of the answer, counted in the server and in the client's slot */
    bool streaming; /* counted as a stream */
    struct stream stream;
    struct event *heartbeat;
};

/* libmicrohttpd's handlers; closure is the server. */
enum MHD_Result exchange_handle(void *closure, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **place);
void exchange_completed(void *closure, struct MHD_Connection *connection, void **place,
                        enum MHD_RequestTerminationCode why);

/* ---- exchange_ask.c ---- */

/* Sends a question's lines; the exchange is resumed once it is answered. Returns false with a refusal if it
 * cannot. */
bool exchange_ask(struct http_exchange *exchange, const struct web_question *question,
                  struct refusal *refusal);
/* Counts what the answer holds now. Returns false with a refusal if it is too much. */
bool exchange_hold(struct http_exchange *exchange, struct refusal *refusal);
/* Frees what asking has taken, and takes it off the counts. */
void exchange_end_asking(struct http_exchange *exchange);
/* Resumes a waiting request, so that its connection can be closed when the server ends. */
void exchange_abandon(struct http_exchange *exchange);

#endif
