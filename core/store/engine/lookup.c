/* SPDX-License-Identifier: MIT */
#include "store/engine/store_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void value_free(struct value *value)
{
    free(value->bytes);
    *value = (struct value){0};
}

enum pz_status value_damaged(struct pz_error *error, enum database database, const struct key *key)
{
    char text[2 * KEY_MAX + 32];
    int used = 0;
    if (database == DATABASE_META) {
        for (unsigned i = 0; i < key->length; i++) {
            const bool plain = key->bytes[i] > ' ' && key->bytes[i] < 0x7f;
            used += snprintf(text + used, sizeof text - (size_t)used, "%c", plain ? key->bytes[i] : '?');
        }
    } else if (key->length >= 8 && database != DATABASE_QUESTIONS && database != DATABASE_NAMES) {
        used = snprintf(text, sizeof text, "%" PRIu64, bytes_u64(key->bytes));
        if (key->length == 12)
            used += snprintf(text + used, sizeof text - (size_t)used, "/%" PRIu32, bytes_u32(key->bytes + 8));
        if (key->length == 16)
            used += snprintf(text + used, sizeof text - (size_t)used, "/%" PRIu64, bytes_u64(key->bytes + 8));
    } else {
        for (unsigned i = 0; i < key->length; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%02x", key->bytes[i]);
    }
    assert(used >= 0 && (size_t)used < sizeof text);
    return pz_fail(error, PZ_STORAGE, "the stored value %s/%s is damaged: its checksum is wrong",
                   database_name(database), used == 0 ? "?" : text);
}

enum pz_status lookup_in(const struct environment *environment, MDB_txn *txn, enum database database,
                         const struct key *key, MDB_val *out, struct pz_error *error)
{
    int code = database_get(environment, txn, database, key, out);
    if (code == MDB_NOTFOUND)
        return PZ_NO_TABLE;
    if (code != 0)
        return store_fault(error, code, "reading the database");
    if (!seal_good(out->mv_data, out->mv_size, database, key))
        return value_damaged(error, database, key);
    return PZ_OK;
}

static enum pz_status copy_value(const MDB_val *found, struct value *out, struct pz_error *error)
{
    out->bytes = malloc(found->mv_size);
    if (out->bytes == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to read the database");
    memcpy(out->bytes, found->mv_data, found->mv_size);
    out->length = found->mv_size;
    return PZ_OK;
}

enum pz_status lookup(struct store *store, enum database database, const struct key *key, struct value *out,
                      struct pz_error *error)
{
    bool erased;
    *out = (struct value){0};
    if (writer_pending(store->writer, database, key, &erased, &out->bytes, &out->length)) {
        if (erased)
            return PZ_NO_TABLE;
        return out->bytes != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory to read the database");
    }
    MDB_txn *txn;
    enum pz_status status = environment_read(&store->environment, &txn, error);
    if (status != PZ_OK)
        return status;
    MDB_val found;
    status = lookup_in(&store->environment, txn, database, key, &found, error);
    if (status == PZ_OK)
        status = copy_value(&found, out, error);
    environment_read_end(&store->environment, txn);
    return status;
}

static enum pz_status committed_from(struct store *store, enum database database, struct key *key,
                                     struct pz_error *error)
{
    MDB_txn *txn;
    enum pz_status status = environment_read(&store->environment, &txn, error);
    if (status != PZ_OK)
        return status;
    const int code = database_from(&store->environment, txn, database, key);
    environment_read_end(&store->environment, txn);
    if (code == MDB_NOTFOUND)
        return PZ_NO_TABLE;
    return code == 0 ? PZ_OK : store_fault(error, code, "reading the database");
}

enum pz_status lookup_from(struct store *store, enum database database, struct key *key,
                           struct pz_error *error)
{
    for (;;) {
        struct key waiting = *key, committed = *key;
        bool erased = false;
        /* Pending changes are read first: a change that is committed in between is then found in LMDB. */
        bool waits = writer_pending_from(store->writer, database, &waiting, &erased);
        enum pz_status status = committed_from(store, database, &committed, error);
        if (status != PZ_OK && status != PZ_NO_TABLE)
            return status;
        if (waits && (status == PZ_NO_TABLE || key_compare(&waiting, &committed) <= 0)) {
            *key = waiting;
            if (!erased)
                return PZ_OK;
            key_step(key);
            continue;
        }
        *key = committed;
        return status;
    }
}
