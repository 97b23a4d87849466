/* SPDX-License-Identifier: MIT */
#include "store/sweep.h"

#include "base/clock.h"
#include "store/operation.h"

#include <inttypes.h>
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

/* ---- before a large value is removed: LMDB frees the pages that the value's head names, unseen ---- */

enum { PAGE_HEAD = 16, PAGE_OVERFLOW = 4 }; /* as in pages.c */

/* Where the map begins: by the page of a small value, which was checked when the store was opened. */
static const uint8_t *map_base(const struct environment *environment, MDB_txn *txn)
{
    static char format[] = "format";
    MDB_val key = {.mv_size = sizeof format - 1, .mv_data = format};
    MDB_val value;
    if (mdb_get(txn, environment->databases[DATABASE_META], &key, &value) != 0)
        return NULL;
    const uint8_t *at = value.mv_data;
    const uint8_t *page = at - (uintptr_t)at % environment->page_bytes;
    uint64_t number;
    memcpy(&number, page, sizeof number);
    return page - number * environment->page_bytes;
}

static bool head_good(const struct environment *environment, const uint8_t *base, const MDB_val *value)
{
    const uint8_t *page = (const uint8_t *)value->mv_data - PAGE_HEAD;
    if ((uintptr_t)page % environment->page_bytes != 0)
        return true; /* a small value, inside a page with others */
    uint64_t number;
    uint16_t flags;
    uint32_t count;
    memcpy(&number, page, sizeof number);
    memcpy(&flags, page + 10, sizeof flags);
    memcpy(&count, page + 12, sizeof count);
    uint64_t due = (PAGE_HEAD + value->mv_size + environment->page_bytes - 1) / environment->page_bytes;
    return base != NULL && page == base + number * environment->page_bytes && flags == PAGE_OVERFLOW &&
           count == due;
}

/* Removes pieces from the table's first on; MDB_NOTFOUND when none is left. */
static int remove_pieces(const struct sweep_step *step, MDB_cursor *cursor, const struct key *table,
                         struct pz_error *error)
{
    const uint8_t *base = map_base(step->environment, mdb_cursor_txn(cursor));
    size_t bytes = 0;
    for (unsigned pieces = 0; pieces < STEP_PIECES && bytes < STEP_BYTES; pieces++) {
        MDB_val key = {.mv_size = table->length, .mv_data = (void *)table->bytes};
        MDB_val value;
        int code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
        if (code == 0 &&
            (key.mv_size < table->length || memcmp(key.mv_data, table->bytes, table->length) != 0))
            code = MDB_NOTFOUND;
        if (code == 0 && !head_good(step->environment, base, &value)) {
            (void)pz_fail(error, PZ_STORAGE,
                          "a piece of table %" PRIu64 " is damaged; it is left where it is", step->table);
            return APPLY_REFUSED;
        }
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
    struct sweep_step *step = context;
    struct key table = key_of_u64(step->table);
    MDB_cursor *cursor;
    step->done = false;
    int code = mdb_cursor_open(txn, step->environment->databases[DATABASE_PIECES], &cursor);
    if (code != 0)
        return code;
    code = remove_pieces(step, cursor, &table, error);
    mdb_cursor_close(cursor);
    if (code != MDB_NOTFOUND)
        return code;
    MDB_val key = {.mv_size = table.length, .mv_data = table.bytes};
    code = mdb_del(txn, step->environment->databases[DATABASE_TABLES], &key, NULL);
    step->done = true;
    return code == MDB_NOTFOUND ? 0 : code;
}
