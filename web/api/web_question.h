/* SPDX-License-Identifier: MIT */
/* A request as lines of the protocol. The arguments are one JSON object: the body of a POST, or the
 * query of a GET with a string for each parameter. A member is an argument of the verb, under its name
 * in the vocabulary ("puzzle", "start", "board", "table"), or a key. Texts go to the daemon unchanged.
 * Numbers, true, false and boards as lists or in lines are written as the protocol writes them. The daemon
 * checks what they mean. */
#ifndef WEB_QUESTION_H
#define WEB_QUESTION_H

#include "protocol/text/text.h"
#include "web/api/route.h"

#include <jansson.h>

enum {
    QUESTION_BODY_MAX = 2 << 20,    /* bytes of a request's body: 10,000 boards of 6x7 have 1.2 million */
    QUESTION_LINES_MAX = 4 << 20,   /* bytes of all its lines for the daemon */
    QUESTION_STARTS_MAX = 10 * 1000 /* boards of one request */
};

/* A zeroed one is empty and may be cleared. */
struct web_question {
    enum verb verb;
    bool many;         /* "starts" was given: the answer is a list */
    bool submits;      /* makes a job */
    bool lasts;        /* its answer never changes, as long as it is complete */
    struct text lines; /* for the daemon, each with its LF */
    size_t count;      /* of the lines, each of which gets one reply, and of those boards that have none */
    json_t *wrong;     /* the errors of such boards, each in its place, null in others; NULL for none */
};

/* Reads the arguments of a request to a route. most limits "starts". On failure *question is empty. */
bool question_read(struct web_question *question, const struct route *route, const char *job,
                   const json_t *arguments, size_t most, struct refusal *refusal);
void web_question_clear(struct web_question *question);

/* Parses a body's text, which must be one JSON object. Returns a new object; NULL with the reason. */
json_t *question_body(const char *text, size_t length, struct refusal *refusal);

#endif
