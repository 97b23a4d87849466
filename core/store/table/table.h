/* SPDX-License-Identifier: MIT */
/*
 * The records of tables (database "tables", by number) and their names (database "names"). They are changed
 * only on the writer thread, within the transaction that changes them, so that no change is lost to another.
 */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include "explore/explore.h"
#include "store/engine/store_internal.h"
#include "store/engine/writer.h"

/*
 * ---- runs ----
 *
 * Sorted runs of mixed keys with their distances, as one value each. The payload:
 *
 *     u8   words of a key (1, 2, 4 or 8)
 *     u8   bytes of a distance (1, 2 or 4)
 *     u8   p, length of the front that all keys of the run share
 *     u8   zero
 *     u32  number of keys n
 *     key  "after": the run answers for every key k with after < k <= last, and the last is in the run's own
 *          LMDB key; all zero in the first run, which answers for zero as well
 *     p bytes, the common front
 *     n × (8 words − p) bytes, the rest of each key, ascending
 *     n × distance, big-endian
 *
 * A run says from which key on it answers. So a key in its range that it does not hold is in no run, and a
 * damaged index cannot make a state look unreached. Keys are big-endian here, so that memcmp orders them.
 */

enum { RUN_WORDS_MAX = 8, RUN_KEYS_MAX = 4096 };

/* Returns true for the widths that keys have: 1, 2, 4 or 8 words. */
static inline bool run_words_known(uint32_t words)
{
    return words == 1 || words == 2 || words == 4 || words == 8;
}

/* A key as bytes. */
void run_key_bytes(const uint64_t *key, unsigned words, uint8_t out[8 * RUN_WORDS_MAX]);

/* Writes as many keys as payload_max (at least 1024) allows, from 1 to RUN_KEYS_MAX, and sets *taken to their
 * number. Returns the payload's length. after: NULL for the first run. A count of 0 makes an empty run. */
size_t run_encode(const struct explore_run *run, const uint8_t *after, size_t payload_max, uint8_t *payload,
                  size_t *taken);

/* A view into a payload. */
struct run_view {
    unsigned words, distance_bytes, prefix, rest;
    size_t count;
    const uint8_t *after, *front, *keys, *distances;
};
/* Returns false if the payload is malformed. */
bool run_parse(const uint8_t *payload, size_t length, struct run_view *view);
/* Returns true if the run answers for the key. */
bool run_covers(const struct run_view *view, const uint8_t *key);
/* Finds a key's distance by binary search; returns false if the run does not hold it. */
bool run_find(const struct run_view *view, const uint8_t *key, uint32_t *distance);
/* Writes the keys (words each) and distances of the run, those at the distance; returns their number. */
size_t run_decode(const struct run_view *view, uint32_t distance, uint64_t *keys, uint32_t *distances);

/* ---- records and names ---- */

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
struct operation *removing_of_job(struct store *store, uint64_t job, uint64_t heir, bool unless_pinned);
/* Removes the table of this name, if its number is id or id is 0. PZ_NO_TABLE, PZ_BUSY if it is pinned. */
enum pz_status table_remove(struct store *store, const char *name, uint64_t id, struct pz_error *error);
/* Removes a table if there is one of that name, without waiting. */
enum pz_status table_remove_behind(struct store *store, const char *name, struct pz_error *error);
enum { TABLE_TOUCH_MS = 60000 }; /* the least time between two notes of a table's use on the disk */
/* Notes on the disk, without waiting, that the table of that name is used now. */
void table_touch(struct store *store, const char *name);
/* Reads all records once: sets next_table and hands tombstones and unfinished tables to the collection. */
enum pz_status table_recover(struct store *store, struct pz_error *error);

/* Returns what is written so far. */
const struct table_row *table_writer_row(const struct table_writer *writer);
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
/* Sets that time. Returns true if the use is to be noted on the disk, which has that of stored_ms. */
bool checks_use(struct table_checks *checks, uint64_t now_ms, uint64_t stored_ms);
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
