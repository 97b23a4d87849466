/* SPDX-License-Identifier: MIT */
#include "store/table/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

__attribute__((unused)) static bool batch_is_sound(const struct piece_batch *batch)
{
    return batch->used <= batch->most && batch->most <= batch->room &&
           (batch->bytes == NULL) == (batch->room == 0);
}

uint8_t *piece_batch_place(struct piece_batch *batch, const struct key *key, size_t length, size_t room)
{
    const size_t end = batch->used + piece_batch_entry(key, length);
    assert(!batch->in_flight && batch_is_sound(batch));
    if (batch->room < end) {
        uint8_t *grown = realloc(batch->bytes, end > room ? end : room);
        if (grown == NULL)
            return NULL;
        batch->bytes = grown;
        batch->room = end > room ? end : room;
    }
    uint8_t *at = batch->bytes + batch->used;
    batch->used = end;
    if (batch->used > batch->most)
        batch->most = batch->used;
    at[0] = key->length;
    memcpy(at + 1, key->bytes, key->length);
    bytes_put_u64(at + 1 + key->length, length);
    assert(batch_is_sound(batch));
    return batch->bytes + end - length;
}

/* ---- on the writer thread ---- */

static int put_piece(MDB_txn *txn, MDB_dbi pieces, MDB_val *key, MDB_val *value)
{
    /* A single writer appends. Of several, only the newest table's appends; the others insert. */
    int code = mdb_put(txn, pieces, key, value, MDB_APPEND);
    return code == MDB_KEYEXIST ? mdb_put(txn, pieces, key, value, 0) : code;
}

static int apply_batch(void *context, MDB_txn *txn, struct pz_error *error)
{
    (void)error;
    const struct piece_batch *batch = context;
    MDB_dbi pieces = batch->environment->databases[DATABASE_PIECES];
    uint8_t *at = batch->bytes;
    uint8_t *end = batch->bytes + batch->used;
    int code = 0;
    while (at < end && code == 0) {
        MDB_val key = {.mv_size = at[0], .mv_data = at + 1};
        at += 1 + key.mv_size;
        MDB_val value = {.mv_size = bytes_u64(at), .mv_data = at + 8};
        at += 8 + value.mv_size;
        code = put_piece(txn, pieces, &key, &value);
    }
    assert(at <= end && (code != 0 || at == end));
    return code;
}

/* ---- by the owner ---- */

enum pz_status piece_batch_submit(struct piece_batch *batch, struct writer *writer, struct pz_error *error)
{
    assert(!batch->in_flight && batch->used > 0);
    struct operation *operation = operation_applying(OPERATION_LARGE, apply_batch, batch, batch->used);
    awaited_begin(&batch->awaited);
    enum pz_status status = writer_submit(writer, operation, &batch->awaited.ack, error);
    if (status != PZ_OK)
        return awaited_end(&batch->awaited, status, NULL);
    batch->in_flight = true;
    return PZ_OK;
}

enum pz_status piece_batch_await(struct piece_batch *batch, struct pz_error *error)
{
    if (!batch->in_flight)
        return PZ_OK;
    enum pz_status status = awaited_end(&batch->awaited, PZ_OK, error);
    batch->in_flight = false;
    batch->used = 0;
    return status;
}
