/* SPDX-License-Identifier: MIT */
/* The daemon's replies to a question, collected as one JSON value. */
#ifndef ANSWER_H
#define ANSWER_H

#include "protocol/json.h"
#include "web/api/question.h"

enum { ANSWER_BYTES_MAX = 16 << 20 /* of the daemon's lines for one answer */ };

/* A zeroed one may be cleared. */
struct answer {
    const char *records; /* the name of a list's records in JSON; NULL if replies are one line */
    bool many;
    size_t wanted;   /* replies that are still to come */
    json_t *value;   /* NULL before the first reply, and without memory */
    json_t *answers; /* many: the list in value; borrowed */
    json_t *list;    /* a list that is being read; borrowed */
    unsigned status; /* of HTTP, once the answer is whole */
};

void answer_begin(struct answer *answer, const struct question *question);
/* Takes the next line. Returns false for a line that is not allowed here. */
bool answer_take(struct answer *answer, const struct reply *reply);
/* Returns true if every reply is there. */
bool answer_whole(const struct answer *answer);
/* Replaces what was collected by an error. */
void answer_fail(struct answer *answer, const struct refusal *refusal);
/* Returns the JSON text and a LF, which the caller frees; NULL without memory. */
char *answer_text(const struct answer *answer);
void answer_clear(struct answer *answer);

#endif
