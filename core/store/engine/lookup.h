/* SPDX-License-Identifier: MIT */
/*
 * Lookups of one small value: in the changes that are not committed yet, then in LMDB. A lookup checks the
 * value against its seal and copies it out.
 */
#ifndef STORE_LOOKUP_H
#define STORE_LOOKUP_H

#include "store/engine/store_internal.h"

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

#endif
