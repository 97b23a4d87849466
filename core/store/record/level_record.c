/* SPDX-License-Identifier: MIT */
/*
 * The levels of an exploration: how many states each has, with some of them as examples. docs/storage.md
 * describes the values.
 */
#include "store/engine/store_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- how many states ---- */

static enum pz_status level_read(struct store *store, uint64_t job, uint32_t level, uint64_t *states,
                                 struct pz_error *error)
{
    struct key key = key_of_u64_u32(job, level);
    struct value value;
    enum pz_status status = lookup(store, DATABASE_LEVELS, &key, &value, error);
    if (status != PZ_OK)
        return status;
    struct decoder decoder = decoder_of(value.bytes, value.length);
    *states = decode_u64(&decoder);
    const bool good = decoder_ended(&decoder) && level <= EXPLORE_COST_MAX; /* after any other comes one */
    value_free(&value);
    return good ? PZ_OK
                : pz_fail(error, PZ_STORAGE, "level %" PRIu32 " of job %" PRIu64 " is malformed", level, job);
}

/* Replaces *level by the job's first level that is not below it. PZ_NO_TABLE if there is none. */
static enum pz_status find_level_from(struct store *store, uint64_t job, uint32_t *level,
                                      struct pz_error *error)
{
    const struct key prefix = key_of_u64(job);
    struct key key = key_of_u64_u32(job, *level);
    const size_t length = key.length;
    enum pz_status status = lookup_from(store, DATABASE_LEVELS, &key, error);
    if (status != PZ_OK)
        return status;
    if (key.length != length || memcmp(key.bytes, prefix.bytes, prefix.length) != 0)
        return PZ_NO_TABLE;
    *level = bytes_u32(key.bytes + prefix.length);
    return PZ_OK;
}

/* Erases the levels after a given one: an earlier run of the job, which was cut off, has stored them, and
 * this run may end before them. With the level's own write, so that a crash leaves no gap between levels. */
static void erase_levels_behind(struct store *store, uint64_t job, uint32_t level,
                                struct operation *operation)
{
    while (level++ < UINT32_MAX && find_level_from(store, job, &level, NULL) == PZ_OK) {
        struct key key = key_of_u64_u32(job, level);
        operation_erase(operation, DATABASE_LEVELS, &key);
    }
}

enum pz_status store_level_put(struct store *store, uint64_t job, uint32_t level, uint64_t states,
                               struct pz_error *error)
{
    assert(job > 0);
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, states);
    struct key key = key_of_u64_u32(job, level);
    struct operation *operation = operation_new(OPERATION_SMALL);
    operation_put(operation, DATABASE_LEVELS, &key, &encoder);
    erase_levels_behind(store, job, level, operation);
    return writer_submit(store->writer, operation, NULL, error);
}

bool store_levels_wait(struct store *store, uint64_t job)
{
    const struct key prefix = key_of_u64(job);
    struct key key = prefix;
    bool erased;
    return writer_pending_from(store->writer, DATABASE_LEVELS, &key, &erased) &&
           memcmp(key.bytes, prefix.bytes, prefix.length) == 0;
}

enum pz_status store_last_failure(struct store *store, struct pz_error *error)
{
    return writer_last_failure(store->writer, error);
}

static struct store_level *grow_levels(struct store_level *levels, uint32_t count, uint32_t *room)
{
    if (count < *room)
        return levels;
    *room = *room * 2 + 64;
    struct store_level *grown = realloc(levels, *room * sizeof *grown);
    if (grown == NULL)
        free(levels);
    return grown;
}

enum pz_status store_levels(struct store *store, uint64_t job, struct store_level **levels, uint32_t *count,
                            struct pz_error *error)
{
    struct store_level *all = NULL;
    uint32_t room = 0;
    enum pz_status status = PZ_OK;
    *count = 0;
    for (uint32_t level = 0; status == PZ_OK; level++) {
        status = find_level_from(store, job, &level, error);
        if (status != PZ_OK)
            break;
        all = grow_levels(all, *count, &room);
        if (all == NULL) {
            status = pz_fail(error, PZ_MEMORY, "no memory for the levels of job %" PRIu64, job);
            break;
        }
        all[*count].level = level;
        status = level_read(store, job, level, &all[(*count)++].states, error);
    }
    const bool good = status == PZ_NO_TABLE;
    if (levels != NULL)
        *levels = good ? all : NULL;
    if (levels == NULL || !good)
        free(all);
    return good ? PZ_OK : status;
}

/* ---- examples ---- */

enum pz_status store_examples_put(struct store *store, uint64_t job, uint32_t level, const void *states,
                                  unsigned count, unsigned state_bytes, struct pz_error *error)
{
    struct encoder encoder;
    assert(state_bytes > 0 && state_bytes <= PZ_STATE_MAX && (states != NULL || count == 0));
    encoder_begin(&encoder);
    encode_u32(&encoder, state_bytes);
    encode_u32(&encoder, count);
    encode_bytes(&encoder, states, (size_t)count * state_bytes);
    struct key key = key_of_u64_u32(job, level);
    struct operation *operation = operation_new(OPERATION_SMALL);
    operation_put(operation, DATABASE_EXAMPLES, &key, &encoder);
    return writer_submit(store->writer, operation, NULL, error);
}

static enum pz_status copy_examples(const struct value *value, struct store_examples *out,
                                    struct pz_error *error)
{
    struct decoder decoder = decoder_of(value->bytes, value->length);
    const unsigned state_bytes = decode_u32(&decoder);
    const unsigned count = decode_u32(&decoder);
    const size_t length = (size_t)count * state_bytes;
    const uint8_t *bytes = decode_bytes(&decoder, length);
    if (!decoder_ended(&decoder))
        return pz_fail(error, PZ_STORAGE, "the examples are malformed");
    void *states = malloc(length + 1);
    if (states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %zu bytes of examples", length);
    memcpy(states, bytes, length);
    *out = (struct store_examples){.states = states, .count = count, .state_bytes = state_bytes};
    return PZ_OK;
}

enum pz_status store_examples(struct store *store, uint64_t job, uint32_t level, struct store_examples *out,
                              struct pz_error *error)
{
    assert(job > 0);
    struct key key = key_of_u64_u32(job, level);
    struct value value;
    *out = (struct store_examples){0};
    enum pz_status status = lookup(store, DATABASE_EXAMPLES, &key, &value, error);
    if (status == PZ_NO_TABLE)
        return PZ_OK;
    if (status != PZ_OK)
        return status;
    status = copy_examples(&value, out, error);
    value_free(&value);
    return status;
}

/* ---- the end of a job ---- */

static int remove_of_job(MDB_txn *txn, MDB_dbi database, uint64_t job)
{
    const struct key prefix = key_of_u64(job);
    MDB_cursor *cursor;
    int code = mdb_cursor_open(txn, database, &cursor);
    if (code != 0)
        return code;
    while (code == 0) {
        MDB_val key = {.mv_size = prefix.length, .mv_data = (void *)prefix.bytes};
        MDB_val value;
        code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
        if (code == 0 && (key.mv_size < 8 || bytes_u64(key.mv_data) != job))
            code = MDB_NOTFOUND;
        if (code == 0)
            code = mdb_cursor_del(cursor, 0);
    }
    mdb_cursor_close(cursor);
    return code == MDB_NOTFOUND ? 0 : code;
}

int job_remove_found(const struct environment *environment, MDB_txn *txn, uint64_t job)
{
    int code = remove_of_job(txn, environment->databases[DATABASE_LEVELS], job);
    return code == 0 ? remove_of_job(txn, environment->databases[DATABASE_EXAMPLES], job) : code;
}
