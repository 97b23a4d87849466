/* SPDX-License-Identifier: MIT */
#include "store/table/table.h"

#include "base/status_word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum table_flags { TABLE_COMPLETE = 1, TABLE_FINISHED = 2, TABLE_PINNED = 4 };

/* ---- records and names ---- */

int table_row_put(const struct environment *environment, MDB_txn *txn, const struct table_row *row)
{
    const struct table_record *record = &row->record;
    unsigned flags = (record->complete ? TABLE_COMPLETE : 0u) | (record->finished ? TABLE_FINISHED : 0u) |
                     (record->pinned ? TABLE_PINNED : 0u);
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, record->job);
    encode_u8(&encoder, (uint8_t)record->kind);
    encode_u8(&encoder, (uint8_t)flags);
    encode_u32(&encoder, record->state_bytes);
    encode_u32(&encoder, record->depth);
    encode_u64(&encoder, record->states);
    encode_u64(&encoder, record->bytes);
    encode_u64(&encoder, record->table_bytes);
    encode_u32(&encoder, record->chunk_bytes);
    encode_u64(&encoder, row->pieces);
    encode_u64(&encoder, record->created_ms);
    encode_u64(&encoder, record->used_ms);
    encode_text(&encoder, record->name);
    struct key key = key_of_u64(record->id);
    return database_put(environment, txn, DATABASE_TABLES, &key, &encoder);
}

static bool decode_name(struct decoder *decoder, char name[STORE_NAME_MAX])
{
    size_t length = decode_u32(decoder);
    const uint8_t *text = decode_bytes(decoder, length);
    if (text == NULL || length >= STORE_NAME_MAX || !decoder_ended(decoder))
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return true;
}

enum pz_status table_row_decode(const uint8_t *value, size_t length, uint64_t id, struct table_row *row,
                                struct pz_error *error)
{
    struct decoder decoder = decoder_of(value, length);
    struct table_record *record = &row->record;
    *row = (struct table_row){.record = {.id = id}};
    record->job = decode_u64(&decoder);
    const uint8_t kind = decode_u8(&decoder);
    unsigned flags = decode_u8(&decoder);
    record->complete = (flags & TABLE_COMPLETE) != 0;
    record->finished = (flags & TABLE_FINISHED) != 0;
    record->pinned = (flags & TABLE_PINNED) != 0;
    record->state_bytes = decode_u32(&decoder);
    record->depth = decode_u32(&decoder);
    record->states = decode_u64(&decoder);
    record->bytes = decode_u64(&decoder);
    record->table_bytes = decode_u64(&decoder);
    record->chunk_bytes = decode_u32(&decoder);
    row->pieces = decode_u64(&decoder);
    record->created_ms = decode_u64(&decoder);
    record->used_ms = decode_u64(&decoder);
    if (!decode_name(&decoder, record->name) || kind >= TABLE_KINDS)
        return pz_fail(error, PZ_STORAGE, "the record of table %" PRIu64 " is malformed", id);
    record->kind = (enum table_kind)kind;
    const bool has_keys = record->state_bytes % 8 == 0 && run_words_known(record->state_bytes / 8);
    if (record->kind == TABLE_RUNS && !has_keys)
        return pz_fail(error, PZ_STORAGE, "table %" PRIu64 " has keys of %" PRIu32 " bytes", id,
                       record->state_bytes);
    return PZ_OK;
}

/* Turns a status of lookup_in or a decoder into a code of operation_apply. */
static int as_code(enum pz_status status, struct pz_error *error)
{
    if (status == PZ_OK)
        return 0;
    if (status == PZ_NO_TABLE)
        return MDB_NOTFOUND;
    error->code = status;
    return APPLY_REFUSED;
}

static enum pz_status row_in(const struct environment *environment, MDB_txn *txn, uint64_t id,
                             struct table_row *row, struct pz_error *error)
{
    MDB_val value;
    struct key key = key_of_u64(id);
    enum pz_status status = lookup_in(environment, txn, DATABASE_TABLES, &key, &value, error);
    return status == PZ_OK ? table_row_decode(value.mv_data, value.mv_size, id, row, error) : status;
}

static enum pz_status name_in(const struct environment *environment, MDB_txn *txn, const char *name,
                              uint64_t *id, struct pz_error *error)
{
    MDB_val value;
    struct key key = key_of_text(name);
    enum pz_status status = lookup_in(environment, txn, DATABASE_NAMES, &key, &value, error);
    if (status != PZ_OK)
        return status;
    struct decoder decoder = decoder_of(value.mv_data, value.mv_size);
    *id = decode_u64(&decoder);
    if (decoder_ended(&decoder))
        return PZ_OK;
    return pz_fail(error, PZ_STORAGE, "the entry of the name %s is malformed", name);
}

int table_row_get(const struct environment *environment, MDB_txn *txn, uint64_t id, struct table_row *row,
                  struct pz_error *error)
{
    return as_code(row_in(environment, txn, id, row, error), error);
}

int table_name_get(const struct environment *environment, MDB_txn *txn, const char *name, uint64_t *id,
                   struct pz_error *error)
{
    return as_code(name_in(environment, txn, name, id, error), error);
}

int table_name_put(const struct environment *environment, MDB_txn *txn, const char *name, uint64_t id)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, id);
    struct key key = key_of_text(name);
    return database_put(environment, txn, DATABASE_NAMES, &key, &encoder);
}

int table_make_tombstone(const struct environment *environment, MDB_txn *txn, const struct table_row *row,
                         struct pz_error *error)
{
    uint64_t named = 0;
    int code = table_name_get(environment, txn, row->record.name, &named, error);
    const bool damaged =
        code == APPLY_REFUSED && error->code == PZ_STORAGE; /* nothing else could remove it */
    if (damaged || (code == 0 && named == row->record.id)) {
        const struct key key = key_of_text(row->record.name);
        MDB_val name = mdb_key(&key);
        code = mdb_del(txn, environment->databases[DATABASE_NAMES], &name, NULL);
    }
    if (code != 0 && code != MDB_NOTFOUND)
        return code;
    struct table_row tombstone = *row;
    tombstone.record.finished = false;
    return table_row_put(environment, txn, &tombstone);
}

enum pz_status table_row_find(const struct environment *environment, MDB_txn *txn, const char *name,
                              struct table_row *row, struct pz_error *error)
{
    uint64_t id;
    enum pz_status status = name_in(environment, txn, name, &id, error);
    if (status == PZ_OK)
        status = row_in(environment, txn, id, row, error);
    if (status == PZ_NO_TABLE || (status == PZ_OK && strcmp(row->record.name, name) != 0))
        return pz_fail(error, PZ_NO_TABLE, "no table %.400s is stored", name);
    return status;
}

enum pz_status table_row_read(struct store *store, uint64_t id, struct table_row *row, struct pz_error *error)
{
    MDB_txn *txn;
    enum pz_status status = environment_read(&store->environment, &txn, error);
    if (status != PZ_OK)
        return status;
    status = row_in(&store->environment, txn, id, row, error);
    environment_read_end(&store->environment, txn);
    return status;
}

/* ---- finding and listing ---- */

enum pz_status store_table_find(struct store *store, const char *name, struct table_record *table,
                                struct pz_error *error)
{
    MDB_txn *txn;
    struct table_row row;
    enum pz_status status = environment_read(&store->environment, &txn, error);
    if (status != PZ_OK)
        return status;
    status = table_row_find(&store->environment, txn, name, &row, error);
    environment_read_end(&store->environment, txn);
    if (status == PZ_OK)
        *table = row.record;
    return status;
}

/* The records of all tables as one transaction sees them. */
struct table_rows {
    struct table_row *rows;
    size_t count, room;
    unsigned damaged; /* left out */
    uint64_t last;    /* the highest number, of damaged records, too */
};

static enum pz_status add_to_rows(struct table_rows *rows, const struct table_row *row,
                                  struct pz_error *error)
{
    if (rows->count == rows->room) {
        const size_t room = rows->room * 2 + 16;
        struct table_row *wider = reallocarray(rows->rows, room, sizeof *wider);
        if (wider == NULL)
            return pz_fail(error, PZ_MEMORY, "no memory for a list of tables");
        rows->rows = wider;
        rows->room = room;
    }
    rows->rows[rows->count++] = *row;
    return PZ_OK;
}

static enum pz_status read_row(const struct environment *environment, MDB_txn *txn, const MDB_val *key,
                               struct table_rows *rows, struct pz_error *error)
{
    struct table_row row;
    if (key->mv_size >= 8)
        rows->last = bytes_u64(key->mv_data);
    if (key->mv_size != 8)
        return pz_fail(error, PZ_STORAGE, "a key of a table is damaged");
    enum pz_status status = row_in(environment, txn, bytes_u64(key->mv_data), &row, error);
    return status == PZ_OK ? add_to_rows(rows, &row, error) : status;
}

/* Reads all records; passes over damaged ones. */
static enum pz_status read_all_rows(const struct environment *environment, MDB_txn *txn,
                                    struct table_rows *rows, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    MDB_cursor *cursor;
    MDB_val key, value;
    int code = mdb_cursor_open(txn, environment->databases[DATABASE_TABLES], &cursor);
    if (code != 0)
        return store_fault(error, code, "reading the tables");
    while (status == PZ_OK && (code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
        status = read_row(environment, txn, &key, rows, error);
        if (status != PZ_OK && !status_is_retryable(status)) {
            rows->damaged++;
            status = PZ_OK;
        }
    }
    mdb_cursor_close(cursor);
    return code == 0 || code == MDB_NOTFOUND ? status : store_fault(error, code, "reading the tables");
}

/* Calls visit with every record, finished or not, in no transaction and without a lock. Sets *seen but for
 * its rows. */
static enum pz_status each_row(struct store *store, bool (*visit)(void *context, const struct table_row *row),
                               void *context, struct table_rows *seen, struct pz_error *error)
{
    MDB_txn *txn;
    enum pz_status status = environment_read(&store->environment, &txn, error);
    *seen = (struct table_rows){0};
    if (status != PZ_OK)
        return status;
    status = read_all_rows(&store->environment, txn, seen, error);
    environment_read_end(&store->environment, txn);
    for (size_t i = 0; i < seen->count && status == PZ_OK && visit(context, &seen->rows[i]); i++)
        ;
    free(seen->rows);
    return status;
}

struct table_listing {
    bool (*visit)(void *context, const struct table_record *table);
    void *context;
};

static bool visit_finished(void *context, const struct table_row *row)
{
    const struct table_listing *listing = context;
    bool listed = row->record.finished && row->record.kind != TABLE_NONE;
    return !listed || listing->visit(listing->context, &row->record);
}

enum pz_status store_tables(struct store *store,
                            bool (*visit)(void *context, const struct table_record *table), void *context,
                            unsigned *damaged, struct pz_error *error)
{
    struct table_listing listing = {.visit = visit, .context = context};
    struct table_rows seen;
    const enum pz_status status = each_row(store, visit_finished, &listing, &seen, error);
    if (damaged != NULL)
        *damaged = seen.damaged;
    return status;
}

/* Returns true for a checkpoint of a job that has ended, which a full disk kept from being removed. A job
 * that the disk stopped may go on from its own. */
static bool is_left_checkpoint(struct store *store, const struct table_record *record)
{
    struct job_record job;
    if (record->kind != TABLE_NONE || store_job_get(store, record->job, &job, NULL) != PZ_OK)
        return false;
    const bool left =
        job_state_ended(job.state) && (job.state != JOB_STOPPED || job.facts.reason != STOP_DISK);
    job_record_clear(&job);
    return left;
}

static bool visit_recover(void *context, const struct table_row *row)
{
    struct store *store = context;
    if (store->writer == NULL)
        return false;
    if (!row->record.finished)
        writer_collect(store->writer, row->record.id, row->record.bytes);
    else if (is_left_checkpoint(store, &row->record))
        (void)checkpoint_remove_async(store, row->record.job, NULL);
    return true;
}

/* A damaged record does not keep the store from opening; a lookup of that table reports it. */
enum pz_status table_recover(struct store *store, struct pz_error *error)
{
    struct table_rows seen;
    const enum pz_status status = each_row(store, visit_recover, store, &seen, error);
    atomic_store_explicit(&store->next_table, seen.last + 1, memory_order_relaxed);
    return status;
}
