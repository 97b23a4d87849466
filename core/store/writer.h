/* SPDX-License-Identifier: MIT */
/*
 * The one thread that writes. Everyone hands it operations; it puts as many of them as are waiting into one
 * LMDB transaction, commits it with a sync, and only then acknowledges them: a synchronous commit costs
 * milliseconds, however many wait for it.
 *
 * An operation is whole or not at all, and operations are committed in the order in which they came. When a
 * group cannot be committed (the disk is full, say), its operations are tried one by one, so that
 * a large one that does not fit takes no small one with it.
 *
 * When there is nothing to write the thread sweeps: it removes the pieces of tables that were given up or
 * replaced, a bounded number in each transaction.
 */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "store/environment.h"
#include "store/pending.h"

struct writer;

/* What operation_apply returns beside LMDB's codes: the operation itself refuses, its error is filled. */
enum { APPLY_REFUSED = 1 << 20 };

/* Runs on the writer thread within the write transaction, possibly more than once (a group that failed is
 * begun anew): it must not change anything outside the transaction. Returns 0, an LMDB code, or APPLY_REFUSED. */
typedef int operation_apply(void *context, MDB_txn *txn, struct pz_error *error);

enum operation_kind {
    OPERATION_SMALL, /* bookkeeping and removals: may use the reserve beyond the size limit */
    OPERATION_LARGE  /* pieces of a table: never beyond the size limit */
};

struct operation {
    struct operation *next;
    enum operation_kind kind;
    bool urgent;            /* someone waits: commit now, not within the second */
    struct change *changes; /* applied in order … */
    struct change *last_change;
    operation_apply *apply;           /* … then this, when it is not NULL */
    void (*committed)(void *context); /* on the writer thread, after the commit; may be NULL */
    void (*drop)(void *context);      /* frees context with the operation; may be NULL */
    void *context;
    size_t bytes;         /* about what it will dirty */
    struct store_ack ack; /* done may be NULL */
    bool failed;          /* could not be built: without memory */
    unsigned attempts;
    enum pz_status status; /* the outcome, filled by the writer thread */
    struct pz_error error;
};

/* NULL without memory; operation_put, operation_erase and writer_submit take NULL and report it. */
struct operation *operation_new(enum operation_kind kind);
void operation_free(struct operation *operation);
/* Seals what the encoder holds, copies it and frees the encoder. */
void operation_put(struct operation *operation, enum database database, const struct key *key,
                   struct encoder *encoder, uint8_t version);
void operation_erase(struct operation *operation, enum database database, const struct key *key);

enum pz_status writer_start(struct environment *environment, struct writer **out, struct pz_error *error);
/* Commits what waits, then ends the thread. NULL is fine. */
void writer_stop(struct writer *writer);

/* Hands an operation over (also when it fails). It is acknowledged through ack, when that is given. */
enum pz_status writer_submit(struct writer *writer, struct operation *operation, const struct store_ack *ack,
                             struct pz_error *error);
/* The same, and waits for the commit. */
enum pz_status writer_submit_and_wait(struct writer *writer, struct operation *operation,
                                      struct pz_error *error);

/* Waiting for an acknowledgement: begin, give ack to a submitting function, end with what that returned. */
struct awaited {
    struct store_ack ack;
    pthread_mutex_t lock;
    pthread_cond_t told;
    bool done;
    enum pz_status status;
    struct pz_error error;
};
void awaited_begin(struct awaited *awaited);
/* Waits if submitted is PZ_OK. Returns the outcome. */
enum pz_status awaited_end(struct awaited *awaited, enum pz_status submitted, struct pz_error *error);

/* The change of a key that is still on its way: true, and *erased or a malloc'd copy in *value (NULL without memory). */
bool writer_pending(struct writer *writer, enum database database, const struct key *key, bool *erased,
                    uint8_t **value, size_t *length);
/* The first key from *key on that has a change on its way; replaces *key. False when there is none. */
bool writer_pending_from(struct writer *writer, enum database database, struct key *key, bool *erased);

/* Tells of a table whose pieces nothing reads any more. */
void writer_sweep(struct writer *writer, uint64_t table);
/* Commits since the thread started. */
uint64_t writer_commits(struct writer *writer);

#endif
