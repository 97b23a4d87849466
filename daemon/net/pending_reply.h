/* SPDX-License-Identifier: MIT */
/*
 * The reply that one request, or one batch of lookups, waits for. It is finished exactly once; the client
 * may be gone by then. Loop thread.
 */
#ifndef DAEMON_PENDING_REPLY_H
#define DAEMON_PENDING_REPLY_H

#include "protocol/limits.h"
#include "protocol/text/text.h"
#include "puzzled/status.h"

#include <stdatomic.h>

struct client;
struct connection;

struct job;
struct pending_reply;

/* Takes the answer when the daemon asks for itself: the job; or NULL with the error, whose code is PZ_OK for
 * a job that is forgotten. Both are NULL if the client is gone and the pending reply is being freed. */
typedef void pending_reply_taker(struct pending_reply *pending, void *context, struct job *job,
                                 const struct pz_error *error);

struct pending_reply {
    struct connection *connection; /* NULL when the client is gone */
    struct client *client;         /* who asks; held */
    char tag[PROTOCOL_TAG_MAX + 1];
    unsigned verb;
    double started; /* clock_seconds() */
    bool is_batch;  /* of lookups: the worker counts each of them */
    /* Of the same connection, begun later: only submissions begin while others wait for their replies. */
    struct pending_reply *next;
    bool is_submission;
    bool too_soon;    /* beyond requests-per-second: the handler refuses it */
    bool finished;    /* but replies before it are not */
    struct text held; /* text that must wait until those are written */
    /* Called if the client goes before the reply: the holder gives the pending reply up and calls
     * pending_reply_drop. NULL: the pending reply is finished later all the same. */
    void (*gone)(struct pending_reply *pending);
    /* Called once, when the client has taken most of what was written: time for the next piece of a long
     * reply. NULL: there is no more to write. */
    void (*drained)(struct pending_reply *pending);
    void *context;                  /* the holder's */
    pending_reply_taker *intercept; /* takes the next answer in place of the client, once */
    void *intercept_context;
    atomic_bool abandoned; /* the client is gone; the loop writes it, workers read it to save the work */
};

/* Returns the request's tag; NULL if it had none. */
const char *pending_reply_tag(const struct pending_reply *pending);
/* Writes what the text holds (whole lines) and empties it; the pending reply stays open. */
void pending_reply_write(struct pending_reply *pending, struct text *text);
/* Returns true if the client is gone. Any thread, as long as the pending reply is not finished. */
bool pending_reply_is_abandoned(const struct pending_reply *pending);
/* Bytes written that the client has not taken yet. */
size_t pending_reply_backlog(const struct pending_reply *pending);
/* Writes and frees the text, and ends the pending reply, which nobody intercepts. Metrics count code. */
void pending_reply_finish(struct pending_reply *pending, struct text *text, enum pz_status code);
void pending_reply_fail(struct pending_reply *pending, const struct pz_error *error);
/* Ends the pending reply without a reply: the client is gone. */
void pending_reply_drop(struct pending_reply *pending);
/* Lets a function take the next answer; the pending reply then waits for another answer. */
void pending_reply_intercept(struct pending_reply *pending, pending_reply_taker *intercept, void *context);
/* Hands an answer to the function that intercepts it. Returns false if there is no such function. */
bool pending_reply_hand_over(struct pending_reply *pending, struct job *job, const struct pz_error *error);
/* Closes the connection once the reply is written. */
void pending_reply_close_connection(struct pending_reply *pending);

/* ---- the lines that the daemon answers with ---- */

/* "OK" and the tag; text_key and text_format(" key=…") follow, then reply_line_end. tag NULL for none. */
void reply_ok(struct text *out, const char *tag);
void reply_line_end(struct text *out);
/* "OK count=N …": the caller adds more keys, reply_line_end, N records and reply_list_end. */
void reply_list(struct text *out, const char *tag, size_t count);
void reply_list_end(struct text *out);

/* The records of a list while they are written: reply_record_end ends each. */
struct reply_records {
    struct text lines;
    size_t count;
};
void reply_record_end(struct reply_records *records);
/* Ends the list's first line, writes the records and END, and frees them. */
void reply_records_write(struct reply_records *records, struct text *out);
/* " to=goal" or " from=root": which distances the reply reports. */
void reply_from(struct text *out, bool to_goal);
/* The whole line "ERR code retry|fatal text". The text is made fit for a line. */
void reply_error(struct text *out, const char *tag, const struct pz_error *error);

#endif
