/* SPDX-License-Identifier: MIT */
/* The record of a job as bytes, in the database and in dumps. docs/storage.md describes it. */
#include "store/engine/lookup.h"

#include <assert.h>
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
