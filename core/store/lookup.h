/* SPDX-License-Identifier: MIT */
/*
 * The store's own parts, and how they read one small value: what is still on its way to the disk first, then
 * LMDB; checked against its seal, and copied out.
 */
#ifndef STORE_LOOKUP_H
#define STORE_LOOKUP_H

#include "store/environment.h"
#include "store/numbers.h"
#include "store/writer.h"

struct table_checks;

struct store {
    struct environment environment;
    struct writer *writer; /* NULL when read-only */
    struct job_numbers numbers;
    _Atomic uint64_t next_table;
    _Atomic uint64_t jobs;       /* how many there are; for store_stats */
    pthread_mutex_t change;      /* held by whoever reads a small record in order to write it again */
    pthread_mutex_t checks_lock; /* guards checks */
    struct table_checks *checks; /* what was verified, by table (table_checks.h) */
    /* For a flush without memory. Made by store_open; taken by whoever needs it, any thread. */
    _Atomic(struct operation *) spare;
};

struct value {
    uint8_t *bytes; /* malloc'd, sealed */
    size_t length;
};
void value_free(struct value *value);

/* PZ_NO_TABLE when there is no such key (nothing is written to *error then). */
enum pz_status lookup(struct store *store, enum database database, const struct key *key, struct value *out,
                      struct pz_error *error);
/* The same within a transaction, committed values only, and in place: *bytes lives as long as the
 * transaction. */
enum pz_status lookup_in(const struct environment *environment, MDB_txn *txn, enum database database,
                         const struct key *key, const uint8_t **bytes, size_t *length,
                         struct pz_error *error);
/* The first key that is not below *key; replaces *key. PZ_NO_TABLE when there is none; any other error is of
 * the database, not of that key. A damaged key that is too long is cut. */
enum pz_status lookup_from(struct store *store, enum database database, struct key *key,
                           struct pz_error *error);

/* PZ_NO_SUCH_JOB when there is none of that number; nothing is read but its key. */
enum pz_status job_find(struct store *store, uint64_t id, struct pz_error *error);
/* Reads a job's payload into *job, which the caller clears also on failure: PZ_STORAGE when it is malformed,
 * PZ_UNSUPPORTED when its version is newer, PZ_MEMORY. */
enum pz_status job_decode(struct decoder *decoder, struct job_record *job);
/* Within the writer's transaction: removes a job's levels and examples. LMDB's codes. */
int job_remove_found(const struct environment *environment, MDB_txn *txn, uint64_t job);

/* Fills *error with the name of a value that its checksum refuses. */
enum pz_status value_damaged(struct pz_error *error, enum database database, const struct key *key);

#endif
