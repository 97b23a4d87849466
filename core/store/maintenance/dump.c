/* SPDX-License-Identifier: MIT */
#include "store/maintenance/dump.h"

#include "store/engine/store_internal.h"
#include "store/maintenance/dump_record.h"
#include "store/record/definition_record.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct dump {
    struct store *store;
    const uint64_t *jobs; /* all that are dumped */
    size_t count;
    struct dump_file file;
    struct dump_counts *counts;
    const struct job_record *job; /* that is being written */
    struct table_record table;    /* of that job */
    bool has_table;
    const char *puzzle;    /* of that job */
    enum pz_status status; /* the first failure while a table's runs are visited */
    struct pz_error *error;
};

static enum pz_status put_examples(struct dump *dump, uint64_t job, uint32_t level)
{
    struct store_examples examples;
    enum pz_status status = store_examples(dump->store, job, level, &examples, dump->error);
    if (status == PZ_OK && examples.count > 0)
        status = dump_put_examples(&dump->file, level, examples.states, examples.count, examples.state_bytes,
                                   dump->error);
    free(examples.states);
    return status;
}

static enum pz_status put_levels(struct dump *dump, uint64_t job)
{
    struct store_level *levels;
    uint32_t count;
    enum pz_status status = store_levels(dump->store, job, &levels, &count, dump->error);
    if (status == PZ_OK)
        status = dump_put_levels(&dump->file, levels, count, dump->error);
    for (uint32_t i = 0; i < count && status == PZ_OK; i++)
        status = put_examples(dump, job, levels[i].level);
    free(levels);
    return status;
}

/* ---- tables ---- */

static bool put_run(void *context, const struct explore_run *run)
{
    struct dump *dump = context;
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u32(&encoder, run->key_words);
    encode_u32(&encoder, (uint32_t)run->count);
    encode_words(&encoder, run->keys, run->count * run->key_words);
    for (size_t i = 0; i < run->count; i++)
        encode_u32(&encoder, run->distances[i]);
    dump->status = dump_record_put(&dump->file, DUMP_RUN, &encoder, dump->error);
    return dump->status == PZ_OK;
}

static enum pz_status put_runs(struct dump *dump, struct table_view *view)
{
    dump->status = PZ_OK;
    enum pz_status status = table_view_runs(view, put_run, dump, dump->error);
    return dump->status != PZ_OK ? dump->status : status;
}

static enum pz_status dump_chunk(void *context, const struct table_chunk *chunk, struct pz_error *error)
{
    struct dump *dump = context;
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, chunk->number);
    encode_bytes(&encoder, chunk->bytes, chunk->length);
    return dump_record_put(&dump->file, DUMP_CHUNK, &encoder, error);
}

static enum pz_status put_table(struct dump *dump, struct table_view *view)
{
    const struct table_record *table = table_view_record(view);
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_text(&encoder, table->name);
    encode_u8(&encoder, (uint8_t)table->kind);
    encode_u8(&encoder, table->complete ? 1 : 0);
    encode_u32(&encoder, table->state_bytes);
    encode_u32(&encoder, table->depth);
    encode_u64(&encoder, table->states);
    encode_u64(&encoder, table->table_bytes);
    encode_u32(&encoder, table->chunk_bytes);
    enum pz_status status = dump_record_put(&dump->file, DUMP_TABLE, &encoder, dump->error);
    if (status != PZ_OK)
        return status;
    dump->counts->tables++;
    return table->kind == TABLE_RUNS
               ? put_runs(dump, view)
               : table_view_chunks(view, table->table_bytes, dump_chunk, dump, dump->error);
}

/* Returns true if the dump has the job with that number. */
static bool has_job(const struct dump *dump, uint64_t number)
{
    for (size_t i = 0; i < dump->count; i++)
        if (dump->jobs[i] == number)
            return true;
    return false;
}

/* Finds the table that a job made, or found and keeps. A found table is left out if the job that made it is
 * dumped too, because it comes with that job. Pattern databases are left out: they are built again where
 * they are needed. */
static bool dump_find_table(void *context, const struct table_record *table)
{
    struct dump *dump = context;
    const struct job_record *job = dump->job;
    const bool own = table->job == job->id;
    const bool shared = job->table != NULL && job->facts.table_levels == (uint64_t)table->depth + 1 &&
                        strcmp(job->table, table->name) == 0 && !has_job(dump, table->job);
    if (table->kind == TABLE_PATTERN || !(own || shared))
        return true;
    dump->table = *table;
    dump->has_table = true;
    return false;
}

static enum pz_status put_table_of(struct dump *dump, const struct job_record *job)
{
    struct table_view *view;
    unsigned damaged = 0;
    dump->job = job;
    dump->has_table = false;
    enum pz_status status = store_tables(dump->store, dump_find_table, dump, &damaged, dump->error);
    if (status == PZ_OK && !dump->has_table && damaged > 0 && job->facts.table_levels > 0)
        status = pz_fail(dump->error, PZ_STORAGE,
                         "job %" PRIu64 ": the record of its table may be a damaged one (FSCK names those)",
                         job->id);
    if (status != PZ_OK || !dump->has_table)
        return status;
    status = table_view_open(dump->store, dump->table.name, &view, dump->error);
    if (status == PZ_OK)
        status = put_table(dump, view);
    table_view_close(view);
    return status;
}

/* ---- jobs ---- */

/* Finds the definition whose id a job's puzzle names. */
static bool put_definition(void *context, const struct definition_record *record)
{
    struct dump *dump = context;
    char puzzle[64];
    const int length = snprintf(puzzle, sizeof puzzle, "%s:%s", record->format, record->id);
    if (length >= (int)sizeof puzzle || strncmp(dump->puzzle, puzzle, (size_t)length) != 0)
        return true;
    struct encoder encoder;
    encoder_begin(&encoder);
    definition_record_encode(&encoder, record);
    dump->status = dump_record_put(&dump->file, DUMP_DEFINITION, &encoder, dump->error);
    return false;
}

static enum pz_status put_definition_of(struct dump *dump, const struct job_record *job)
{
    dump->puzzle = job->puzzle != NULL ? job->puzzle : "";
    dump->status = PZ_OK;
    enum pz_status status = store_definitions(dump->store, put_definition, dump, dump->error);
    return dump->status != PZ_OK ? dump->status : status;
}

static enum pz_status dump_whole_job(struct dump *dump, const struct job_record *job)
{
    enum pz_status status = put_definition_of(dump, job);
    if (status == PZ_OK)
        status = dump_put_job(&dump->file, job, dump->error);
    if (status == PZ_OK)
        status = put_levels(dump, job->id);
    if (status == PZ_OK)
        status = put_table_of(dump, job);
    return status;
}

static enum pz_status put_job_of_number(struct dump *dump, uint64_t number)
{
    struct job_record job;
    enum pz_status status = store_job_get(dump->store, number, &job, dump->error);
    if (status != PZ_OK)
        return status;
    if (job_state_ended(job.state))
        status = dump_whole_job(dump, &job);
    else
        status = pz_fail(dump->error, PZ_NOT_FINISHED, "job %" PRIu64 " has not ended", number);
    job_record_clear(&job);
    dump->counts->jobs++;
    return status;
}

enum pz_status store_dump(struct store *store, const uint64_t *jobs, size_t count, FILE *file,
                          struct dump_counts *counts, struct pz_error *error)
{
    assert(jobs != NULL || count == 0);
    struct dump dump = {.store = store, .jobs = jobs, .count = count, .counts = counts, .error = error};
    *counts = (struct dump_counts){0};
    enum pz_status status = dump_begin(&dump.file, file, error);
    for (size_t i = 0; i < count && status == PZ_OK; i++)
        status = put_job_of_number(&dump, jobs[i]);
    if (status == PZ_OK)
        status = dump_end(&dump.file, counts->jobs, error);
    counts->records = dump.file.records;
    return status;
}
