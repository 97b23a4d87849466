/* SPDX-License-Identifier: MIT */
/* One write on its way to the database: made by any thread, carried out by the writer thread (writer.h). */
#ifndef STORE_OPERATION_H
#define STORE_OPERATION_H

#include "store/lmdb/environment.h"
#include "store/lmdb/value_codec.h"
#include "store/store.h"

#include <lmdb.h>
#include <pthread.h>

/*
 * Small writes that are not committed yet, in an ordered map. Readers look there first, so that they see a
 * change before it is committed. The map is a treap (Seidel and Aragon 1996) of a few thousand entries at
 * most, ordered by database and key. It has no lock of its own: the writer's lock guards it.
 */

/* One key's new value, or its removal. Belongs to one operation. */
struct change {
    struct change *next;         /* of the same operation, in order */
    struct change *left, *right; /* in the map */
    uint64_t priority;
    bool in_map;
    bool superseded; /* a later change of the same key was committed. Of the writer thread */
    bool erase;
    enum database database;
    struct key key;
    size_t length;
    uint8_t value[]; /* sealed */
};

struct pending {
    struct change *root;
    uint64_t seed; /* of the priorities */
};

/* Adds a change, in place of an earlier one of the same key. */
void pending_add(struct pending *pending, struct change *change);
/* Removes a change, unless a later one has replaced it. */
void pending_remove(struct pending *pending, struct change *change);
/* Returns the change of exactly this key, or NULL. */
const struct change *pending_find(const struct pending *pending, enum database database,
                                  const struct key *key);
/* Returns the first change of this database whose key is not below key, or NULL. */
const struct change *pending_from(const struct pending *pending, enum database database,
                                  const struct key *key);

/* Returned, beside LMDB's codes, by an operation_apply that refuses and has filled the error. */
enum { APPLY_REFUSED = 1 << 20 };

/* Carries an operation out, on the writer thread within the write transaction. May run more than once,
 * because a failed group is tried again: it must change nothing outside the transaction. Returns 0, an LMDB
 * code, or APPLY_REFUSED. */
typedef int operation_apply(void *context, MDB_txn *txn, struct pz_error *error);

enum operation_kind {
    OPERATION_SMALL, /* bookkeeping and removals: may use the reserve beyond the size limit */
    OPERATION_LARGE  /* pieces of a table: never beyond the size limit */
};

struct operation {
    struct operation *next;
    enum operation_kind kind;
    bool urgent;            /* somebody waits: commit now, not within the second */
    struct change *changes; /* applied in order … */
    struct change *last_change;
    operation_apply *apply;           /* … then this, when it is not NULL */
    void (*committed)(void *context); /* on the writer thread, after the commit; may be NULL */
    void (*drop)(void *context);      /* frees context with the operation; may be NULL */
    void *context;
    size_t bytes;          /* an estimate of the pages that it will change */
    struct store_ack ack;  /* done may be NULL */
    bool failed;           /* there was no memory to build it */
    double first_failed;   /* clock_seconds(); 0 before. Of the writer thread */
    enum pz_status status; /* the outcome, filled by the writer thread */
    struct pz_error error;
};

/* Returns NULL without memory; operation_put, operation_erase and writer_submit accept that, and the last one
 * reports it. */
struct operation *operation_new(enum operation_kind kind);
/* Makes one that applies the function; bytes: an estimate of the pages that it will change. */
struct operation *operation_applying(enum operation_kind kind, operation_apply *apply, void *context,
                                     size_t bytes);
void operation_free(struct operation *operation);
/* Seals what the encoder holds, copies it and frees the encoder. */
void operation_put(struct operation *operation, enum database database, const struct key *key,
                   struct encoder *encoder);
void operation_erase(struct operation *operation, enum database database, const struct key *key);
/* Marks the changes of an operation whose keys a later one, which is committed, has changed. */
void operation_supersede(struct operation *operation, const struct operation *later);

/* Waits for an acknowledgement: begin, pass ack to a submitting function, end with its status. */
struct awaited {
    struct store_ack ack;
    pthread_mutex_t lock;
    pthread_cond_t acknowledged;
    bool done;
    enum pz_status status;
    struct pz_error error;
};
void awaited_begin(struct awaited *awaited);
/* Waits if submitted is PZ_OK. Returns the outcome. */
enum pz_status awaited_end(struct awaited *awaited, enum pz_status submitted, struct pz_error *error);

/* ---- operations that wait for the writer thread, in order; guarded by the writer's lock ---- */

struct operation_queue {
    struct operation *first, *last;
    size_t bytes;
    unsigned urgent; /* of them */
};

void operation_queue_append(struct operation_queue *queue, struct operation *operation);
/* Takes the first operations, as many as fit in `most` bytes, at least one. The queue is not empty. */
struct operation *operation_queue_take(struct operation_queue *queue, size_t most);
/* Puts a list of operations, not empty, back to the front. They are not urgent any more: they wait until
 * they are due.
 */
void operation_queue_put_back(struct operation_queue *queue, struct operation *front);

/* Turns operations into one synchronous transaction. Only the writer thread calls these. */

/* Commits a list of several operations in one transaction. Grows the map where that helps. Returns false for
 * one operation, or if they cannot be committed together, because the disk is full for example: then each is
 * to be tried alone, in order, so that one that does not fit fails no other. */
bool commit_group(struct environment *environment, struct operation *group);
/* Commits the first operation of the list only, and fills its outcome. */
void commit_alone(struct environment *environment, struct operation *operation);

#endif
