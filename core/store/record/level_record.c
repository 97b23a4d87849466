/* SPDX-License-Identifier: MIT */
/*
 * The levels of an exploration: how many states each has, with some of them as examples. docs/storage.md
 * describes the values.
 */
#include "store/engine/lookup.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_VERSION = 1, EXAMPLES_VERSION = 1 };

/* ---- how many states ---- */

static enum pz_status read_level(struct store *store, uint64_t job, uint32_t level, uint64_t *states,
                                 struct pz_error *error)
{
    struct key key = key_of_u64_u32(job, level);
    struct value value;
    enum pz_status status = lookup(store, DATABASE_LEVELS, &key, &value, error);
    if (status != PZ_OK)
        return status;
    struct decoder decoder = decoder_of(value.bytes, value.length);
    *states = decode_u64(&decoder);
    bool good = decoder_ended(&decoder) && decoder.version == LEVEL_VERSION;
    value_free(&value);
    return good ? PZ_OK
                : pz_fail(error, PZ_STORAGE, "level %" PRIu32 " of job %" PRIu64 " is malformed", level, job);
}

/* Removes the levels after a given one: an earlier run of the job, which was cut off, has stored them, and
 * this run may end before them. */
static enum pz_status remove_levels_behind(struct store *store, uint64_t job, uint32_t level,
                                           struct pz_error *error)
{
    uint64_t states;
    enum pz_status status = PZ_OK;
    while (status == PZ_OK && read_level(store, job, ++level, &states, NULL) == PZ_OK) {
        struct key key = key_of_u64_u32(job, level);
        struct operation *operation = operation_new(OPERATION_SMALL);
        operation_erase(operation, DATABASE_LEVELS, &key);
        status = writer_submit(store->writer, operation, NULL, error);
    }
    return status;
}

enum pz_status store_level_put(struct store *store, uint64_t job, uint32_t level, uint64_t states,
                               struct pz_error *error)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, states);
    struct key key = key_of_u64_u32(job, level);
    struct operation *operation = operation_new(OPERATION_SMALL);
    operation_put(operation, DATABASE_LEVELS, &key, &encoder, LEVEL_VERSION);
    enum pz_status status = writer_submit(store->writer, operation, NULL, error);
    return status == PZ_OK ? remove_levels_behind(store, job, level, error) : status;
}

enum pz_status store_levels(struct store *store, uint64_t job, uint64_t **states, uint32_t *count,
                            struct pz_error *error)
{
    uint64_t *counts = NULL;
    uint32_t room = 0;
    uint32_t level = 0;
    enum pz_status status = PZ_OK;
    for (;; level++) {
        if (level == room) {
            room = room * 2 + 64;
            uint64_t *grown = realloc(counts, room * sizeof *grown);
            if (grown == NULL) {
                status = pz_fail(error, PZ_MEMORY, "no memory for the levels of job %" PRIu64, job);
                break;
            }
            counts = grown;
        }
        status = read_level(store, job, level, &counts[level], error);
        if (status != PZ_OK)
            break;
    }
    *count = level;
    bool good = status == PZ_NO_TABLE;
    if (states != NULL)
        *states = good ? counts : NULL;
    if (states == NULL || !good)
        free(counts);
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
    operation_put(operation, DATABASE_EXAMPLES, &key, &encoder, EXAMPLES_VERSION);
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
    if (!decoder_ended(&decoder) || decoder.version != EXAMPLES_VERSION)
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
