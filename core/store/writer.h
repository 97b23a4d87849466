/* SPDX-License-Identifier: MIT */
/*
 * The one thread that writes. Everyone hands it operations; it puts as many of them as are waiting into one
 * LMDB transaction, commits it with a sync, and only then acknowledges them: a synchronous commit costs
 * milliseconds, however many wait for it.
 *
 * An operation is whole or not at all. Small ones are committed in the order in which they came, large ones
 * (pieces of tables) likewise; between the two kinds there is no order, and they take turns, so that no small
 * one waits for more than one large transaction.
 *
 * When there is nothing to write the thread sweeps: it removes the pieces of tables that were given up or
 * replaced, a bounded number in each transaction.
 */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "store/environment.h"
#include "store/operation.h"

struct writer;

enum pz_status writer_start(struct environment *environment, struct writer **out, struct pz_error *error);
/* Commits what waits, then ends the thread. NULL is fine. */
void writer_stop(struct writer *writer);

/* Hands an operation over (also when it fails). It is acknowledged through ack, when that is given. */
enum pz_status writer_submit(struct writer *writer, struct operation *operation, const struct store_ack *ack,
                             struct pz_error *error);
/* The same, and waits for the commit. */
enum pz_status writer_submit_and_wait(struct writer *writer, struct operation *operation,
                                      struct pz_error *error);

/* The change of a key that is still on its way: true, and *erased or a malloc'd copy in *value (NULL without
 * memory). */
bool writer_pending(struct writer *writer, enum database database, const struct key *key, bool *erased,
                    uint8_t **value, size_t *length);
/* The first key from *key on that has a change on its way; replaces *key. False when there is none. */
bool writer_pending_from(struct writer *writer, enum database database, struct key *key, bool *erased);

/* Tells of a table whose pieces nothing reads any more. */
void writer_sweep(struct writer *writer, uint64_t table);
/* Commits since the thread started. */
uint64_t writer_commits(struct writer *writer);

#endif
