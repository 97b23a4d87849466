/* SPDX-License-Identifier: MIT */
/* The daemon's replies to a question as JSON text. Each line becomes text as it comes: no tree of the whole
 * answer is ever in memory. */
#ifndef JSON_ANSWER_H
#define JSON_ANSWER_H

#include "protocol/json.h"
#include "web/api/web_question.h"

enum { ANSWER_BYTES_MAX = 16 << 20 /* of the daemon's lines for one answer */ };

/* A zeroed one may be cleared. */
struct json_answer {
    const char *records; /* the name of a list's records in JSON; NULL if replies are one line */
    bool many;
    bool in_list;     /* a list's first line has come, its END has not */
    bool follows;     /* a value stands before the next one of the innermost list */
    size_t wanted;    /* replies that are still to come */
    json_t *wrong;    /* as in the question */
    size_t taken;     /* places of the list */
    struct text json; /* what has come, a whole value once the answer is whole */
    unsigned status;  /* of HTTP, once the answer is whole */
    bool submits;     /* the question makes a job, or many */
    int64_t job;      /* the one that it made, or found; 0 for none, or many */
    int64_t made;     /* the one that the last reply says was made; 0 for none */
    bool open;        /* more may be known later: solvable=unknown, complete=no, or explored just now */
};

void answer_begin(struct json_answer *answer, const struct web_question *question);
/* Takes the next line. Returns false for a line that is not allowed here. */
bool answer_take(struct json_answer *answer, const struct reply *reply);
/* Returns true if every reply is there. */
bool answer_whole(const struct json_answer *answer);
/* Replaces what was collected by an error. */
void answer_fail(struct json_answer *answer, const struct refusal *refusal);
/* Makes the whole answer one value; NULL and a failure to make it are the same. Releases the value. */
void answer_value(struct json_answer *answer, json_t *value);
/* Hands over the JSON text with a LF at its end, which the caller frees; NULL without memory. */
char *answer_text(struct json_answer *answer);
void answer_clear(struct json_answer *answer);

#endif
