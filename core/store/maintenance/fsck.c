/* SPDX-License-Identifier: MIT */
/*
 * Checks everything that is stored: the pages of LMDB's trees, then each value's checksum, layout and
 * references. Other threads and processes may read and write meanwhile. A reference is followed in the
 * transaction that read the value, so that a removal is not mistaken for a fault. Only the pieces of one
 * table may span several transactions.
 */
#include "base/status_word.h"
#include "store/lmdb/large_page.h"
#include "store/lmdb/lmdb_page.h"
#include "store/record/definition_record.h"
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_A_TRANSACTION = 256, BYTES_A_TRANSACTION = 64 << 20 };

struct fsck {
    struct store *store;
    void (*report)(void *context, const char *fault);
    void *context;
    struct store_check *check;
    MDB_txn *txn;       /* of the values that are being walked */
    const uint8_t *map; /* where the file begins in memory, in that transaction */
    /* Why the check could not go on, if the cause is not in the stored data. */
    enum pz_status status;
    struct pz_error error;
    /* The table whose pieces are being read, in its order. */
    struct table_row row;
    uint64_t table; /* 0 for none yet */
    bool known;     /* its record could be read, and says finished */
    uint64_t pieces;
    uint8_t after[8 * RUN_WORDS_MAX];
};

__attribute__((format(printf, 2, 3))) static void fault(struct fsck *fsck, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fsck->check->faults++;
    fsck->report(fsck->context, line);
}

/* Returns true if a read failed for lack of memory or of a reader's slot. The stored data is not at fault
 * then, and the check ends. */
static bool could_not_look(struct fsck *fsck, enum pz_status status, const struct pz_error *error)
{
    if (!status_is_retryable(status))
        return false;
    if (fsck->status == PZ_OK) {
        fsck->status = status;
        fsck->error = *error;
    }
    return true;
}

static void fsck_failed(struct fsck *fsck, enum pz_status status, const struct pz_error *error)
{
    if (!could_not_look(fsck, status, error))
        fault(fsck, "%s", error->text);
}

/* ---- what a value refers to ---- */

/* Returns true if the transaction of the walk has no such number. */
static bool number_is_missing(const struct fsck *fsck, enum database database, uint64_t number)
{
    const struct key key = key_of_u64(number);
    MDB_val value;
    return database_get(&fsck->store->environment, fsck->txn, database, &key, &value) == MDB_NOTFOUND;
}

static void fsck_job(struct fsck *fsck, const struct key *key, struct decoder *decoder)
{
    struct job_record job = {0};
    struct pz_error error = {.text = "no memory to check the jobs"};
    enum pz_status status = job_decode(decoder, &job);
    job_record_clear(&job);
    if (status != PZ_OK && !could_not_look(fsck, status, &error))
        fault(fsck, "the record of job %" PRIu64 " is malformed", bytes_u64(key->bytes));
}

static void fsck_question(struct fsck *fsck, struct decoder *decoder)
{
    uint64_t job = decode_u64(decoder);
    size_t length = decode_u32(decoder);
    const char *text = (const char *)decode_bytes(decoder, length);
    if (!decoder_ended(decoder))
        fault(fsck, "the question of job %" PRIu64 " is malformed", job);
    else if (number_is_missing(fsck, DATABASE_JOBS, job))
        fault(fsck, "the question \"%.*s\" belongs to job %" PRIu64 ", which is not there",
              (int)(length < 300 ? length : 300), text, job);
}

static void fsck_of_job(struct fsck *fsck, enum database database, const struct key *key)
{
    uint64_t job = bytes_u64(key->bytes);
    if (number_is_missing(fsck, DATABASE_JOBS, job))
        fault(fsck, "%s/%" PRIu64 "/%" PRIu32 " belongs to no job", database_name(database), job,
              bytes_u32(key->bytes + 8));
}

static void fsck_definition(struct fsck *fsck, const struct key *key, struct decoder *decoder)
{
    struct definition_record record;
    if (!definition_record_is_key(key))
        return;
    struct pz_error error = {0};
    enum pz_status status = definition_record_decode(decoder, &record);
    definition_record_clear(&record);
    if (status == PZ_MEMORY)
        (void)could_not_look(fsck, pz_fail(&error, status, "no memory for a definition"), &error);
    else if (status != PZ_OK)
        fault(fsck, "the definition %.*s is malformed", (int)key->length, (const char *)key->bytes);
}

static void fsck_name(struct fsck *fsck, struct decoder *decoder)
{
    uint64_t table = decode_u64(decoder);
    if (!decoder_ended(decoder))
        fault(fsck, "a table's name is malformed");
    else if (number_is_missing(fsck, DATABASE_TABLES, table))
        fault(fsck, "a name stands for table %" PRIu64 ", which is not there", table);
}

static bool has_no_piece(const struct fsck *fsck, uint64_t table)
{
    struct key key = key_of_u64(table);
    const int code = database_from(&fsck->store->environment, fsck->txn, DATABASE_PIECES, &key);
    return code == MDB_NOTFOUND || (code == 0 && (key.length < 8 || bytes_u64(key.bytes) != table));
}

static void fsck_row(struct fsck *fsck, const struct key *key)
{
    struct table_row row;
    struct pz_error error = {0};
    const uint64_t table = bytes_u64(key->bytes);
    int code = table_row_get(&fsck->store->environment, fsck->txn, table, &row, &error);
    if (code == APPLY_REFUSED)
        fsck_failed(fsck, error.code, &error);
    else if (code == 0 && row.record.finished && row.pieces > 0 && has_no_piece(fsck, table))
        fault(fsck, "the table %.300s has no pieces", row.record.name);
}

/* ---- the pieces, table by table ---- */

/* Returns true if the table is still finished: then its pieces have not changed since its record was
 * read. */
static bool table_still_there(struct fsck *fsck)
{
    struct table_row now;
    struct pz_error error = {0};
    enum pz_status status = table_row_read(fsck->store, fsck->table, &now, &error);
    (void)could_not_look(fsck, status, &error);
    return status == PZ_OK && now.record.finished;
}

static void fsck_end_table(struct fsck *fsck)
{
    if (fsck->table == 0 || !fsck->known)
        return;
    if (fsck->pieces != fsck->row.pieces && table_still_there(fsck))
        fault(fsck, "the table %.300s has %" PRIu64 " pieces of %" PRIu64, fsck->row.record.name,
              fsck->pieces, fsck->row.pieces);
}

static void fsck_begin_table(struct fsck *fsck, uint64_t table)
{
    fsck_end_table(fsck);
    fsck->table = table;
    fsck->pieces = 0;
    memset(fsck->after, 0, sizeof fsck->after);
    struct pz_error error; /* ignored: a damaged record is reported where it is stored */
    int code = table_row_get(&fsck->store->environment, fsck->txn, table, &fsck->row, &error);
    fsck->known = code == 0 && fsck->row.record.finished;
}

static void fsck_run(struct fsck *fsck, const struct key *key, const struct decoder *decoder)
{
    struct run_view run;
    size_t key_bytes = key->length - 8u;
    if (!run_parse(decoder->at, decoder->left, &run) || 8u * run.words != key_bytes)
        fault(fsck, "run %" PRIu64 " of the table %.300s is malformed", fsck->pieces, fsck->row.record.name);
    else if (memcmp(run.after, fsck->after, key_bytes) != 0 && table_still_there(fsck))
        fault(fsck, "run %" PRIu64 " of the table %.300s does not follow the one before it", fsck->pieces,
              fsck->row.record.name);
    memcpy(fsck->after, key->bytes + 8, key_bytes);
}

static void fsck_piece(struct fsck *fsck, const struct key *key, const struct decoder *decoder)
{
    if (fsck->known) {
        if (fsck->row.record.kind == TABLE_RUNS)
            fsck_run(fsck, key, decoder);
        else if (key->length == 16 && bytes_u64(key->bytes + 8) != fsck->pieces && table_still_there(fsck))
            fault(fsck, "chunk %" PRIu64 " of %.300s stands where chunk %" PRIu64 " was due",
                  bytes_u64(key->bytes + 8), fsck->row.record.name, fsck->pieces);
    }
    fsck->pieces++;
}

/* ---- one value ---- */

static bool fsck_key_fits(enum database database, size_t length)
{
    static const uint8_t lengths[DATABASE_COUNT] = {
        [DATABASE_JOBS] = 8,      [DATABASE_TABLES] = 8,     [DATABASE_LEVELS] = 12,
        [DATABASE_EXAMPLES] = 12, [DATABASE_QUESTIONS] = 16, [DATABASE_NAMES] = 16};
    if (database == DATABASE_PIECES)
        return length == 16 || length == 24 || length == 40 || length == 72;
    return database == DATABASE_META ? length > 0 : length == lengths[database];
}

static void fsck_meaning(struct fsck *fsck, enum database database, const struct key *key,
                         struct decoder *decoder)
{
    switch (database) {
    case DATABASE_JOBS:
        fsck_job(fsck, key, decoder);
        break;
    case DATABASE_QUESTIONS:
        fsck_question(fsck, decoder);
        break;
    case DATABASE_LEVELS:
    case DATABASE_EXAMPLES:
        fsck_of_job(fsck, database, key);
        break;
    case DATABASE_TABLES:
        fsck_row(fsck, key);
        break;
    case DATABASE_META:
        fsck_definition(fsck, key, decoder);
        break;
    case DATABASE_NAMES:
        fsck_name(fsck, decoder);
        break;
    case DATABASE_PIECES:
        fsck_piece(fsck, key, decoder);
        break;
    default:
        break;
    }
}

/* A value whose seal, or else whose head is wrong. Of a piece it says what to forget: a table's number tells
 * nobody. */
static void fsck_damaged(struct fsck *fsck, enum database database, const struct key *key, bool seal)
{
    struct pz_error error;
    if (seal)
        (void)pz_fail(&error, PZ_STORAGE,
                      "the page of the stored value %s/%" PRIu64 "/%" PRIu64 " has a wrong head",
                      database_name(database), bytes_u64(key->bytes), bytes_u64(key->bytes + 8));
    else
        (void)value_damaged(&error, database, key);
    if (database == DATABASE_PIECES && fsck->known && fsck->row.record.job != 0)
        fault(fsck, "%s; it is of %.300s: forget job %" PRIu64 " and ask again", error.text,
              fsck->row.record.name, fsck->row.record.job);
    else
        fault(fsck, "%s", error.text);
}

static void fsck_value(struct fsck *fsck, enum database database, const MDB_val *name, const MDB_val *value,
                       struct key *key)
{
    const bool piece = database == DATABASE_PIECES;
    fsck->check->values++;
    fsck->check->bytes += value->mv_size;
    key->length = 0;
    key_add_bytes(key, name->mv_data, name->mv_size < KEY_MAX ? name->mv_size : KEY_MAX - 1);
    if (!fsck_key_fits(database, name->mv_size)) {
        fault(fsck, "a key of %zu bytes in %s", name->mv_size, database_name(database));
        return;
    }
    if (piece && bytes_u64(key->bytes) != fsck->table)
        fsck_begin_table(fsck, bytes_u64(key->bytes));
    const bool good = seal_good(value->mv_data, value->mv_size, database, key);
    if (!good || (piece && !large_page_good(&fsck->store->environment, fsck->map, name, value)))
        fsck_damaged(fsck, database, key, good);
    if (!good && piece) {
        fsck->pieces++;
        memcpy(fsck->after, key->bytes + 8, key->length - 8u);
    }
    if (!good)
        return;
    struct decoder decoder = decoder_of(value->mv_data, value->mv_size);
    fsck_meaning(fsck, database, key, &decoder);
}

/* ---- the walk: a bounded number of values in each transaction ---- */

static int walk_some(struct fsck *fsck, enum database database, MDB_cursor *cursor, struct key *key)
{
    uint64_t bytes = fsck->check->bytes;
    fsck->map = large_page_map(&fsck->store->environment, fsck->txn);
    MDB_val name = mdb_key(key);
    MDB_val value;
    int code = mdb_cursor_get(cursor, &name, &value, key->length == 0 ? MDB_FIRST : MDB_SET_RANGE);
    for (unsigned i = 0; code == 0 && fsck->status == PZ_OK; i++) {
        if (i == VALUES_A_TRANSACTION || fsck->check->bytes - bytes > BYTES_A_TRANSACTION)
            break;
        fsck_value(fsck, database, &name, &value, key);
        code = mdb_cursor_get(cursor, &name, &value, MDB_NEXT);
    }
    key_step(key);
    return code;
}

/* Walks one database. A broken tree is a fault; if LMDB cannot read for lack of memory, the check ends. */
static void fsck_walk(struct fsck *fsck, enum database database)
{
    const struct environment *environment = &fsck->store->environment;
    struct key key = {0};
    struct pz_error error = {0};
    int code = 0;
    while (code == 0 && fsck->status == PZ_OK) {
        MDB_cursor *cursor;
        fsck->status = environment_read(&fsck->store->environment, &fsck->txn, &fsck->error);
        if (fsck->status != PZ_OK)
            return;
        code = mdb_cursor_open(fsck->txn, environment->databases[database], &cursor);
        if (code == 0) {
            code = walk_some(fsck, database, cursor, &key);
            mdb_cursor_close(cursor);
        }
        environment_read_end(&fsck->store->environment, fsck->txn);
    }
    if (code == 0 || code == MDB_NOTFOUND)
        return;
    if (!could_not_look(fsck, store_fault(&error, code, "checking the database"), &error))
        fault(fsck, "the tree of %s is broken: %s", database_name(database), mdb_strerror(code));
}

struct pages_of {
    const struct environment *environment;
    bool damaged;
};

/* Runs on the writer thread, within a transaction that writes nothing, so that the file does not change. */
static int apply_check_pages(void *context, MDB_txn *txn, struct pz_error *error)
{
    struct pages_of *pages = context;
    mdb_filehandle_t file;
    (void)txn;
    int code = mdb_env_get_fd(pages->environment->env, &file);
    if (code != 0)
        return code;
    enum pz_status status = pages_check(file, pages->environment->directory, false, error);
    pages->damaged = status == PZ_STORAGE;
    return status == PZ_OK ? 0 : APPLY_REFUSED;
}

/* Checks the pages of LMDB's trees. Returns false if reading the values is not safe. */
static bool fsck_pages(struct fsck *fsck)
{
    if (fsck->store->writer == NULL)
        return true; /* another process may be writing */
    struct pages_of pages = {.environment = &fsck->store->environment};
    struct operation *operation = operation_applying(OPERATION_SMALL, apply_check_pages, &pages, 0);
    enum pz_status status = writer_submit_and_wait(fsck->store->writer, operation, &fsck->error);
    if (pages.damaged)
        fault(fsck, "%s", fsck->error.text);
    else
        fsck->status = status; /* a failure of LMDB or the disk is not a fault of the stored data */
    return status == PZ_OK;
}

enum pz_status store_fsck(struct store *store, void (*report)(void *context, const char *fault),
                          void *context, struct store_check *check, struct pz_error *error)
{
    assert(check != NULL);
    struct fsck fsck = {.store = store, .report = report, .context = context, .check = check};
    *check = (struct store_check){0};
    bool sound = fsck_pages(&fsck);
    for (unsigned i = 0; i < DATABASE_COUNT && sound && fsck.status == PZ_OK; i++)
        fsck_walk(&fsck, (enum database)i);
    if (fsck.status == PZ_OK)
        fsck_end_table(&fsck);
    if (fsck.status != PZ_OK && error != NULL)
        *error = fsck.error;
    return fsck.status;
}
