/* SPDX-License-Identifier: MIT */
/*
 * The functions that carry out the verbs of protocol/vocabulary.h. A verb runs on the loop thread if it only
 * needs what the daemon holds in memory, and on a worker thread if it reads the store or opens a puzzle.
 */
#ifndef DAEMON_VERB_COMMANDS_H
#define DAEMON_VERB_COMMANDS_H

#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/connection.h"
#include "protocol/request.h"

struct server;

/* Chooses the threads that a request goes to, so that short work does not wait behind long work. */
enum work_length {
    WORK_SHORT,
    WORK_BULK, /* replies of any length, made in pieces */
    WORK_SLOW  /* reads much in one go, or waits for the disk */
};

/* Carries out a request on the loop thread, and answers it at once or later. */
typedef void loop_function(struct server *server, struct pending_reply *pending,
                           const struct request *request);

/* A row of verb_commands.inc. */
struct verb_command {
    /* Exactly one of on_loop, on_worker and submits is set. */
    loop_function *on_loop;
    lookup_function *on_worker;
    enum work_length length; /* on a worker */
    bool batches;            /* on a worker: consecutive lookups go there together */
    bool submits;            /* submits a job */
    bool logged;             /* the log names who asked */
};

/* For struct lookup_worker_options. */
lookup_function *command_on_worker(enum verb verb);

/* In dispatch.c, for a connection_handler; context is the server. */
void command_run(void *context, struct pending_reply *pending, const char *line, size_t length);
bool command_is_lookup(const char *line, size_t length);
bool command_is_submission(const char *line, size_t length);

#define SUBMITS(verb)
#define ON_LOOP(verb, function, ...)   loop_function function;
#define ON_WORKER(verb, function, ...) lookup_function function;
#include "daemon/verbs/verb_commands.inc"
#undef SUBMITS
#undef ON_LOOP
#undef ON_WORKER

#endif
