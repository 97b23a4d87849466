/* SPDX-License-Identifier: MIT */
/*
 * Sealed pieces are gathered in a batch. A full batch goes to the writer thread while the next one is filled,
 * so a table has at most two batches in memory.
 */
#include "base/clock.h"
#include "store/lmdb/lmdb_page.h"
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 8, /* of a table of chunks, at least; so its buffers take less memory than the engine did */
    BATCH_BYTES_LEAST = 1 << 20,
    RUN_PAGES = 2, /* of a run's value, all of which a lookup reads and verifies */
    KEYS_ROOM = 2 * RUN_KEYS_MAX
};

struct table_writer {
    struct store *store;
    struct table_row row;
    struct piece_batch batches[2];
    size_t batch_bytes;    /* of a full one */
    unsigned filling;      /* which of the two */
    enum pz_status status; /* the first failure; nothing is written after it */
    struct pz_error error;
    uint64_t replaced; /* the older table of this name, 0 for none; set while finishing */
    uint64_t replaced_bytes;
    bool only_better; /* the new table replaces it only if it is better */
    bool stayed;      /* the older table stayed; set while finishing */
    /* For runs: the keys that are not written yet, ascending. */
    uint64_t *keys;
    uint32_t *distances;
    size_t waiting;
    uint64_t last[RUN_WORDS_MAX]; /* the last key taken */
    bool any_key;
    uint8_t after[8 * RUN_WORDS_MAX]; /* the last key written */
    uint8_t *payload;
    size_t payload_max;
};

/* Invariant between two calls of the owner: one batch is being filled, the other one may be on its way. */
__attribute__((unused)) static bool table_writer_is_sound(const struct table_writer *writer)
{
    if (writer->filling > 1)
        return false;
    const struct piece_batch *batch = &writer->batches[writer->filling];
    const bool runs = writer->row.record.kind == TABLE_RUNS;
    return !batch->in_flight &&
           (runs ? writer->keys != NULL && writer->waiting <= KEYS_ROOM : writer->waiting == 0) &&
           !writer->row.record.finished;
}

static unsigned writer_key_words(const struct table_writer *writer)
{
    return writer->row.record.state_bytes / 8;
}

static enum pz_status fail_writer(struct table_writer *writer, enum pz_status status,
                                  const struct pz_error *error)
{
    if (writer->status == PZ_OK) {
        writer->status = status;
        writer->error = *error;
    }
    return writer->status;
}

/* Returns the first failure again. */
static enum pz_status said(const struct table_writer *writer, struct pz_error *error)
{
    if (writer->status != PZ_OK && error != NULL)
        *error = writer->error;
    return writer->status;
}

/* ---- on the writer thread ---- */

static int apply_begin(void *context, MDB_txn *txn, struct pz_error *error)
{
    (void)error;
    const struct table_writer *writer = context;
    return table_row_put(&writer->store->environment, txn, &writer->row);
}

/* Returns true if the older table says as much as the new one. A table of chunks with more bytes than
 * another of its name also has the parts. */
static bool tells_as_much(const struct table_record *older, const struct table_record *fresh)
{
    return older->table_bytes >= fresh->table_bytes &&
           (older->complete || (!fresh->complete && older->depth >= fresh->depth));
}

static int apply_finish(void *context, MDB_txn *txn, struct pz_error *error)
{
    struct table_writer *writer = context;
    const struct environment *environment = &writer->store->environment;
    const char *name = writer->row.record.name;
    assert(writer->row.record.finished);
    struct table_row older;
    writer->replaced = 0;
    writer->stayed = false;
    int code = table_name_get(environment, txn, name, &writer->replaced, error);
    if (code == 0) {
        code = table_row_get(environment, txn, writer->replaced, &older, error);
        writer->stayed =
            code == 0 && writer->only_better && tells_as_much(&older.record, &writer->row.record);
        if (writer->stayed)
            return 0;
        if (code == 0) {
            writer->row.record.pinned = older.record.pinned;
            writer->replaced_bytes = older.record.bytes;
        }
        if (code == 0)
            code = table_make_tombstone(environment, txn, &older, error);
    }
    /* A damaged older table is replaced: its name gets the new number. */
    if (code == APPLY_REFUSED || code == MDB_NOTFOUND)
        code = 0;
    if (code == 0)
        code = table_row_put(environment, txn, &writer->row);
    return code == 0 ? table_name_put(environment, txn, name, writer->row.record.id) : code;
}

/* ---- batches, by the owner ---- */

static enum pz_status await_batch(struct table_writer *writer, struct piece_batch *batch)
{
    struct pz_error error = {0};
    enum pz_status status = piece_batch_await(batch, &error);
    return status == PZ_OK ? writer->status : fail_writer(writer, status, &error);
}

static enum pz_status submit_batch(struct table_writer *writer)
{
    struct piece_batch *batch = &writer->batches[writer->filling];
    if (batch->used == 0 || writer->status != PZ_OK)
        return writer->status;
    struct pz_error error = {0};
    enum pz_status status = piece_batch_submit(batch, writer->store->writer, &error);
    if (status != PZ_OK)
        return fail_writer(writer, status, &error);
    writer->filling ^= 1u;
    return await_batch(writer, &writer->batches[writer->filling]);
}

/* Returns the place for a value of length bytes under the key, in the batch being filled; NULL on failure. */
static uint8_t *place_in_batch(struct table_writer *writer, const struct key *key, size_t length)
{
    const size_t used = writer->batches[writer->filling].used;
    if (used > 0 && used + piece_batch_entry(key, length) > writer->batch_bytes &&
        submit_batch(writer) != PZ_OK)
        return NULL;
    struct piece_batch *batch = &writer->batches[writer->filling];
    uint8_t *place = piece_batch_place(batch, key, length, writer->batch_bytes);
    if (place == NULL) {
        struct pz_error error;
        (void)fail_writer(writer, pz_fail(&error, PZ_MEMORY, "no memory for %zu bytes of a table", length),
                          &error);
    }
    return place;
}

static enum pz_status writer_add_piece(struct table_writer *writer, const struct key *key,
                                       const void *payload, size_t length)
{
    uint8_t *value = place_in_batch(writer, key, SEAL_BYTES + length);
    if (value == NULL)
        return writer->status;
    memcpy(value + SEAL_BYTES, payload, length);
    seal_write(value, length, DATABASE_PIECES, key);
    uint64_t page = writer->store->environment.page_bytes;
    writer->row.record.bytes += overflow_pages(SEAL_BYTES + length, page) * page;
    writer->row.pieces++;
    return PZ_OK;
}

/* ---- the contract ---- */

const struct table_row *table_writer_row(const struct table_writer *writer)
{
    return &writer->row;
}

uint64_t table_writer_memory(const struct table_writer *writer)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct piece_batch *batch = &writer->batches[i];
        bytes += batch->most + (batch->in_flight ? batch->used : 0);
    }
    return bytes;
}

static void writer_release(struct table_writer *writer)
{
    for (unsigned i = 0; i < 2; i++) {
        (void)await_batch(writer, &writer->batches[i]);
        free(writer->batches[i].bytes);
    }
    free(writer->keys);
    free(writer->distances);
    free(writer->payload);
    free(writer);
}

static bool allocate_runs(struct table_writer *writer)
{
    size_t page = writer->store->environment.page_bytes;
    size_t pages = page >= 8192 ? 1 : RUN_PAGES;
    writer->payload_max = pages * page - PAGE_HEAD - SEAL_BYTES;
    writer->payload = malloc(writer->payload_max + 64 * RUN_WORDS_MAX);
    writer->keys = malloc(sizeof *writer->keys * KEYS_ROOM * writer_key_words(writer));
    writer->distances = malloc(sizeof *writer->distances * KEYS_ROOM);
    return writer->payload != NULL && writer->keys != NULL && writer->distances != NULL;
}

static enum pz_status writer_begin(struct table_writer *writer, struct pz_error *error)
{
    const struct table_record *record = &writer->row.record;
    const bool words_good = record->state_bytes % 8 == 0 && run_words_known(writer_key_words(writer));
    if (record->kind == TABLE_RUNS && !words_good)
        return pz_fail(error, PZ_INTERNAL, "a table of runs with states of %u bytes", record->state_bytes);
    if (record->kind == TABLE_RUNS && !allocate_runs(writer))
        return pz_fail(error, PZ_MEMORY, "no memory to write a table");
    struct operation *operation = operation_applying(OPERATION_SMALL, apply_begin, writer, ROW_BYTES);
    return writer_submit_and_wait(writer->store->writer, operation, error);
}

enum pz_status table_writer_new(struct store *store, const struct table_record *about,
                                struct table_writer **out, struct pz_error *error)
{
    struct table_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to write a table");
    writer->store = store;
    writer->batches[0].environment = &store->environment;
    writer->batches[1].environment = &store->environment;
    writer->row.record = *about;
    struct table_record *record = &writer->row.record;
    record->id = atomic_fetch_add_explicit(&store->next_table, 1, memory_order_relaxed);
    const uint64_t part = about->table_bytes / BATCHES;
    writer->batch_bytes = part == 0 || part > TABLE_BATCH_BYTES ? TABLE_BATCH_BYTES
                          : part < BATCH_BYTES_LEAST            ? BATCH_BYTES_LEAST
                                                                : (size_t)part;
    record->finished = false;
    record->bytes = 0;
    record->created_ms = clock_wall_ms();
    record->used_ms = record->created_ms;
    enum pz_status status = writer_begin(writer, error);
    if (status != PZ_OK)
        writer_release(writer);
    else
        *out = writer;
    return status;
}

/* Writes the first waiting keys as one run. With `end` it writes the last run, which has no keys and stands
 * at the end of the key space. */
static void writer_put_run(struct table_writer *writer, bool end)
{
    unsigned words = writer_key_words(writer);
    struct explore_run run = {.keys = writer->keys,
                              .distances = writer->distances,
                              .count = end ? 0 : writer->waiting,
                              .key_words = words};
    size_t taken;
    assert(end == (writer->waiting == 0));
    size_t length = run_encode(&run, writer->after, writer->payload_max, writer->payload, &taken);
    assert(taken <= writer->waiting && (end || taken > 0));
    if (end)
        memset(writer->after, 0xFF, 8u * words);
    else
        run_key_bytes(writer->keys + (taken - 1) * words, words, writer->after);
    struct key key = key_of_u64(writer->row.record.id);
    key_add_bytes(&key, writer->after, 8u * words);
    (void)writer_add_piece(writer, &key, writer->payload, length); /* it notes a failure */
    writer->waiting -= taken;
    memmove(writer->keys, writer->keys + taken * words, writer->waiting * words * sizeof *writer->keys);
    memmove(writer->distances, writer->distances + taken, writer->waiting * sizeof *writer->distances);
}

/* Returns true if the keys of a run ascend, the first one from the run before. */
static bool keys_ascend(const struct table_writer *writer, const struct explore_run *run)
{
    const unsigned words = run->key_words;
    const uint64_t *before = writer->any_key ? writer->last : NULL;
    for (size_t i = 0; i < run->count; i++) {
        const uint64_t *key = run->keys + i * words;
        unsigned word = 0;
        while (before != NULL && word + 1 < words && key[word] == before[word])
            word++;
        if (before != NULL && key[word] <= before[word])
            return false;
        before = key;
    }
    return true;
}

enum pz_status table_writer_run(struct table_writer *writer, const struct explore_run *run,
                                struct pz_error *error)
{
    unsigned words = writer_key_words(writer);
    assert(table_writer_is_sound(writer));
    if (writer->row.record.kind != TABLE_RUNS || run->key_words != words)
        return pz_fail(error, PZ_INTERNAL, "a run of %u words for a table of %u", run->key_words, words);
    if (run->count == 0)
        return said(writer, error);
    if (!keys_ascend(writer, run)) {
        struct pz_error disorder;
        (void)pz_fail(&disorder, PZ_STORAGE,
                      "the states of table %.300s are not in ascending order, each once",
                      writer->row.record.name);
        (void)fail_writer(writer, PZ_STORAGE, &disorder);
        return said(writer, error);
    }
    memcpy(writer->last, run->keys + (run->count - 1) * words, words * sizeof *writer->last);
    writer->any_key = true;
    for (size_t done = 0; done < run->count && writer->status == PZ_OK;) {
        size_t more =
            run->count - done < KEYS_ROOM - writer->waiting ? run->count - done : KEYS_ROOM - writer->waiting;
        memcpy(writer->keys + writer->waiting * words, run->keys + done * words,
               more * words * sizeof *writer->keys);
        memcpy(writer->distances + writer->waiting, run->distances + done, more * sizeof *writer->distances);
        writer->waiting += more;
        done += more;
        while (writer->waiting >= RUN_KEYS_MAX && writer->status == PZ_OK)
            writer_put_run(writer, false);
    }
    return said(writer, error);
}

enum pz_status table_writer_chunk(struct table_writer *writer, uint64_t number, const void *bytes,
                                  size_t length, struct pz_error *error)
{
    assert(table_writer_is_sound(writer) && (bytes != NULL || length == 0));
    if (writer->row.record.kind == TABLE_RUNS || number != writer->row.pieces)
        return pz_fail(error, PZ_INTERNAL, "chunk %" PRIu64 " where chunk %" PRIu64 " was due", number,
                       writer->row.pieces);
    struct key key = key_of_u64(writer->row.record.id);
    key_add_u64(&key, number);
    if (writer->status == PZ_OK)
        (void)writer_add_piece(writer, &key, bytes, length);
    return said(writer, error);
}

static bool ends_at_the_end(const struct table_writer *writer)
{
    for (unsigned i = 0; i < 8 * writer_key_words(writer); i++)
        if (writer->after[i] != 0xFF)
            return false;
    return writer->row.pieces > 0;
}

static enum pz_status write_rest(struct table_writer *writer)
{
    if (writer->row.record.kind == TABLE_RUNS) {
        while (writer->waiting > 0 && writer->status == PZ_OK)
            writer_put_run(writer, false);
        if (!ends_at_the_end(writer) && writer->status == PZ_OK)
            writer_put_run(writer, true);
    }
    (void)submit_batch(writer);
    for (unsigned i = 0; i < 2; i++)
        (void)await_batch(writer, &writer->batches[i]);
    assert(writer->status != PZ_OK || (writer->waiting == 0 && writer->batches[0].used == 0 &&
                                       writer->batches[1].used == 0)); /* all is written */
    return writer->status;
}

static enum pz_status check_whole(const struct table_writer *writer, struct pz_error *error)
{
    const struct table_record *record = &writer->row.record;
    if (record->kind == TABLE_RUNS || record->chunk_bytes == 0)
        return PZ_OK;
    uint64_t due = (record->table_bytes + record->chunk_bytes - 1) / record->chunk_bytes;
    if (writer->row.pieces == due)
        return PZ_OK;
    return pz_fail(error, PZ_INTERNAL, "%" PRIu64 " chunks were written, the table has %" PRIu64,
                   writer->row.pieces, due);
}

static enum pz_status make_visible(struct table_writer *writer, struct pz_error *error)
{
    struct store *store = writer->store;
    struct operation *operation = operation_applying(OPERATION_SMALL, apply_finish, writer, ROW_BYTES);
    enum pz_status status = writer_submit_and_wait(store->writer, operation, error);
    if (status == PZ_OK && writer->replaced != 0 && !writer->stayed) {
        checks_forget(store, writer->replaced);
        writer_collect(store->writer, writer->replaced, writer->replaced_bytes);
    }
    return status;
}

enum pz_status table_writer_finish(struct table_writer *writer, const struct table_record *about,
                                   struct pz_error *error)
{
    assert(table_writer_is_sound(writer));
    if (write_rest(writer) != PZ_OK) {
        enum pz_status status = said(writer, error);
        table_writer_abort(writer);
        return status;
    }
    struct table_record *record = &writer->row.record;
    record->depth = about->depth;
    record->complete = about->complete;
    record->states = about->states;
    enum pz_status status = check_whole(writer, error);
    if (status == PZ_OK) {
        record->finished = true;
        status = make_visible(writer, error);
    }
    if (status != PZ_OK || writer->stayed)
        table_writer_abort(writer);
    else
        writer_release(writer);
    return status;
}

enum pz_status table_writer_finish_if_better(struct table_writer *writer, const struct table_record *about,
                                             struct pz_error *error)
{
    writer->only_better = true;
    return table_writer_finish(writer, about, error);
}

void table_writer_abort(struct table_writer *writer)
{
    if (writer == NULL)
        return;
    for (unsigned i = 0; i < 2; i++)
        (void)await_batch(writer, &writer->batches[i]);
    writer_collect(writer->store->writer, writer->row.record.id, writer->row.record.bytes);
    writer_release(writer);
}
