/* SPDX-License-Identifier: MIT */
#include "store/sweep.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Of one step. */
enum { STEP_BYTES = 32 << 20, STEP_PIECES = 4096 };

void sweep_add(struct sweep *sweep, uint64_t table)
{
    if (sweep->count == sweep->room) {
        size_t room = sweep->room * 2 + 16;
        uint64_t *grown = realloc(sweep->tables, room * sizeof *grown);
        if (grown == NULL)
            return;
        sweep->tables = grown;
        sweep->room = room;
    }
    sweep->tables[sweep->count++] = table;
}

void sweep_drop(struct sweep *sweep, uint64_t table)
{
    for (size_t i = 0; i < sweep->count; i++) {
        if (sweep->tables[i] != table)
            continue;
        memmove(&sweep->tables[i], &sweep->tables[i + 1], (sweep->count - i - 1) * sizeof sweep->tables[0]);
        sweep->count--;
        return;
    }
}

bool sweep_waits(const struct sweep *sweep)
{
    return sweep->count > 0 && (sweep->not_before <= 0 || clock_seconds() >= sweep->not_before);
}

void sweep_pause(struct sweep *sweep)
{
    sweep->not_before = clock_seconds() + SWEEP_PAUSE;
}

void sweep_free(struct sweep *sweep)
{
    free(sweep->tables);
    *sweep = (struct sweep){0};
}

/* Removes pieces from the table's first on; MDB_NOTFOUND when none is left. */
static int remove_pieces(MDB_cursor *cursor, const struct key *table)
{
    size_t bytes = 0;
    for (unsigned pieces = 0; pieces < STEP_PIECES && bytes < STEP_BYTES; pieces++) {
        MDB_val key = {.mv_size = table->length, .mv_data = (void *)(uintptr_t)table->bytes};
        MDB_val value;
        int code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
        if (code == 0 &&
            (key.mv_size < table->length || memcmp(key.mv_data, table->bytes, table->length) != 0))
            code = MDB_NOTFOUND;
        if (code == 0) {
            bytes += value.mv_size;
            code = mdb_cursor_del(cursor, 0);
        }
        if (code != 0)
            return code;
    }
    return 0;
}

int sweep_apply(void *context, MDB_txn *txn, struct pz_error *error)
{
    (void)error;
    struct sweep_step *step = context;
    struct key table = key_of_u64(step->table);
    MDB_cursor *cursor;
    step->done = false;
    int code = mdb_cursor_open(txn, step->environment->databases[DATABASE_PIECES], &cursor);
    if (code != 0)
        return code;
    code = remove_pieces(cursor, &table);
    mdb_cursor_close(cursor);
    if (code != MDB_NOTFOUND)
        return code;
    MDB_val key = {.mv_size = table.length, .mv_data = table.bytes};
    code = mdb_del(txn, step->environment->databases[DATABASE_TABLES], &key, NULL);
    step->done = true;
    return code == MDB_NOTFOUND ? 0 : code;
}
