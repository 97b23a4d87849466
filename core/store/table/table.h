/* SPDX-License-Identifier: MIT */
/*
 * The records of tables (database "tables", by number) and their names (database "names"). They are changed
 * only on the writer thread, within the transaction that changes them, so that no change is lost to another.
 */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include "store/engine/store_internal.h"
#include "store/engine/writer.h"

/* A record, and a table's number of pieces, which only the store needs. */
struct table_row {
    struct table_record record;
    uint64_t pieces; /* runs (with the empty one at the end) or chunks */
};

/* The pages that a change of a row takes, about. */
enum { ROW_BYTES = 65536 };

/* ---- within the writer's transaction: LMDB codes or APPLY_REFUSED ---- */

int table_row_put(const struct environment *environment, MDB_txn *txn, const struct table_row *row);
int table_row_get(const struct environment *environment, MDB_txn *txn, uint64_t id, struct table_row *row,
                  struct pz_error *error);
/* Finds the number that a name stands for; MDB_NOTFOUND. */
int table_name_get(const struct environment *environment, MDB_txn *txn, const char *name, uint64_t *id,
                   struct pz_error *error);
int table_name_put(const struct environment *environment, MDB_txn *txn, const char *name, uint64_t id);
/* Makes the table a tombstone: removes its name and marks its record unfinished, so that nothing reads it
 * any more. Garbage collection removes its pieces. */
int table_make_tombstone(const struct environment *environment, MDB_txn *txn, const struct table_row *row,
                         struct pz_error *error);

/* ---- anywhere ---- */

/* Decodes a record whose seal was checked. */
enum pz_status table_row_decode(const uint8_t *value, size_t length, uint64_t id, struct table_row *row,
                                struct pz_error *error);

/* Finds the record of a name, as a transaction sees it. PZ_NO_TABLE. */
enum pz_status table_row_find(const struct environment *environment, MDB_txn *txn, const char *name,
                              struct table_row *row, struct pz_error *error);
enum pz_status table_row_read(struct store *store, uint64_t id, struct table_row *row,
                              struct pz_error *error);

/* Returns an operation, not yet submitted, that removes a job's tables, levels and examples; changes may be
 * added. heir: the job that gets the table instead, 0 for none. NULL without memory. */
struct operation *removing_of_job(struct store *store, uint64_t job, uint64_t heir);
/* Removes the table of this name, if its number is id; 0: whatever its number. PZ_NO_TABLE. */
enum pz_status table_remove(struct store *store, const char *name, uint64_t id, struct pz_error *error);
/* Removes a table if there is one of that name, without waiting. */
enum pz_status table_remove_behind(struct store *store, const char *name, struct pz_error *error);
enum { TABLE_TOUCH_MS = 60000 }; /* the least time between two notes of a table's use on the disk */
/* Notes on the disk, without waiting, that the table of that name is used now. */
void table_touch(struct store *store, const char *name);
/* Reads all records once: sets next_table and hands tombstones and unfinished tables to the collection. */
enum pz_status table_recover(struct store *store, struct pz_error *error);

/* Returns the number of pieces of the viewed table. */
uint64_t table_view_pieces(const struct table_view *view);

/* ---- pieces verified in this process's life (checks.c) ---- */

/* Returns NULL without memory: then every piece is verified every time. */
struct table_checks *checks_hold(struct store *store, uint64_t table, uint64_t pieces);
void checks_release(struct store *store, struct table_checks *checks);
/* Forgets a table that is gone. */
void checks_forget(struct store *store, uint64_t table);
bool checks_verified(const struct table_checks *checks, uint64_t piece);
void checks_set_verified(struct table_checks *checks, uint64_t piece);
/* Returns when the table was last used in this process; 0 for never. */
uint64_t checks_used_ms(struct store *store, uint64_t table);
/* Sets that time; returns the earlier one. */
uint64_t checks_use(struct table_checks *checks, uint64_t now_ms);
void checks_free_all(struct store *store);

/*
 * ---- batches ----
 *
 * Sealed pieces of a table that are committed together. A batch belongs to one thread; from its submission
 * until it is awaited the writer thread reads its bytes.
 */

/* Zeroed memory with an environment is an empty batch. */
struct piece_batch {
    const struct environment *environment;
    uint8_t *bytes; /* malloc'd; of each piece: u8 length of the key, key, u64 length of the value, value */
    size_t used, room;
    size_t most;    /* the highest value of used: so much of room is in memory */
    bool in_flight; /* submitted and not awaited yet; only the owner writes it */
    struct awaited awaited;
};

/* Returns the bytes that a value takes in a batch. */
static inline size_t piece_batch_entry(const struct key *key, size_t length)
{
    return 1 + (size_t)key->length + 8 + length;
}

/* Returns the place for a value of length bytes under the key, which the caller fills and seals; NULL without
 * memory. room: of a batch that grows, at least. */
uint8_t *piece_batch_place(struct piece_batch *batch, const struct key *key, size_t length, size_t room);
/* Hands the batch, not empty, to the writer thread. After a failure it is as before. */
enum pz_status piece_batch_submit(struct piece_batch *batch, struct writer *writer, struct pz_error *error);
/* Waits for the commit of a submitted batch, which is empty then. PZ_OK for one that is not submitted. */
enum pz_status piece_batch_await(struct piece_batch *batch, struct pz_error *error);

#endif
