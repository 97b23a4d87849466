/* SPDX-License-Identifier: MIT */
/*
 * A lookup worker is what each thread of a lookup pool owns: an answerer over the store, and the puzzles that
 * it opened lately. Used by that thread only.
 */
#ifndef DAEMON_LOOKUP_WORKER_H
#define DAEMON_LOOKUP_WORKER_H

#include "answer/answer.h"
#include "base/budget.h"
#include "daemon/host/metrics.h"
#include "protocol/request.h"
#include "protocol/text/text.h"

struct lookup_worker;

/* A lookup that waits for an exploration, which deferred_lookup.h makes. */
struct deferral {
    uint64_t most;           /* states that such an exploration may have; 0 for none */
    bool made;               /* the exploration for the next request has just been asked for */
    struct pz_error refused; /* made: why there was none, unless the code is PZ_OK */
    struct request *request; /* the missing exploration, owned: then no reply was appended; else NULL */
    uint64_t hash;           /* of that */
};

/* Answers a request on a worker's thread. If it returns a status other than PZ_OK, the reply is that error,
 * and what it wrote is dropped. */
typedef enum pz_status lookup_function(struct lookup_worker *worker, const struct request *request,
                                       struct text *out, struct pz_error *error);

struct lookup_worker_options {
    struct store *store;
    struct metrics *metrics;
    struct budget *replies;                       /* what replies in pieces hold */
    lookup_function *(*function)(enum verb verb); /* that answers a verb */
};

/* For thread_pool_options. context is a struct lookup_worker_options, which is copied. */
void *lookup_worker_new(void *context, struct pz_error *error);
void lookup_worker_free(void *context); /* the worker */

struct store *lookup_worker_store(struct lookup_worker *worker);
struct answers *lookup_worker_answers(struct lookup_worker *worker);
struct budget *lookup_worker_replies(struct lookup_worker *worker);

/*
 * Opens the puzzle of a lookup (argument 0, goal=, and the keys of the puzzle) and reads its start (argument
 * 1, if there is one) into *state. The space stays the worker's, and is valid until the next call.
 */
enum pz_status lookup_worker_open(struct lookup_worker *worker, const struct request *request,
                                  const struct pz_space **space, void *state, struct pz_error *error);

/*
 * The part of a long reply that is still to come. A command that finds its reply longer than a piece sets
 * state before it returns, and is called again with it, maybe on another worker, until it has set state to
 * NULL.
 */
struct reply_rest {
    void *state;
    void (*free)(void *state); /* for a reply that is given up */
};
void reply_rest_free(struct reply_rest *rest);
/* Returns the rest of the reply that the running command makes. */
struct reply_rest *lookup_worker_rest(struct lookup_worker *worker);
/* Bytes of a piece: so much of a reply is made before the client has read what came before. */
enum { REPLY_PIECE = 64 << 10 };

/* Carries out one parsed request that is for a worker, and appends its reply; only a piece of the reply if
 * *rest has a state afterwards. */
void lookup_worker_run(struct lookup_worker *worker, const struct request *request, struct deferral *deferral,
                       struct reply_rest *rest, struct text *out);
/* Carries out one line and appends its whole reply. */
void lookup_worker_run_line(struct lookup_worker *worker, const char *line, size_t length,
                            struct deferral *deferral, struct text *out);

#endif
