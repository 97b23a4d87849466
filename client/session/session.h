/* SPDX-License-Identifier: MIT */
/* The surroundings of a subcommand: where to ask, where to write, and in which form. One thread. */
#ifndef SESSION_H
#define SESSION_H

#include "client/session/daemon_connection.h"
#include "client/session/exits.h"
#include "client/session/terminal.h"
#include "protocol/json.h"
#include "protocol/reply.h"
#include "protocol/request.h"
#include "protocol/vocabulary.h"

struct session {
    const struct terminal *terminal;
    /* Says what a refused request may have meant (suggest.h); NULL for nothing. */
    void (*suggest)(struct session *session, const char *line, const struct reply *refusal);
    struct address address;
    struct daemon_connection *connection; /* NULL until the first request */
    struct text request;                  /* the latest: session_request */
    enum verb verb;                       /* whose keys are options of the command; VERB_COUNT for none, */
    uint64_t without;                     /* but these (KEY_BIT) */
    const char *puzzle;                   /* as typed; NULL if the command names none */
    const char *keys;                     /* its keys and its goal as typed, " goal=4"; NULL as well */
    bool by_table;     /* one of them has an answer by a table alone: root=, symmetry=yes */
    const char *place; /* "boards.xsb, line 3": of the board that is asked about, for its refusal; NULL */
    const char *board; /* as it stood there, for the same */
    bool json;
    bool csv; /* of a list: values between commas; not with json */
    bool quiet;
    bool trying;       /* do not report an ERR (session_try_ask, session_try_list) */
    char refusal[256]; /* the text of the latest one that was not reported */
    bool interrupted;  /* Ctrl-C came while waiting for a reply; follow.c asks the user */
};

/* A list reply: its first line and its records. A zeroed one is empty and may be cleared. */
struct records {
    struct reply head;
    struct reply *records;
    size_t count;
};

/* Returns the name that "uid:1000" has on this machine, until the next call; the text itself without one. */
const char *user_name(const char *submitter);

void session_close(struct session *session);

/* Connects if there is no connection yet. Like the functions below, it reports a failure before it returns
 * it. */
enum exit_code session_connect(struct session *session);
/* Begins a request, with a word behind the verb unless that is NULL. The session keeps it until the next. */
struct text *session_request(struct session *session, const char *verb, const char *word);
/* Begins a request about a job. */
struct text *session_request_job(struct session *session, const char *verb, long long job);
/* Ends the request line and queues it. */
enum exit_code session_send(struct session *session, struct text *request);
/* Reads one line of any kind. */
enum exit_code session_read(struct session *session, struct reply *reply);
/* Sends, then reads one reply. Returns EXIT_FOUND with an OK (the caller clears it), EXIT_REFUSED after an
 * ERR. */
enum exit_code session_ask(struct session *session, struct text *request, struct reply *reply);
/* Does what session_ask does, but does not report an ERR. */
enum exit_code session_try_ask(struct session *session, struct text *request, struct reply *reply);
/* Does what session_ask does, for verbs that answer with a list. */
enum exit_code session_list(struct session *session, struct text *request, struct records *records);
/* Does what session_list does, but does not report an ERR. */
enum exit_code session_try_list(struct session *session, struct text *request, struct records *records);
void records_clear(struct records *records);
/* Keeps the first records of a list; its first line says how many there are now. */
void records_recount(struct records *records, size_t count);
/* Prints a value as JSON, or a list with its records under a name. Returns EXIT_TROUBLE if that fails. */
enum exit_code session_json(struct session *session, json_t *value);
enum exit_code session_json_list(struct session *session, const struct records *records, const char *name);

/* Parses a received line. A line that is not a reply is reported as EXIT_UNREACHABLE. */
enum exit_code session_parse(struct session *session, const char *line, size_t length, struct reply *reply);

/* Reports what went wrong on the error stream (or as JSON on the output), and returns code. */
enum exit_code session_fail(struct session *session, enum exit_code code, const char *word, const char *text);
/* Does what session_fail does, for a file that errno says cannot be written. */
enum exit_code session_unwritten(struct session *session, const char *path);
/* Does what session_fail does, for an ERR reply. */
enum exit_code session_refused(struct session *session, const struct reply *reply);
/* Does what session_fail does, for a connection that broke. */
enum exit_code session_lost(struct session *session, const char *why);

#endif
