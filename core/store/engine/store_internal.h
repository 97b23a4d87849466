/* SPDX-License-Identifier: MIT */
/* The members of struct store, for the rooms of core/store. Others need store.h. */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include "store/engine/writer.h"
#include "store/lmdb/environment.h"

/* The numbers of jobs (numbers.c). */
struct job_numbers {
    uint64_t next;             /* guarded by store->change */
    uint64_t block;            /* numbers in it; guarded by store->change, as what follows */
    double asked_at;           /* clock_seconds() */
    uint64_t asked;            /* end of the last block that was asked for; guarded by store->change */
    _Atomic uint64_t reserved; /* numbers below are durably reserved; the writer thread raises it */
};

struct table_checks;

struct store {
    struct environment environment;
    struct writer *writer; /* NULL when read-only */
    struct job_numbers numbers;
    _Atomic uint64_t next_table;
    pthread_mutex_t change;      /* held from reading a small record until its new value is submitted */
    pthread_mutex_t checks_lock; /* guards checks */
    struct table_checks *checks; /* the verified pieces of each table (checks.c) */
    /* An operation for a flush that finds no memory. Made by store_open; any thread may take it. */
    _Atomic(struct operation *) spare;
};

/*
 * Lookups of one small value: in the changes that are not committed yet, then in LMDB. A lookup checks the
 * value against its seal and copies it out.
 */

struct value {
    uint8_t *bytes; /* malloc'd, sealed */
    size_t length;
};
void value_free(struct value *value);

/* PZ_NO_TABLE if there is no such key; *error is left alone then. */
enum pz_status lookup(struct store *store, enum database database, const struct key *key, struct value *out,
                      struct pz_error *error);
/* Looks in a transaction only, and copies nothing: what *out points to lives as long as the transaction. */
enum pz_status lookup_in(const struct environment *environment, MDB_txn *txn, enum database database,
                         const struct key *key, MDB_val *out, struct pz_error *error);
/* Replaces *key by the first key that is not below it. PZ_NO_TABLE if there is none; any other error is of
 * the database, not of that key. A damaged key that is too long is cut. */
enum pz_status lookup_from(struct store *store, enum database database, struct key *key,
                           struct pz_error *error);

/* Writes a job's payload. */
void job_encode(struct encoder *encoder, const struct job_record *job);
/* Reads a job's payload into *job, which the caller clears, also after a failure: PZ_STORAGE if it is
 * malformed, PZ_MEMORY. */
enum pz_status job_decode(struct decoder *decoder, struct job_record *job);
/* Removes a job's levels and examples, within the writer's transaction. Returns LMDB's codes. */
int job_remove_found(const struct environment *environment, MDB_txn *txn, uint64_t job);

/* Fills *error with the name of a value whose checksum is wrong. Returns PZ_STORAGE. */
enum pz_status value_damaged(struct pz_error *error, enum database database, const struct key *key);

/*
 * The numbers of jobs. A number that a client has seen is never used again, not even after a crash that lost
 * the job. For that `meta/next-job` is raised ahead of need, by a block of numbers, in the commit of a job,
 * or by store_reserve_numbers before the first job.
 */

/* Reads the counter when the store is opened. */
enum pz_status job_numbers_read(struct store *store, struct pz_error *error);
/* Returns the next number. If a new block is due, the operation that stores the job also reserves it. An
 * operation that takes a number beyond the reserved ones always reserves it. Call it with store->change
 * held. */
uint64_t job_numbers_take(struct store *store, struct operation *operation);
/* Gives back the reserved numbers that were not used, so that only a crash leaves a gap. Call it before the
 * writer stops. */
void job_numbers_close(struct store *store);

#endif
