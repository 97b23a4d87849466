/* SPDX-License-Identifier: MIT */
/* Jobs, and the questions they answer. docs/storage.md describes the values; dumps have the same records. */
#include "base/status_word.h"
#include "store/engine/store_internal.h"
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *job_kind_word(enum job_kind kind)
{
    static const char *const words[JOB_KIND_COUNT] = {JOB_KIND_WORDS};
    return (unsigned)kind < JOB_KIND_COUNT ? words[kind] : "?";
}

const char *job_state_word(enum job_state state)
{
    static const char *const words[JOB_STATE_COUNT] = {JOB_STATE_WORDS};
    return (unsigned)state < JOB_STATE_COUNT ? words[state] : "?";
}

void job_record_clear(struct job_record *job)
{
    free(job->puzzle);
    free(job->request);
    free(job->question);
    free(job->table);
    free(job->result);
    free(job->failure);
    free(job->submitter);
    *job = (struct job_record){0};
}

/* ---- the record ---- */

/* Microseconds, rounded, so that a time prints as before when it is read back. */
static void encode_seconds(struct encoder *encoder, double seconds)
{
    assert(seconds >= 0);
    encode_u64(encoder, (uint64_t)(seconds * 1e6 + 0.5));
}

static void encode_facts(struct encoder *encoder, const struct job_facts *facts)
{
    assert(facts->moves >= -1);
    encode_u64(encoder, facts->memory_limit);
    encode_seconds(encoder, facts->time_limit);
    encode_u32(encoder, facts->table_levels);
    encode_u8(encoder, (uint8_t)(facts->evicted | facts->elsewhere << 1));
    encode_seconds(encoder, facts->seconds);
    encode_u8(encoder, (uint8_t)facts->reason);
    encode_u8(encoder, (uint8_t)facts->failure);
    encode_u32(encoder, facts->levels);
    encode_u64(encoder, facts->states);
    encode_u8(encoder, (uint8_t)facts->planes);
    encode_u32(encoder, facts->ranks);
    encode_u8(encoder, (uint8_t)facts->method);
    encode_u8(encoder, (uint8_t)facts->solvable);
    encode_u64(encoder, (uint64_t)facts->moves);
}

void job_encode(struct encoder *encoder, const struct job_record *job)
{
    assert((unsigned)job->kind < JOB_KIND_COUNT && (unsigned)job->state < JOB_STATE_COUNT);
    encode_u8(encoder, (uint8_t)job->kind);
    encode_u8(encoder, (uint8_t)job->state);
    encode_u32(encoder, (uint32_t)job->priority);
    encode_u64(encoder, job->submitted_ms);
    encode_u64(encoder, job->started_ms);
    encode_u64(encoder, job->finished_ms);
    encode_text(encoder, job->puzzle);
    encode_text(encoder, job->request);
    encode_text(encoder, job->question);
    encode_text(encoder, job->table);
    encode_text(encoder, job->result);
    encode_text(encoder, job->failure);
    encode_text(encoder, job->submitter);
    encode_u8(encoder, (uint8_t)job->from);
    encode_u8(encoder, (uint8_t)(job->of_tool | job->cluster << 1));
    encode_u64(encoder, job->rank_memory);
    encode_u32(encoder, job->starts);
    encode_facts(encoder, &job->facts);
}

/* Reads a number of an enumeration, of so many. *known becomes false for another one. */
static unsigned decode_choice(struct decoder *decoder, unsigned count, bool *known)
{
    const unsigned number = decode_u8(decoder);
    *known &= number < count;
    return number;
}

/* Returns false for a choice that there is not. */
static bool decode_facts(struct decoder *decoder, struct job_facts *facts)
{
    bool known = true;
    facts->memory_limit = decode_u64(decoder);
    facts->time_limit = (double)decode_u64(decoder) / 1e6;
    facts->table_levels = decode_u32(decoder);
    const unsigned flags = decode_choice(decoder, 4, &known);
    facts->evicted = (flags & 1u) != 0;
    facts->elsewhere = (flags & 2u) != 0;
    facts->seconds = (double)decode_u64(decoder) / 1e6;
    facts->reason = (enum stop_reason)decode_choice(decoder, STOP_LEVELS + 1, &known);
    facts->failure = (enum pz_status)decode_choice(decoder, PZ_STATUS_COUNT, &known);
    facts->levels = decode_u32(decoder);
    facts->states = decode_u64(decoder);
    facts->planes = (enum explore_planes)decode_choice(decoder, PLANES_COUNT, &known);
    facts->ranks = decode_u32(decoder);
    facts->method = (enum method)decode_choice(decoder, METHOD_COUNT, &known);
    facts->solvable = (enum pz_answer)decode_choice(decoder, PZ_UNKNOWN + 1, &known);
    facts->moves = (int64_t)decode_u64(decoder);
    return known && facts->moves >= -1;
}

enum pz_status job_decode(struct decoder *decoder, struct job_record *job)
{
    bool known = true;
    job->kind = (enum job_kind)decode_choice(decoder, JOB_KIND_COUNT, &known);
    job->state = (enum job_state)decode_choice(decoder, JOB_STATE_COUNT, &known);
    job->priority = (int)decode_u32(decoder);
    job->submitted_ms = decode_u64(decoder);
    job->started_ms = decode_u64(decoder);
    job->finished_ms = decode_u64(decoder);
    job->puzzle = decode_text(decoder);
    job->request = decode_text(decoder);
    job->question = decode_text(decoder);
    job->table = decode_text(decoder);
    job->result = decode_text(decoder);
    job->failure = decode_text(decoder);
    job->submitter = decode_text(decoder);
    job->from = (enum explore_from)decode_choice(decoder, FROM_COUNT, &known);
    const unsigned flags = decode_choice(decoder, 4, &known);
    job->of_tool = (flags & 1u) != 0;
    job->cluster = (flags & 2u) != 0;
    job->rank_memory = decode_u64(decoder);
    job->starts = decode_u32(decoder);
    known &= decode_facts(decoder, &job->facts);
    if (decoder->starved)
        return PZ_MEMORY;
    return known && decoder_ended(decoder) ? PZ_OK : PZ_STORAGE;
}

static void put_job_record(struct operation *operation, const struct job_record *job)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    job_encode(&encoder, job);
    struct key key = key_of_u64(job->id);
    operation_put(operation, DATABASE_JOBS, &key, &encoder);
}

enum pz_status store_job_get(struct store *store, uint64_t id, struct job_record *job, struct pz_error *error)
{
    struct key key = key_of_u64(id);
    struct value value;
    *job = (struct job_record){.id = id};
    enum pz_status status = lookup(store, DATABASE_JOBS, &key, &value, error);
    if (status == PZ_NO_TABLE)
        return pz_fail(error, PZ_NO_SUCH_JOB, "there is no job %" PRIu64, id);
    if (status != PZ_OK)
        return status;
    struct decoder decoder = decoder_of(value.bytes, value.length);
    status = job_decode(&decoder, job);
    value_free(&value);
    if (status == PZ_OK)
        return PZ_OK;
    job_record_clear(job);
    if (status == PZ_MEMORY)
        return pz_fail(error, status, "no memory for the record of job %" PRIu64, id);
    return pz_fail(error, status, "the record of job %" PRIu64 " is malformed", id);
}

/* ---- questions ---- */

static void put_question(struct operation *operation, const struct job_record *job)
{
    if (job->question == NULL || job->question[0] == '\0')
        return;
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, job->id);
    encode_text(&encoder, job->question);
    struct key key = key_of_text(job->question);
    operation_put(operation, DATABASE_QUESTIONS, &key, &encoder);
}

bool store_job_next(struct store *store, uint64_t *id)
{
    struct key key = key_of_u64(*id + 1);
    if (lookup_from(store, DATABASE_JOBS, &key, NULL) != PZ_OK || key.length != 8)
        return false;
    *id = bytes_u64(key.bytes);
    return true;
}

/* Looks for a job's key; reads nothing else. PZ_NO_SUCH_JOB. */
static enum pz_status job_find(struct store *store, uint64_t id, struct pz_error *error)
{
    struct key wanted = key_of_u64(id);
    struct key key = wanted;
    enum pz_status status = lookup_from(store, DATABASE_JOBS, &key, error);
    if (status == PZ_NO_TABLE || (status == PZ_OK && key_compare(&key, &wanted) != 0))
        return pz_fail(error, PZ_NO_SUCH_JOB, "there is no job %" PRIu64, id);
    return status;
}

/* Finds the job that answers a question. *job_out is 0 if there is none, or the entry is damaged: then the
 * question is asked again. */
static enum pz_status question_find(struct store *store, const char *question, uint64_t *job_out,
                                    struct pz_error *error)
{
    struct key key = key_of_text(question);
    struct value value;
    *job_out = 0;
    enum pz_status status = lookup(store, DATABASE_QUESTIONS, &key, &value, error);
    if (status != PZ_OK)
        return status_is_retryable(status) ? status : PZ_OK;
    struct decoder decoder = decoder_of(value.bytes, value.length);
    uint64_t job = decode_u64(&decoder);
    size_t length = decode_u32(&decoder);
    const uint8_t *text = decode_bytes(&decoder, length);
    bool same = decoder_ended(&decoder) && length == strlen(question) && memcmp(text, question, length) == 0;
    value_free(&value);
    if (!same)
        return PZ_OK;
    status = job_find(store, job, error);
    if (status == PZ_OK)
        *job_out = job;
    return status == PZ_NO_SUCH_JOB ? PZ_OK : status;
}

uint64_t store_question(struct store *store, const char *question)
{
    uint64_t job;
    return question_find(store, question, &job, NULL) == PZ_OK ? job : 0;
}

/* ---- adding, changing, listing ---- */

static struct operation *adding(struct store *store, struct job_record *job)
{
    struct operation *operation = operation_new(OPERATION_SMALL);
    job->id = job_numbers_take(store, operation);
    put_job_record(operation, job);
    put_question(operation, job);
    return operation;
}

enum pz_status store_job_add_async(struct store *store, struct job_record *job, const struct store_ack *ack,
                                   struct pz_error *error)
{
    (void)pthread_mutex_lock(&store->change);
    enum pz_status status = writer_submit(store->writer, adding(store, job), ack, error);
    (void)pthread_mutex_unlock(&store->change);
    return status;
}

enum pz_status store_job_add(struct store *store, struct job_record *job, struct pz_error *error)
{
    struct awaited awaited;
    awaited_begin(&awaited);
    enum pz_status status = store_job_add_async(store, job, &awaited.ack, error);
    return awaited_end(&awaited, status, error);
}

static struct operation *putting_job(const struct job_record *job)
{
    assert(job->id > 0);
    struct operation *operation = operation_new(OPERATION_SMALL);
    put_job_record(operation, job);
    return operation;
}

enum pz_status store_job_put_async(struct store *store, const struct job_record *job,
                                   const struct store_ack *ack, struct pz_error *error)
{
    return writer_submit(store->writer, putting_job(job), ack, error);
}

enum pz_status store_job_put(struct store *store, const struct job_record *job, struct pz_error *error)
{
    return writer_submit_and_wait(store->writer, putting_job(job), error);
}

enum pz_status store_jobs(struct store *store, uint64_t after,
                          bool (*visit)(void *context, const struct job_record *job), void *context,
                          struct pz_error *error)
{
    assert(visit != NULL);
    enum pz_status outcome = PZ_OK;
    bool more = after < UINT64_MAX;
    while (more) {
        struct key key = key_of_u64(after + 1);
        struct pz_error local = {0};
        enum pz_status status = lookup_from(store, DATABASE_JOBS, &key, &local);
        if (status == PZ_NO_TABLE)
            break;
        const bool readable = status == PZ_OK; /* if not, nor are the later ones */
        struct job_record job;
        after = bytes_u64(key.bytes);
        if (readable && key.length != 8)
            status = pz_fail(&local, PZ_STORAGE, "a key of job %" PRIu64 " is damaged", after);
        else if (readable)
            status = store_job_get(store, after, &job, &local);
        more = readable && after < UINT64_MAX;
        if (status == PZ_OK) {
            more = visit(context, &job) && more;
            job_record_clear(&job);
        } else if (status != PZ_NO_SUCH_JOB && (outcome == PZ_OK || status_is_retryable(status))) {
            /* A job that was just forgotten is not a fault. An error that cuts the list outranks a damaged
             * record. */
            outcome = status;
            if (error != NULL)
                *error = local;
        }
        if (status_is_retryable(status))
            break;
    }
    return outcome;
}

/* ---- forgetting ---- */

/* Erases levels and examples that still wait for their commit: it would come after the job's removal. */
static void erase_pending(struct store *store, struct operation *operation, enum database database,
                          uint64_t job)
{
    assert(database == DATABASE_LEVELS || database == DATABASE_EXAMPLES);
    struct key key = key_of_u64(job);
    bool erased;
    while (writer_pending_from(store->writer, database, &key, &erased) && bytes_u64(key.bytes) == job) {
        operation_erase(operation, database, &key);
        key_step(&key);
    }
}

/* Of a job whose record is damaged: erases the questions that name it, and damaged ones. */
static enum pz_status erase_questions_of(struct store *store, uint64_t id, struct operation *operation)
{
    struct key key = {.length = 1}; /* LMDB takes no empty one */
    enum pz_status status;
    while ((status = lookup_from(store, DATABASE_QUESTIONS, &key, NULL)) == PZ_OK) {
        struct value value = {0};
        status = lookup(store, DATABASE_QUESTIONS, &key, &value, NULL);
        struct decoder decoder = {0};
        if (status == PZ_OK)
            decoder = decoder_of(value.bytes, value.length);
        if (status == PZ_STORAGE || (status == PZ_OK && decode_u64(&decoder) == id))
            operation_erase(operation, DATABASE_QUESTIONS, &key);
        value_free(&value);
        if (status_is_retryable(status))
            break;
        key_step(&key);
    }
    return status;
}

/* Erases the job's question, also one that is damaged: nothing else could. */
static enum pz_status erase_question(struct store *store, uint64_t id, struct operation *operation,
                                     struct pz_error *error)
{
    struct job_record job = {0};
    struct value value = {0};
    uint64_t asked = 0;
    enum pz_status status = store_job_get(store, id, &job, error);
    if (status == PZ_STORAGE)
        status = erase_questions_of(store, id, operation);
    else if (status == PZ_OK && job.question != NULL && job.question[0] != '\0') {
        const struct key question = key_of_text(job.question);
        status = question_find(store, job.question, &asked, error);
        if (asked == id || lookup(store, DATABASE_QUESTIONS, &question, &value, NULL) == PZ_STORAGE)
            operation_erase(operation, DATABASE_QUESTIONS, &question);
        value_free(&value);
    }
    job_record_clear(&job);
    return status_is_retryable(status) ? status : PZ_OK;
}

static enum pz_status forgetting(struct store *store, uint64_t id, struct operation *operation,
                                 struct pz_error *error)
{
    enum pz_status status = job_find(store, id, error);
    if (status == PZ_OK)
        status = erase_question(store, id, operation, error);
    if (status != PZ_OK)
        return status;
    struct key key = key_of_u64(id);
    operation_erase(operation, DATABASE_JOBS, &key);
    erase_pending(store, operation, DATABASE_LEVELS, id);
    erase_pending(store, operation, DATABASE_EXAMPLES, id);
    return PZ_OK;
}

enum pz_status store_job_forget_async(struct store *store, uint64_t id, uint64_t heir, bool unless_pinned,
                                      const struct store_ack *ack, struct pz_error *error)
{
    assert(id > 0 && heir != id);
    struct operation *operation = removing_of_job(store, id, heir, unless_pinned);
    (void)pthread_mutex_lock(&store->change);
    enum pz_status status = forgetting(store, id, operation, error);
    if (status == PZ_OK)
        status = writer_submit(store->writer, operation, ack, error);
    else
        operation_free(operation);
    (void)pthread_mutex_unlock(&store->change);
    return status;
}
