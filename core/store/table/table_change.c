/* SPDX-License-Identifier: MIT */
/*
 * Removes and pins tables and notes their use. The operations' context is a struct row_change; each reads a
 * record and writes it again within one transaction.
 */
#include "base/clock.h"
#include "base/status_word.h"
#include "store/engine/garbage.h"
#include "store/table/table.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct row_change {
    struct store *store;
    uint64_t job;               /* for removing by job */
    uint64_t heir;              /* as above: the job that gets its table, 0 for none */
    uint64_t id;                /* for removing by name: this table only, 0 for any */
    bool pinned;                /* for pinning */
    bool unless_pinned;         /* for removing */
    uint64_t now_ms;            /* for noting the use */
    struct garbage_table *gone; /* tables that became tombstones */
    size_t gone_count;
    char name[]; /* for all but removing by job */
};

static void row_change_drop(void *context)
{
    struct row_change *change = context;
    if (change != NULL)
        free(change->gone);
    free(change);
}

static void collect_gone(void *context)
{
    struct row_change *change = context;
    for (size_t i = 0; i < change->gone_count; i++) {
        checks_forget(change->store, change->gone[i].table);
        writer_collect(change->store->writer, change->gone[i].table, change->gone[i].bytes);
    }
}

/* Returns an operation that apply carries out on the named table; NULL without memory. */
static struct operation *row_operation(struct store *store, const char *name, operation_apply *apply)
{
    assert(strlen(name) < STORE_NAME_MAX);
    struct row_change *change = calloc(1, sizeof *change + strlen(name) + 1);
    struct operation *operation = operation_applying(OPERATION_SMALL, apply, change, ROW_BYTES);
    if (operation == NULL || change == NULL) {
        operation_free(operation);
        free(change);
        return NULL;
    }
    change->store = store;
    memcpy(change->name, name, strlen(name) + 1);
    operation->drop = row_change_drop;
    operation->committed = collect_gone;
    return operation;
}

static bool remember_gone(struct row_change *change, const struct table_record *table)
{
    struct garbage_table *grown = realloc(change->gone, (change->gone_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    change->gone = grown;
    grown[change->gone_count++] = (struct garbage_table){table->id, table->bytes};
    return true;
}

/* Refuses to remove a table that was pinned since somebody chose it. */
static int spare_pinned(const struct row_change *change, const struct table_record *table,
                        struct pz_error *error)
{
    if (!change->unless_pinned || !table->pinned)
        return 0;
    (void)pz_fail(error, PZ_BUSY, "the table %.400s is pinned", table->name);
    return APPLY_REFUSED;
}

/* Finds the row of the change's name. Refuses with PZ_NO_TABLE if there is none, or of another number. */
static int find_named_row(const struct row_change *change, MDB_txn *txn, struct table_row *row,
                          struct pz_error *error)
{
    const struct environment *environment = &change->store->environment;
    uint64_t id;
    int code = table_name_get(environment, txn, change->name, &id, error);
    if (code == 0)
        code = table_row_get(environment, txn, id, row, error);
    if (code == MDB_NOTFOUND || (code == 0 && change->id != 0 && change->id != id)) {
        (void)pz_fail(error, PZ_NO_TABLE, "no table %.400s is stored", change->name);
        return APPLY_REFUSED;
    }
    return code;
}

static int apply_remove(void *context, MDB_txn *txn, struct pz_error *error)
{
    struct row_change *change = context;
    struct table_row row;
    change->gone_count = 0;
    int code = find_named_row(change, txn, &row, error);
    if (code == 0)
        code = spare_pinned(change, &row.record, error);
    if (code == 0)
        code = table_make_tombstone(&change->store->environment, txn, &row, error);
    return code != 0 || remember_gone(change, &row.record) ? code : ENOMEM;
}

enum pz_status table_remove(struct store *store, const char *name, uint64_t id, struct pz_error *error)
{
    struct operation *operation = row_operation(store, name, apply_remove);
    if (operation != NULL) {
        ((struct row_change *)operation->context)->id = id;
        ((struct row_change *)operation->context)->unless_pinned = true;
    }
    return writer_submit_and_wait(store->writer, operation, error);
}

static int apply_remove_if_there(void *context, MDB_txn *txn, struct pz_error *error)
{
    struct row_change *change = context;
    uint64_t id;
    int code = table_name_get(&change->store->environment, txn, change->name, &id, error);
    change->gone_count = 0;
    return code == MDB_NOTFOUND ? 0 : apply_remove(context, txn, error);
}

enum pz_status table_remove_behind(struct store *store, const char *name, struct pz_error *error)
{
    return writer_submit(store->writer, row_operation(store, name, apply_remove_if_there), NULL, error);
}

/* Returns true if a job has reported that level, as the transaction sees it. */
static bool has_level(const struct environment *environment, MDB_txn *txn, uint64_t job, uint32_t level)
{
    const struct key key = key_of_u64_u32(job, level);
    MDB_val value;
    return database_get(environment, txn, DATABASE_LEVELS, &key, &value) == 0;
}

/* Gives a job's table to its heir, if the heir still exists and its levels are the table's; otherwise
 * removes the table. */
static int give_or_remove(struct row_change *change, MDB_txn *txn, struct table_row *row,
                          struct pz_error *error)
{
    const struct environment *environment = &change->store->environment;
    assert(row->record.job == change->job && change->heir != change->job);
    const struct key key = key_of_u64(change->heir);
    MDB_val value;
    int code = change->heir == 0 ? MDB_NOTFOUND : database_get(environment, txn, DATABASE_JOBS, &key, &value);
    const uint32_t depth = row->record.depth;
    if (code == 0 && has_level(environment, txn, change->heir, depth) &&
        !has_level(environment, txn, change->heir, depth + 1)) {
        row->record.job = change->heir;
        return table_row_put(environment, txn, row);
    }
    if (code == 0 || code == MDB_NOTFOUND)
        code = spare_pinned(change, &row->record, error);
    if (code == 0)
        code = table_make_tombstone(environment, txn, row, error);
    return code != 0 || remember_gone(change, &row->record) ? code : ENOMEM;
}

/* Removes a table whose record is damaged: nothing can read it, and which job made it is not known. */
static int remove_damaged(struct row_change *change, MDB_txn *txn, uint64_t id)
{
    MDB_cursor *names = NULL;
    MDB_val name, value;
    int code = mdb_cursor_open(txn, change->store->environment.databases[DATABASE_NAMES], &names);
    while (code == 0 && (code = mdb_cursor_get(names, &name, &value, MDB_NEXT)) == 0)
        if (value.mv_size == SEAL_BYTES + 8 && bytes_u64((const uint8_t *)value.mv_data + SEAL_BYTES) == id)
            code = mdb_cursor_del(names, 0);
    mdb_cursor_close(names);
    if (code != MDB_NOTFOUND)
        return code;
    return remember_gone(change, &(struct table_record){.id = id}) ? 0 : ENOMEM;
}

/* Removes a job's tables, and damaged ones if somebody asked for it. */
static int apply_remove_of_job(void *context, MDB_txn *txn, struct pz_error *error)
{
    struct row_change *change = context;
    const struct environment *environment = &change->store->environment;
    change->gone_count = 0;
    MDB_cursor *cursor = NULL; /* closing NULL is fine */
    int code = mdb_cursor_open(txn, environment->databases[DATABASE_TABLES], &cursor);
    MDB_val key, value;
    for (int step = MDB_FIRST; code == 0; step = MDB_NEXT) {
        struct table_row row;
        struct pz_error damage = {0};
        code = mdb_cursor_get(cursor, &key, &value, (MDB_cursor_op)step);
        if (code != 0)
            break;
        if (key.mv_size != 8)
            continue;
        const uint64_t id = bytes_u64(key.mv_data);
        if (table_row_get(environment, txn, id, &row, &damage) != 0) {
            if (damage.code == PZ_STORAGE && !change->unless_pinned)
                code = remove_damaged(change, txn, id);
            continue;
        }
        if (row.record.job != change->job || !row.record.finished)
            continue;
        code = give_or_remove(change, txn, &row, error);
    }
    mdb_cursor_close(cursor);
    return code == MDB_NOTFOUND ? job_remove_found(environment, txn, change->job) : code;
}

struct operation *removing_of_job(struct store *store, uint64_t job, uint64_t heir, bool unless_pinned)
{
    struct operation *operation = row_operation(store, "", apply_remove_of_job);
    if (operation == NULL)
        return NULL;
    struct row_change *change = operation->context;
    change->job = job;
    change->heir = heir;
    change->unless_pinned = unless_pinned;
    return operation;
}

/* Records the use of a table. It is no failure if the table is gone. */
static int apply_touch(void *context, MDB_txn *txn, struct pz_error *error)
{
    const struct row_change *change = context;
    struct table_row row;
    const int code = find_named_row(change, txn, &row, error);
    row.record.used_ms = change->now_ms;
    return code == 0               ? table_row_put(&change->store->environment, txn, &row)
           : code == APPLY_REFUSED ? 0
                                   : code;
}

static int apply_pin(void *context, MDB_txn *txn, struct pz_error *error)
{
    const struct row_change *change = context;
    struct table_row row;
    const int code = find_named_row(change, txn, &row, error);
    row.record.pinned = change->pinned;
    return code == 0 ? table_row_put(&change->store->environment, txn, &row) : code;
}

void table_touch(struct store *store, const char *name)
{
    if (store->writer == NULL)
        return;
    struct operation *operation = row_operation(store, name, apply_touch);
    if (operation == NULL)
        return; /* only the order of eviction suffers */
    ((struct row_change *)operation->context)->now_ms = clock_wall_ms();
    (void)writer_submit(store->writer, operation, NULL, NULL);
}

enum pz_status store_table_pin(struct store *store, const char *name, bool pinned, struct pz_error *error)
{
    if (strlen(name) >= STORE_NAME_MAX)
        return pz_fail(error, PZ_NO_TABLE, "no table %.400s is stored", name);
    struct operation *operation = row_operation(store, name, apply_pin);
    if (operation != NULL)
        ((struct row_change *)operation->context)->pinned = pinned;
    return writer_submit_and_wait(store->writer, operation, error);
}

/* ---- eviction: the tables unused for longest go first, and only as many as are needed ---- */

struct candidates {
    struct store *store;
    const char *submitter; /* NULL: anybody */
    uint64_t unused_ms;    /* only tables not used since are evictable */
    struct table_record *tables;
    size_t count, room;
    struct store_taken taken;
    bool starved; /* memory ran out while they were collected */
};

static bool is_of_submitter(const struct candidates *candidates, const struct table_record *table)
{
    struct job_record job = {0};
    if (candidates->submitter == NULL)
        return true;
    const bool same = table->kind != TABLE_PATTERN &&
                      store_job_get(candidates->store, table->job, &job, NULL) == PZ_OK &&
                      strcmp(job.submitter, candidates->submitter) == 0;
    job_record_clear(&job);
    return same;
}

static bool note_table(void *context, const struct table_record *table)
{
    struct candidates *candidates = context;
    if (!is_of_submitter(candidates, table))
        return true;
    const uint64_t here = checks_used_ms(candidates->store, table->id);
    const uint64_t used = here > table->used_ms ? here : table->used_ms;
    candidates->taken.bytes += table->bytes;
    if (table->pinned || used >= candidates->unused_ms)
        return true;
    if (candidates->count == candidates->room) {
        size_t room = candidates->room * 2 + 16;
        struct table_record *grown = reallocarray(candidates->tables, room, sizeof *grown);
        candidates->starved = grown == NULL;
        if (grown == NULL)
            return false;
        candidates->tables = grown;
        candidates->room = room;
    }
    struct table_record *copy = &candidates->tables[candidates->count++];
    *copy = *table;
    copy->used_ms = used;
    candidates->taken.evictable += table->bytes;
    return true;
}

static enum pz_status find_candidates(struct store *store, const char *submitter, uint64_t unused_ms,
                                      struct candidates *candidates, struct pz_error *error)
{
    *candidates = (struct candidates){.store = store, .submitter = submitter, .unused_ms = unused_ms};
    enum pz_status status = store_tables(store, note_table, candidates, NULL, error);
    if (candidates->starved)
        return pz_fail(error, PZ_MEMORY, "no memory to choose the tables to be evicted");
    return status;
}

enum pz_status store_taken(struct store *store, const char *submitter, struct store_taken *taken,
                           struct pz_error *error)
{
    struct candidates candidates;
    enum pz_status status = find_candidates(store, submitter, UINT64_MAX, &candidates, error);
    *taken = candidates.taken;
    free(candidates.tables);
    return status;
}

static int by_oldest_use(const void *a, const void *b)
{
    const struct table_record *one = a, *other = b;
    if (one->used_ms != other->used_ms)
        return one->used_ms < other->used_ms ? -1 : 1;
    return one->id < other->id ? -1 : one->id > other->id;
}

/* Reduces the list to the tables to evict: the longest unused ones until they suffice, without those that
 * the later ones make unnecessary. */
static void choose_evicted(struct candidates *candidates, uint64_t bytes)
{
    uint64_t chosen = 0;
    size_t count = 0;
    qsort(candidates->tables, candidates->count, sizeof *candidates->tables, by_oldest_use);
    assert(candidates->taken.evictable >= bytes);
    while (chosen < bytes) {
        assert(count < candidates->count);
        chosen += candidates->tables[count++].bytes;
    }
    for (size_t i = count; i-- > 0;) {
        if (chosen - candidates->tables[i].bytes < bytes)
            continue;
        chosen -= candidates->tables[i].bytes;
        count--;
        memmove(&candidates->tables[i], &candidates->tables[i + 1], (count - i) * sizeof *candidates->tables);
    }
    assert(chosen >= bytes && (count > 0 || bytes == 0));
    candidates->count = count;
}

enum pz_status store_evict(struct store *store, const char *submitter, uint64_t unused_ms, uint64_t bytes,
                           void (*evicted)(void *context, const struct table_record *table), void *context,
                           struct pz_error *error)
{
    assert(store->writer != NULL);
    struct candidates candidates;
    enum pz_status status = find_candidates(store, submitter, unused_ms, &candidates, error);
    if (status == PZ_OK && candidates.taken.evictable < bytes)
        status = pz_fail(error, PZ_STORAGE_FULL,
                         "%" PRIu64 " bytes more are needed, and only %" PRIu64
                         " could be had by evicting every table that may go: nothing was evicted",
                         bytes, candidates.taken.evictable);
    else if (status == PZ_OK)
        choose_evicted(&candidates, bytes);
    for (size_t i = 0; i < candidates.count && status == PZ_OK; i++) {
        const struct table_record *table = &candidates.tables[i];
        status = table_remove(store, table->name, table->id, error);
        if (status == PZ_NO_TABLE || status == PZ_BUSY) /* it is gone, or was pinned meanwhile */
            status = PZ_OK;
        else if (status == PZ_OK && evicted != NULL)
            evicted(context, table);
    }
    free(candidates.tables);
    return status;
}
