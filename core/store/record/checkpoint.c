/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint is stored as a table of kind TABLE_NONE whose pieces are its parts. They are written in
 * bounded transactions, under a number that nothing reads. One commit then makes them replace the previous
 * checkpoint. An unfinished checkpoint is garbage. Such tables are neither listed nor evicted.
 */
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>

static void checkpoint_name(uint64_t job, char name[STORE_NAME_MAX])
{
    (void)snprintf(name, STORE_NAME_MAX, "checkpoint:%" PRIu64, job);
}

enum pz_status checkpoint_begin(struct store *store, uint64_t job, uint32_t version, uint64_t run,
                                struct table_writer **out, struct pz_error *error)
{
    assert(job > 0);
    struct table_record about = {.kind = TABLE_NONE, .job = job, .state_bytes = version, .states = run};
    checkpoint_name(job, about.name);
    return table_writer_new(store, &about, out, error);
}

enum pz_status checkpoint_part(struct table_writer *writer, const void *bytes, size_t length,
                               struct pz_error *error)
{
    assert(length > 0);
    if (length > CHECKPOINT_PART_MAX)
        return pz_fail(error, PZ_INTERNAL, "a checkpoint's part of %zu bytes, %d are the most", length,
                       CHECKPOINT_PART_MAX);
    return table_writer_chunk(writer, table_writer_row(writer)->pieces, bytes, length, error);
}

enum pz_status checkpoint_commit(struct table_writer *writer, struct pz_error *error)
{
    return table_writer_finish(writer, &table_writer_row(writer)->record, error);
}

enum pz_status checkpoint_open(struct store *store, uint64_t job, struct table_view **out,
                               struct checkpoint_info *info, struct pz_error *error)
{
    assert(job > 0);
    char name[STORE_NAME_MAX];
    checkpoint_name(job, name);
    enum pz_status status = table_view_open(store, name, out, error);
    if (status != PZ_OK)
        return status;
    const struct table_record *record = table_view_record(*out);
    *info = (struct checkpoint_info){.version = record->state_bytes,
                                     .parts = table_view_pieces(*out),
                                     .bytes = record->bytes,
                                     .created_ms = record->created_ms,
                                     .run = record->states};
    return PZ_OK;
}

enum pz_status checkpoint_remove_async(struct store *store, uint64_t job, struct pz_error *error)
{
    char name[STORE_NAME_MAX];
    checkpoint_name(job, name);
    return table_remove_behind(store, name, error);
}
