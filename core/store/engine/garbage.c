/* SPDX-License-Identifier: MIT */
#include "store/engine/garbage.h"

#include "base/clock.h"
#include "store/engine/operation.h"
#include "store/lmdb/large_page.h"
#include "store/lmdb/lmdb_page.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The limits of one step of collection. */
enum { STEP_BYTES = 32 << 20, STEP_PIECES = 4096 };

void garbage_add(struct garbage *garbage, uint64_t table, uint64_t bytes)
{
    assert(garbage->count <= garbage->room && (garbage->tables == NULL) == (garbage->room == 0));
    if (garbage->count == garbage->room) {
        size_t room = garbage->room * 2 + 16;
        struct garbage_table *grown = realloc(garbage->tables, room * sizeof *grown);
        if (grown == NULL)
            return;
        garbage->tables = grown;
        garbage->room = room;
    }
    garbage->tables[garbage->count++] = (struct garbage_table){table, bytes};
}

static struct garbage_table *garbage_find(const struct garbage *garbage, uint64_t table)
{
    for (size_t i = 0; i < garbage->count; i++)
        if (garbage->tables[i].table == table)
            return &garbage->tables[i];
    return NULL;
}

void garbage_drop(struct garbage *garbage, uint64_t table)
{
    struct garbage_table *entry = garbage_find(garbage, table);
    if (entry == NULL)
        return;
    const size_t behind = garbage->count - (size_t)(entry - garbage->tables) - 1;
    assert(behind < garbage->count);
    memmove(entry, entry + 1, behind * sizeof *entry);
    garbage->count--;
}

void garbage_freed(struct garbage *garbage, uint64_t table, uint64_t bytes)
{
    struct garbage_table *entry = garbage_find(garbage, table);
    if (entry != NULL)
        entry->bytes -= bytes < entry->bytes ? bytes : entry->bytes;
}

uint64_t garbage_bytes(const struct garbage *garbage)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < garbage->count; i++)
        bytes += garbage->tables[i].bytes;
    return bytes;
}

bool garbage_is_due(const struct garbage *garbage)
{
    return garbage->count > 0 && (garbage->not_before <= 0 || clock_seconds() >= garbage->not_before);
}

void garbage_pause(struct garbage *garbage)
{
    garbage->not_before = clock_seconds() + GARBAGE_PAUSE;
}

void garbage_free(struct garbage *garbage)
{
    free(garbage->tables);
    *garbage = (struct garbage){0};
}

/* Removes the table's first pieces, a step's worth. Returns MDB_NOTFOUND when none is left. Damaged heads are
 * mended first, or nothing could ever remove them. Large values are in the map: the step writes none. */
static int remove_pieces(struct garbage_step *step, MDB_cursor *cursor, const struct key *table,
                         struct pz_error *error)
{
    const uint8_t *map = large_page_map(step->environment, mdb_cursor_txn(cursor));
    const uint64_t page_bytes = step->environment->page_bytes;
    step->freed = 0;
    assert(page_bytes >= 512 && (page_bytes & (page_bytes - 1)) == 0);
    for (unsigned pieces = 0; pieces < STEP_PIECES && step->freed < STEP_BYTES; pieces++) {
        MDB_val key = mdb_key(table);
        MDB_val value;
        int code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
        if (code == 0 &&
            (key.mv_size < table->length || memcmp(key.mv_data, table->bytes, table->length) != 0))
            code = MDB_NOTFOUND;
        if (code == 0 && !large_page_good(step->environment, map, &key, &value) &&
            !large_page_mend(step->environment, map, &value)) {
            (void)pz_fail(error, PZ_STORAGE,
                          "a piece of table %" PRIu64 " is damaged; it is left where it is", step->table);
            return APPLY_REFUSED;
        }
        if (code == 0) {
            step->freed += overflow_pages(value.mv_size, page_bytes) * page_bytes;
            code = mdb_cursor_del(cursor, 0);
        }
        if (code != 0)
            return code;
    }
    return 0;
}

int garbage_apply(void *context, MDB_txn *txn, struct pz_error *error)
{
    struct garbage_step *step = context;
    struct key table = key_of_u64(step->table);
    MDB_cursor *cursor;
    step->done = step->damaged = false;
    int code = mdb_cursor_open(txn, step->environment->databases[DATABASE_PIECES], &cursor);
    if (code != 0)
        return code;
    code = remove_pieces(step, cursor, &table, error);
    mdb_cursor_close(cursor);
    step->damaged = code == APPLY_REFUSED || code == MDB_CORRUPTED || code == MDB_PAGE_NOTFOUND;
    if (code != MDB_NOTFOUND)
        return code;
    MDB_val key = mdb_key(&table);
    code = mdb_del(txn, step->environment->databases[DATABASE_TABLES], &key, NULL);
    step->done = true;
    return code == MDB_NOTFOUND ? 0 : code;
}
