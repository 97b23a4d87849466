/* SPDX-License-Identifier: MIT */
#include "base/status_word.h"
#include "store/engine/store_internal.h"
#include "store/maintenance/dump.h"
#include "store/maintenance/dump_record.h"
#include "store/record/definition_record.h"
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct import {
    struct store *store;
    const struct import_calls *calls;
    struct dump_counts *counts;
    struct dump_record record;
    uint64_t records; /* read */
    /* The job that is being read. */
    struct job_record job; /* as it will be stored, with its number in this store */
    uint64_t was;          /* its number in the dump; 0 for none */
    bool skipped;
    uint32_t levels; /* of the job: one more than the last; 0 before they were read */
    /* Its table. */
    struct table_record table;
    struct table_writer *writer; /* NULL for none */
    uint64_t at;                 /* bytes of chunks so far */
    uint64_t next_chunk;
};

static enum pz_status malformed(const struct import *import, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "record %" PRIu64 " of the dump is malformed", import->records - 1);
}

/* ---- ending a table and a job ---- */

static enum pz_status import_end_table(struct import *import, struct pz_error *error)
{
    struct table_writer *writer = import->writer;
    import->writer = NULL;
    if (writer == NULL)
        return PZ_OK;
    if (table_has_chunks(import->table.kind) && import->at != import->table.table_bytes) {
        table_writer_abort(writer);
        return pz_fail(error, PZ_STORAGE, "the dump's table %.300s is cut", import->table.name);
    }
    import->counts->tables++;
    return table_writer_finish_if_better(writer, &import->table, error);
}

/* Gives the job its state and result, when all its data is stored. */
static enum pz_status end_job(struct import *import, struct pz_error *error)
{
    enum pz_status status = import_end_table(import, error);
    if (status != PZ_OK || import->was == 0)
        return status;
    if (!import->skipped)
        status = store_job_put(import->store, &import->job, error);
    if (status == PZ_OK) {
        import->counts->jobs++;
        if (import->calls->tell != NULL)
            import->calls->tell(import->calls->context, import->was, import->skipped ? 0 : import->job.id,
                                &import->job);
    }
    job_record_clear(&import->job);
    import->was = 0;
    import->levels = 0;
    return status;
}

/* ---- jobs ---- */

/* Returns true for an answer that keeps its table and was not cut by limits. */
static bool is_whole(const struct job_record *job)
{
    return job->state == JOB_DONE && !job->facts.evicted && job->facts.memory_limit == 0;
}

/* Returns true if the store has an answer to the job's question that is as whole. */
static bool is_answered(struct store *store, const struct job_record *asked)
{
    struct job_record job;
    struct pz_error error;
    const char *question = asked->question;
    uint64_t number = question == NULL || *question == '\0' ? 0 : store_question(store, question);
    if (number == 0 || store_job_get(store, number, &job, &error) != PZ_OK)
        return false;
    const bool answered = job.state == JOB_DONE && (is_whole(&job) || !is_whole(asked));
    job_record_clear(&job);
    return answered;
}

/* Adds the job as cancelled until all of it is stored: if its question is asked meanwhile, it runs again. */
static enum pz_status add_job(struct import *import, struct pz_error *error)
{
    struct job_record *job = &import->job;
    const enum job_state state = job->state;
    char *result = job->result;
    char *failure = job->failure;
    const struct job_facts facts = job->facts;
    free(job->submitter); /* user numbers of another machine mean nothing here */
    job->submitter = NULL;
    job->state = JOB_CANCELLED;
    job->result = job->failure = NULL;
    job->facts = (struct job_facts){0};
    job->starts = 0;
    enum pz_status status = store_job_add(import->store, job, error);
    job->state = state;
    job->result = result;
    job->failure = failure;
    job->facts = facts;
    return status;
}

static enum pz_status import_read_job(struct import *import, struct decoder *decoder, struct pz_error *error)
{
    enum pz_status status = end_job(import, error);
    if (status != PZ_OK)
        return status;
    import->was = decode_u64(decoder);
    status = job_decode(decoder, &import->job);
    if (status == PZ_MEMORY)
        return pz_fail(error, status, "no memory for job %" PRIu64, import->was);
    if (status != PZ_OK || import->was == 0 || !job_state_ended(import->job.state))
        return malformed(import, error);
    import->job.id = import->was;
    import->job.facts.evicted |= import->job.kind == JOB_PDB; /* a dump has no databases */
    if (import->calls->check != NULL)
        status = import->calls->check(import->calls->context, &import->job, error);
    if (status != PZ_OK)
        return status;
    import->skipped = is_answered(import->store, &import->job);
    return import->skipped ? PZ_OK : add_job(import, error);
}

static enum pz_status import_levels(struct import *import, struct decoder *decoder, struct pz_error *error)
{
    const uint32_t count = decode_u32(decoder);
    enum pz_status status = PZ_OK;
    if (count == 0 || decoder->left != (size_t)count * 12)
        return malformed(import, error);
    for (uint32_t i = 0; i < count && status == PZ_OK; i++) {
        const uint32_t level = decode_u32(decoder);
        const uint64_t states = decode_u64(decoder);
        if (level < import->levels || level > EXPLORE_COST_MAX)
            return malformed(import, error);
        import->levels = level + 1;
        if (!import->skipped)
            status = store_level_put(import->store, import->job.id, level, states, error);
    }
    return status;
}

/* Returns malloc'd words; NULL without memory. */
static uint64_t *read_dump_words(struct decoder *decoder, size_t count)
{
    uint64_t *words = malloc(count * sizeof *words + 1);
    for (size_t i = 0; words != NULL && i < count; i++)
        words[i] = decode_u64(decoder);
    return words;
}

static enum pz_status read_examples(struct import *import, struct decoder *decoder, struct pz_error *error)
{
    const uint32_t level = decode_u32(decoder);
    const uint32_t words = decode_u32(decoder);
    const uint32_t count = decode_u32(decoder);
    if (level >= import->levels || !run_words_known(words) || count == 0 || count > EXPLORE_DEEPEST_MAX ||
        decoder->left != (size_t)count * words * 8)
        return malformed(import, error);
    if (import->skipped)
        return PZ_OK;
    uint64_t *states = read_dump_words(decoder, (size_t)count * words);
    if (states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for examples");
    enum pz_status status =
        store_examples_put(import->store, import->job.id, level, states, count, words * 8, error);
    free(states);
    return status;
}

/* ---- tables ---- */

static bool table_is_possible(const struct table_record *table)
{
    const bool runs = table->kind == TABLE_RUNS && table->table_bytes == 0;
    const bool chunks = (table->kind == TABLE_DENSE || table->kind == TABLE_RANKED) &&
                        table->chunk_bytes > 0 && table->chunk_bytes <= 1 << 20;
    return (runs || chunks) && table->state_bytes % 8 == 0 && run_words_known(table->state_bytes / 8);
}

static enum pz_status read_table(struct import *import, struct decoder *decoder, struct pz_error *error)
{
    struct table_record *table = &import->table;
    char *name = decode_text(decoder);
    *table = (struct table_record){.job = import->job.id};
    const uint8_t kind = decode_u8(decoder);
    table->complete = decode_u8(decoder) != 0;
    table->state_bytes = decode_u32(decoder);
    table->depth = decode_u32(decoder);
    table->states = decode_u64(decoder);
    table->table_bytes = decode_u64(decoder);
    table->chunk_bytes = decode_u32(decoder);
    int length = name == NULL ? -1 : snprintf(table->name, sizeof table->name, "%s", name);
    free(name);
    table->kind = (enum table_kind)kind;
    if (import->writer != NULL || length <= 0 || length >= STORE_NAME_MAX || !decoder_ended(decoder) ||
        !table_is_possible(table))
        return malformed(import, error);
    import->at = import->next_chunk = 0;
    return import->skipped ? PZ_OK : table_writer_new(import->store, table, &import->writer, error);
}

static enum pz_status import_write_run(struct import *import, struct decoder *decoder, uint32_t count,
                                       struct pz_error *error)
{
    const unsigned words = import->table.state_bytes / 8;
    uint32_t distances[RUN_KEYS_MAX];
    uint64_t *keys = read_dump_words(decoder, (size_t)count * words);
    if (keys == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a run");
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < count; i++) {
        distances[i] = decode_u32(decoder);
        farthest = distances[i] > farthest ? distances[i] : farthest;
    }
    const struct explore_run run = {.keys = keys, .distances = distances, .count = count, .key_words = words};
    enum pz_status status = farthest <= EXPLORE_COST_MAX + 1 ? table_writer_run(import->writer, &run, error)
                                                             : malformed(import, error);
    free(keys);
    return status;
}

static enum pz_status read_run(struct import *import, struct decoder *decoder, struct pz_error *error)
{
    const uint32_t words = decode_u32(decoder);
    const uint32_t count = decode_u32(decoder);
    if (import->skipped)
        return PZ_OK;
    if (import->writer == NULL || import->table.kind != TABLE_RUNS ||
        words != import->table.state_bytes / 8 || count == 0 || count > RUN_KEYS_MAX ||
        decoder->left != (size_t)count * (words * 8 + 4))
        return malformed(import, error);
    return import_write_run(import, decoder, count, error);
}

/* Reads a chunk. Fails if it is out of order, or shorter than a chunk and not the last. */
static enum pz_status import_read_chunk(struct import *import, struct decoder *decoder,
                                        struct pz_error *error)
{
    const struct table_record *table = &import->table;
    const uint64_t number = decode_u64(decoder);
    if (import->skipped)
        return PZ_OK;
    const uint64_t left = table->table_bytes - import->at;
    const uint64_t due = left < table->chunk_bytes ? left : table->chunk_bytes;
    const size_t length = decoder->left;
    if (decoder->failed || import->writer == NULL || !table_has_chunks(table->kind) ||
        number != import->next_chunk || length == 0 || length != due)
        return malformed(import, error);
    import->next_chunk++;
    import->at += length;
    return table_writer_chunk(import->writer, number, decode_bytes(decoder, length), length, error);
}

/* ---- the stream ---- */

static enum pz_status import_definition(struct import *import, struct decoder *decoder,
                                        struct pz_error *error)
{
    struct definition_record record;
    enum pz_status status = end_job(import, error);
    if (status != PZ_OK)
        return status;
    status = definition_record_decode(decoder, &record);
    if (status != PZ_OK || import->calls->define == NULL)
        status = malformed(import, error);
    else
        status = import->calls->define(import->calls->context, import->store, &record, error);
    definition_record_clear(&record);
    return status;
}

static enum pz_status read_record(struct import *import, struct pz_error *error)
{
    struct decoder *decoder = &import->record.decoder;
    const uint8_t type = import->record.type;
    if (type == DUMP_JOB)
        return import_read_job(import, decoder, error);
    if (type == DUMP_DEFINITION)
        return import_definition(import, decoder, error);
    if (import->was == 0)
        return malformed(import, error);
    switch (type) {
    case DUMP_LEVELS:
        return import_levels(import, decoder, error);
    case DUMP_EXAMPLES:
        return read_examples(import, decoder, error);
    case DUMP_TABLE:
        return read_table(import, decoder, error);
    case DUMP_RUN:
        return read_run(import, decoder, error);
    case DUMP_CHUNK:
        return import_read_chunk(import, decoder, error);
    default:
        return malformed(import, error);
    }
}

static enum pz_status read_mark(FILE *file, struct pz_error *error)
{
    char mark[sizeof DUMP_MARK - 1];
    if (fread(mark, sizeof mark, 1, file) == 1 && memcmp(mark, DUMP_MARK, sizeof mark) == 0)
        return PZ_OK;
    return pz_fail(error, PZ_UNSUPPORTED, "this is no dump of format %d, which this puzzled reads",
                   STORE_FORMAT);
}

enum pz_status store_import(struct store *store, FILE *file, const struct import_calls *calls,
                            struct dump_counts *counts, struct pz_error *error)
{
    assert(store->writer != NULL);
    struct import import = {.store = store, .calls = calls, .counts = counts};
    *counts = (struct dump_counts){0};
    enum pz_status status = read_mark(file, error);
    while (status == PZ_OK) {
        status = dump_record_get(file, import.records, &import.record, error);
        if (status != PZ_OK)
            break;
        import.records++;
        if (import.record.type == DUMP_END)
            break;
        status = read_record(&import, error);
    }
    if (status == PZ_OK)
        status = end_job(&import, error);
    if (status == PZ_OK && decode_u64(&import.record.decoder) != counts->jobs)
        status = malformed(&import, error);
    if (status == PZ_OK && fgetc(file) != EOF)
        status = pz_fail(error, PZ_STORAGE,
                         "the file goes on behind the end of the dump: import each dump by itself");
    counts->records = import.records;
    table_writer_abort(import.writer);
    job_record_clear(&import.job);
    dump_record_free(&import.record);
    return status;
}
