/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CACHE_SLOTS = 1024,       /* of chunk pointers at most, a power of two */
    PIECES_A_TRANSACTION = 64 /* then a visit of all pieces renews its transaction */
};

/* A chunk's place in the map. */
struct cached_chunk {
    uint64_t number; /* plus one; 0 for none */
    const uint8_t *bytes;
    size_t length;
};

struct table_view {
    struct store *store;
    MDB_txn *txn;
    MDB_cursor *cursor; /* of the pieces */
    struct table_row row;
    struct table_checks *checks;
    uint64_t cache_mask;
    struct cached_chunk cache[];
};

static uint64_t cache_slots(const struct table_row *row)
{
    uint64_t slots = 1;
    while (row->record.kind != TABLE_RUNS && slots < row->pieces && slots < CACHE_SLOTS)
        slots *= 2;
    return slots;
}

static void note_use(struct table_view *view)
{
    if (checks_use(view->checks, clock_wall_ms(), view->row.record.used_ms))
        table_touch(view->store, view->row.record.name);
}

static struct table_view *view_new(struct store *store, MDB_txn *txn, const struct table_row *row)
{
    uint64_t slots = cache_slots(row);
    assert(slots <= CACHE_SLOTS && (slots & (slots - 1)) == 0); /* a mask finds the place */
    struct table_view *view = calloc(1, sizeof *view + (size_t)slots * sizeof view->cache[0]);
    if (view == NULL)
        return NULL;
    if (mdb_cursor_open(txn, store->environment.databases[DATABASE_PIECES], &view->cursor) != 0) {
        free(view);
        return NULL;
    }
    view->store = store;
    view->txn = txn;
    view->row = *row;
    view->cache_mask = slots - 1;
    view->checks = checks_hold(store, row->record.id, row->pieces);
    return view;
}

enum pz_status table_view_peek(struct store *store, const char *name, struct table_view **out,
                               struct pz_error *error)
{
    MDB_txn *txn;
    struct table_row row;
    *out = NULL;
    enum pz_status status = environment_read(&store->environment, &txn, error);
    if (status != PZ_OK)
        return status;
    status = table_row_find(&store->environment, txn, name, &row, error);
    if (status == PZ_OK && (*out = view_new(store, txn, &row)) == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for a view of a table");
    if (*out == NULL)
        environment_read_end(&store->environment, txn);
    return status;
}

enum pz_status table_view_open(struct store *store, const char *name, struct table_view **out,
                               struct pz_error *error)
{
    enum pz_status status = table_view_peek(store, name, out, error);
    if (*out != NULL)
        note_use(*out);
    return status;
}

void table_view_close(struct table_view *view)
{
    if (view == NULL)
        return;
    assert(view->txn != NULL && mdb_cursor_txn(view->cursor) == view->txn);
    mdb_cursor_close(view->cursor);
    environment_read_end(&view->store->environment, view->txn);
    checks_release(view->store, view->checks);
    free(view);
}

const struct table_record *table_view_record(const struct table_view *view)
{
    return &view->row.record;
}

uint64_t table_view_pieces(const struct table_view *view)
{
    return view->row.pieces;
}

static enum pz_status damaged(const struct table_view *view, const char *piece, uint64_t number,
                              struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE,
                   "%s %" PRIu64 " of table %.300s is damaged; forget job %" PRIu64 " and ask again", piece,
                   number, view->row.record.name, view->row.record.job);
}

/* Renews the transaction, so that pages freed since can be reused. Chunks may be elsewhere then. Fails if the
 * table is gone. */
static enum pz_status view_renew(struct table_view *view, struct pz_error *error)
{
    struct table_row row;
    enum pz_status status = environment_read_again(&view->store->environment, view->txn, error);
    if (status != PZ_OK)
        return status;
    memset(view->cache, 0, (size_t)(view->cache_mask + 1) * sizeof view->cache[0]);
    int code = mdb_cursor_renew(view->txn, view->cursor);
    if (code != 0)
        return store_fault(error, code, "reading a table");
    status = table_row_find(&view->store->environment, view->txn, view->row.record.name, &row, error);
    if (status == PZ_OK && row.record.id != view->row.record.id)
        status = pz_fail(error, PZ_NO_TABLE, "the table was replaced while it was read; ask again");
    return status;
}

/* ---- chunks ---- */

static enum pz_status find_chunk(struct table_view *view, uint64_t number, struct cached_chunk *chunk,
                                 struct pz_error *error)
{
    struct key key = key_of_u64(view->row.record.id);
    key_add_u64(&key, number);
    MDB_val value;
    int code = database_get(&view->store->environment, view->txn, DATABASE_PIECES, &key, &value);
    if (code == MDB_NOTFOUND)
        return damaged(view, "chunk", number, error);
    if (code != 0)
        return store_fault(error, code, "reading a table");
    if (!checks_verified(view->checks, number)) {
        if (!seal_good(value.mv_data, value.mv_size, DATABASE_PIECES, &key))
            return damaged(view, "chunk", number, error);
        checks_set_verified(view->checks, number);
    }
    chunk->number = number + 1;
    chunk->bytes = (const uint8_t *)value.mv_data + SEAL_BYTES;
    chunk->length = value.mv_size - SEAL_BYTES;
    return PZ_OK;
}

enum pz_status table_view_chunk(struct table_view *view, uint64_t number, const uint8_t **bytes,
                                size_t *length, struct pz_error *error)
{
    struct cached_chunk *chunk = &view->cache[number & view->cache_mask];
    if (chunk->number != number + 1) {
        if (view->row.record.kind == TABLE_RUNS)
            return pz_fail(error, PZ_INTERNAL, "the table has no chunks");
        if (number >= view->row.pieces) /* its record says less than its puzzle needs */
            return damaged(view, "chunk", number, error);
        enum pz_status status = find_chunk(view, number, chunk, error);
        if (status != PZ_OK)
            return status;
    }
    *bytes = chunk->bytes;
    *length = chunk->length;
    return PZ_OK;
}

enum pz_status table_view_chunks(struct table_view *view, uint64_t bytes,
                                 enum pz_status (*visit)(void *context, const struct table_chunk *chunk,
                                                         struct pz_error *error),
                                 void *context, struct pz_error *error)
{
    const struct table_record *table = &view->row.record;
    struct table_chunk chunk = {0};
    enum pz_status status = PZ_OK;
    assert(bytes <= table->table_bytes);
    for (; chunk.at < bytes && status == PZ_OK; chunk.number++) {
        size_t length = 0;
        if (chunk.number % PIECES_A_TRANSACTION == PIECES_A_TRANSACTION - 1)
            status = view_renew(view, error);
        if (status == PZ_OK)
            status = table_view_chunk(view, chunk.number, &chunk.bytes, &length, error);
        if (status == PZ_OK && (length == 0 || length > table->table_bytes - chunk.at))
            status = pz_fail(error, PZ_STORAGE, "chunk %" PRIu64 " of %.300s has a wrong length",
                             chunk.number, table->name);
        chunk.length = bytes - chunk.at < length ? (size_t)(bytes - chunk.at) : length;
        if (status == PZ_OK)
            status = visit(context, &chunk, error);
        chunk.at += length;
    }
    return status;
}

/* ---- runs ---- */

/* Finds the run that may hold the key: the first run whose last key is not below it. Verifies the run every
 * time, since it is small. */
static enum pz_status run_from(struct table_view *view, struct key *key, struct run_view *run,
                               struct pz_error *error)
{
    MDB_val name = mdb_key(key);
    MDB_val value;
    uint8_t length = key->length;
    int code = mdb_cursor_get(view->cursor, &name, &value, MDB_SET_RANGE);
    if (code != 0 && code != MDB_NOTFOUND)
        return store_fault(error, code, "reading a table");
    if (code != 0 || name.mv_size != length || memcmp(name.mv_data, key->bytes, 8) != 0)
        return damaged(view, "the index before run", bytes_u64(key->bytes + 8), error);
    memcpy(key->bytes, name.mv_data, length);
    const uint8_t *bytes = value.mv_data;
    if (!seal_good(bytes, value.mv_size, DATABASE_PIECES, key) ||
        !run_parse(bytes + SEAL_BYTES, value.mv_size - SEAL_BYTES, run) ||
        8 * run->words != view->row.record.state_bytes)
        return damaged(view, "run", bytes_u64(key->bytes + 8), error);
    return PZ_OK;
}

enum pz_status table_view_key(struct table_view *view, const uint64_t *key, unsigned key_words,
                              uint32_t *distance, struct pz_error *error)
{
    if (view->row.record.kind != TABLE_RUNS || 8 * key_words != view->row.record.state_bytes)
        return pz_fail(error, PZ_INTERNAL, "a key of %u words for a table with states of %u bytes", key_words,
                       view->row.record.state_bytes);
    uint8_t wanted[8 * RUN_WORDS_MAX];
    run_key_bytes(key, key_words, wanted);
    struct key place = key_of_u64(view->row.record.id);
    key_add_bytes(&place, wanted, 8u * key_words);
    struct run_view run;
    enum pz_status status = run_from(view, &place, &run, error);
    if (status != PZ_OK)
        return status;
    if (!run_covers(&run, wanted))
        return damaged(view, "the index before run", bytes_u64(place.bytes + 8), error);
    if (!run_find(&run, wanted, distance))
        return pz_fail(error, PZ_NO_TABLE, "the table does not hold this state");
    return PZ_OK;
}

/* Steps to the next key. Returns false at the end of the key space. */
static bool next_place(struct key *place)
{
    for (unsigned i = place->length; i > 8; i--)
        if (++place->bytes[i - 1] != 0)
            return true;
    return false;
}

enum pz_status table_view_level(struct table_view *view, const uint64_t *from, uint32_t distance,
                                bool (*visit)(void *context, const struct explore_run *run), void *context,
                                struct pz_error *error)
{
    assert(visit != NULL && from != NULL);
    uint8_t first[8 * RUN_WORDS_MAX];
    unsigned words = view->row.record.state_bytes / 8;
    if (view->row.record.kind != TABLE_RUNS)
        return pz_fail(error, PZ_INTERNAL, "the table has no runs");
    uint64_t *keys = malloc(sizeof *keys * words * RUN_KEYS_MAX);
    uint32_t *distances = malloc(sizeof *distances * RUN_KEYS_MAX);
    enum pz_status status =
        keys == NULL || distances == NULL ? pz_fail(error, PZ_MEMORY, "no memory to read a table") : PZ_OK;
    struct key place = key_of_u64(view->row.record.id);
    run_key_bytes(from, words, first);
    key_add_bytes(&place, first, 8u * words);
    bool more = true;
    for (uint64_t number = 0; more && number < view->row.pieces && status == PZ_OK; number++) {
        struct run_view run = {0};
        if (number % PIECES_A_TRANSACTION == PIECES_A_TRANSACTION - 1)
            status = view_renew(view, error);
        if (status == PZ_OK)
            status = run_from(view, &place, &run, error);
        if (status != PZ_OK)
            break;
        const size_t count = run_decode(&run, distance, keys, distances);
        struct explore_run out = {
            .keys = keys, .distances = distances, .count = count, .key_words = run.words};
        more = (out.count == 0 || visit(context, &out)) && next_place(&place);
    }
    free(keys);
    free(distances);
    return status;
}

enum pz_status table_view_runs(struct table_view *view,
                               bool (*visit)(void *context, const struct explore_run *run), void *context,
                               struct pz_error *error)
{
    static const uint64_t zeros[RUN_WORDS_MAX];
    return table_view_level(view, zeros, EXPLORE_ANY_DISTANCE, visit, context, error);
}
