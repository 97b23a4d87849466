/* SPDX-License-Identifier: MIT */
/*
 * The only thread that writes. Other threads hand it operations. It puts all that wait into one LMDB
 * transaction, commits that with a sync, and then acknowledges them: a synchronous commit costs milliseconds,
 * however many operations it carries.
 *
 * An operation is carried out whole or not at all. Small ones are committed in the order of their submission,
 * and so are large ones (pieces of tables). Between the two kinds there is no order; they take turns, so that
 * no small one waits for more than one large transaction.
 *
 * When there is nothing to write the thread collects garbage (garbage.h): the pieces of tables that were
 * given up or replaced.
 */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "store/engine/operation.h"
#include "store/lmdb/environment.h"

struct writer;

enum pz_status writer_start(struct environment *environment, struct writer **out, struct pz_error *error);
/* Commits what waits, then ends the thread. NULL is fine. */
void writer_stop(struct writer *writer);

/* Takes the operation over, even when this fails. After PZ_OK its outcome goes to ack, if that is not
 * NULL. */
enum pz_status writer_submit(struct writer *writer, struct operation *operation, const struct store_ack *ack,
                             struct pz_error *error);
/* Submits an operation and waits for its commit. */
enum pz_status writer_submit_and_wait(struct writer *writer, struct operation *operation,
                                      struct pz_error *error);

/* Returns true if a change of the key is not committed yet. Then either *erased is true or *value is a
 * malloc'd copy of the new value (NULL without memory). */
bool writer_pending(struct writer *writer, enum database database, const struct key *key, bool *erased,
                    uint8_t **value, size_t *length);
/* Replaces *key by the first key from there on with a change that is not committed yet. Returns false if
 * there is none. */
bool writer_pending_from(struct writer *writer, enum database database, struct key *key, bool *erased);

/* Returns why the last write behind that failed did, and fills *error; PZ_OK if none has failed, or one has
 * been made after all. */
enum pz_status writer_last_failure(struct writer *writer, struct pz_error *error);

/* Hands over a table whose pieces nothing reads any more; bytes: what they take, as far as known. */
void writer_collect(struct writer *writer, uint64_t table, uint64_t bytes);
struct writer_figures {
    uint64_t garbage_bytes; /* of handed-over tables that are not freed yet */
    uint64_t commits;       /* since the thread started */
};
struct writer_figures writer_figures(struct writer *writer);

#endif
