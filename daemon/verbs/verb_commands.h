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

struct verb_command {
    /* One of these two, or submits. */
    void (*on_loop)(struct server *server, struct pending_reply *pending, const struct request *request);
    lookup_function *on_worker;
    enum work_length length; /* on a worker */
    bool batches;            /* on a worker: consecutive lookups go there together */
    bool submits;            /* submits a job */
    bool logged;             /* the log names who asked */
};

/* Returns a verb's row; NULL for VERB_COUNT. */
const struct verb_command *command_row(enum verb verb);
/* For struct lookup_worker_options. */
lookup_function *command_on_worker(enum verb verb);

/* For a connection_handler; context is the server. */
bool command_is_lookup(const char *line, size_t length);
bool command_is_submission(const char *line, size_t length);

/* The rows, by the file that has them: commands_self.c */
void command_ping(struct server *server, struct pending_reply *pending, const struct request *request);
void command_version(struct server *server, struct pending_reply *pending, const struct request *request);
void command_help(struct server *server, struct pending_reply *pending, const struct request *request);
void command_quit(struct server *server, struct pending_reply *pending, const struct request *request);
void command_stats(struct server *server, struct pending_reply *pending, const struct request *request);
void command_metrics(struct server *server, struct pending_reply *pending, const struct request *request);

/* commands_jobs.c */
void command_status(struct server *server, struct pending_reply *pending, const struct request *request);
void command_result(struct server *server, struct pending_reply *pending, const struct request *request);
void command_jobs(struct server *server, struct pending_reply *pending, const struct request *request);
void command_wait(struct server *server, struct pending_reply *pending, const struct request *request);
void command_watch(struct server *server, struct pending_reply *pending, const struct request *request);
void command_cancel(struct server *server, struct pending_reply *pending, const struct request *request);
void command_forget(struct server *server, struct pending_reply *pending, const struct request *request);

/* define/define_verbs.c */
void command_define(struct server *server, struct pending_reply *pending, const struct request *request);
void command_undefine(struct server *server, struct pending_reply *pending, const struct request *request);
enum pz_status command_definitions(struct lookup_worker *worker, const struct request *request,
                                   struct text *out, struct pz_error *error);

/* commands_draw.c, on a worker thread */
enum pz_status command_draw(struct lookup_worker *worker, const struct request *request, struct text *out,
                            struct pz_error *error);

/* commands_bounds.c, on a worker thread */
enum pz_status command_heuristic(struct lookup_worker *worker, const struct request *request,
                                 struct text *out, struct pz_error *error);

/* commands_lookup.c, commands_export.c, commands_graph.c and commands_puzzles.c, on a worker thread */
enum pz_status command_distance(struct lookup_worker *worker, const struct request *request, struct text *out,
                                struct pz_error *error);
enum pz_status command_path(struct lookup_worker *worker, const struct request *request, struct text *out,
                            struct pz_error *error);
enum pz_status command_sample(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error);
enum pz_status command_deepest(struct lookup_worker *worker, const struct request *request, struct text *out,
                               struct pz_error *error);
enum pz_status command_parts(struct lookup_worker *worker, const struct request *request, struct text *out,
                             struct pz_error *error);
enum pz_status command_export(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error);
enum pz_status command_graph(struct lookup_worker *worker, const struct request *request, struct text *out,
                             struct pz_error *error);
enum pz_status command_tables(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error);
enum pz_status command_levels(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error);
enum pz_status command_pin(struct lookup_worker *worker, const struct request *request, struct text *out,
                           struct pz_error *error);
enum pz_status command_unpin(struct lookup_worker *worker, const struct request *request, struct text *out,
                             struct pz_error *error);
enum pz_status command_fsck(struct lookup_worker *worker, const struct request *request, struct text *out,
                            struct pz_error *error);
enum pz_status command_puzzles(struct lookup_worker *worker, const struct request *request, struct text *out,
                               struct pz_error *error);

#endif
