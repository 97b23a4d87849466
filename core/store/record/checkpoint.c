/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint is stored as a table of kind TABLE_NONE whose pieces are its parts. They are written in
 * bounded transactions, under a number that nothing reads. One commit then makes them replace the previous
 * checkpoint. An unfinished checkpoint is garbage. Such tables are neither listed nor evicted.
 */
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

struct checkpoint_writer {
    struct table_writer *table;
    struct table_record about;
    uint64_t parts;
};

struct checkpoint_reader {
    struct table_view *view;
};

static void checkpoint_name(uint64_t job, char name[STORE_NAME_MAX])
{
    (void)snprintf(name, STORE_NAME_MAX, "checkpoint:%" PRIu64, job);
}

enum pz_status checkpoint_begin(struct store *store, uint64_t job, uint32_t version, uint64_t run,
                                struct checkpoint_writer **out, struct pz_error *error)
{
    assert(job > 0);
    struct checkpoint_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a checkpoint");
    writer->about =
        (struct table_record){.kind = TABLE_NONE, .job = job, .state_bytes = version, .states = run};
    checkpoint_name(job, writer->about.name);
    enum pz_status status = table_writer_new(store, &writer->about, &writer->table, error);
    if (status == PZ_OK)
        *out = writer;
    else
        free(writer);
    return status;
}

enum pz_status checkpoint_part(struct checkpoint_writer *writer, const void *bytes, size_t length,
                               struct pz_error *error)
{
    assert(writer->table != NULL && length > 0);
    if (length > CHECKPOINT_PART_MAX)
        return pz_fail(error, PZ_INTERNAL, "a checkpoint's part of %zu bytes, %d are the most", length,
                       CHECKPOINT_PART_MAX);
    return table_writer_chunk(writer->table, writer->parts++, bytes, length, error);
}

enum pz_status checkpoint_commit(struct checkpoint_writer *writer, struct pz_error *error)
{
    enum pz_status status = table_writer_finish(writer->table, &writer->about, error);
    free(writer);
    return status;
}

void checkpoint_abort(struct checkpoint_writer *writer)
{
    if (writer == NULL)
        return;
    table_writer_abort(writer->table);
    free(writer);
}

enum pz_status checkpoint_open(struct store *store, uint64_t job, struct checkpoint_reader **out,
                               struct checkpoint_info *info, struct pz_error *error)
{
    assert(job > 0);
    char name[STORE_NAME_MAX];
    struct checkpoint_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a checkpoint");
    checkpoint_name(job, name);
    enum pz_status status = table_view_open(store, name, &reader->view, error);
    if (status != PZ_OK) {
        free(reader);
        return status;
    }
    const struct table_record *record = table_view_record(reader->view);
    *info = (struct checkpoint_info){.version = record->state_bytes,
                                     .parts = table_view_pieces(reader->view),
                                     .bytes = record->bytes,
                                     .created_ms = record->created_ms,
                                     .run = record->states};
    *out = reader;
    return PZ_OK;
}

enum pz_status checkpoint_read(struct checkpoint_reader *reader, uint64_t part, const uint8_t **bytes,
                               size_t *length, struct pz_error *error)
{
    return table_view_chunk(reader->view, part, bytes, length, error);
}

void checkpoint_close(struct checkpoint_reader *reader)
{
    if (reader == NULL)
        return;
    table_view_close(reader->view);
    free(reader);
}

enum pz_status checkpoint_remove_async(struct store *store, uint64_t job, struct pz_error *error)
{
    char name[STORE_NAME_MAX];
    checkpoint_name(job, name);
    return table_remove_behind(store, name, error);
}
