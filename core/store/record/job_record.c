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
    free(job->result);
    free(job->submitter);
    *job = (struct job_record){0};
}

/* ---- the record ---- */

void job_encode(struct encoder *encoder, const struct job_record *job)
{
    assert((unsigned)job->kind < JOB_KIND_COUNT && (unsigned)job->state < JOB_STATE_COUNT);
    assert(job->facts.time_limit >= 0 && job->facts.seconds >= 0);
    encode_u8(encoder, (uint8_t)job->kind);
    encode_u8(encoder, (uint8_t)job->state);
    encode_u32(encoder, (uint32_t)job->priority);
    encode_u64(encoder, job->submitted_ms);
    encode_u64(encoder, job->started_ms);
    encode_u64(encoder, job->finished_ms);
    encode_text(encoder, job->puzzle);
    encode_text(encoder, job->request);
    encode_text(encoder, job->question);
    encode_text(encoder, job->result);
    encode_u64(encoder, job->facts.memory_limit);
    encode_u64(encoder, (uint64_t)(job->facts.time_limit * 1e6));
    encode_u32(encoder, job->facts.table_levels);
    encode_text(encoder, job->submitter);
    encode_u32(encoder, job->starts);
    encode_u64(encoder, job->facts.states);
    encode_u64(encoder, (uint64_t)(job->facts.seconds * 1e6));
    encode_u8(encoder, (uint8_t)job->facts.reason);
    encode_u8(encoder, (uint8_t)job->facts.planes);
    encode_u32(encoder, job->facts.ranks);
}

/* Returns false for a reason or planes that there are not. */
static bool decode_found(struct decoder *decoder, struct job_facts *facts)
{
    facts->states = decode_u64(decoder);
    facts->seconds = (double)decode_u64(decoder) / 1e6;
    const unsigned reason = decode_u8(decoder);
    const unsigned planes = decode_u8(decoder);
    facts->ranks = decode_u32(decoder);
    facts->reason = (enum stop_reason)reason;
    facts->planes = (enum explore_planes)planes;
    return reason <= STOP_LEVELS && planes < PLANES_COUNT;
}

static void decode_facts(struct decoder *decoder, struct job_facts *facts)
{
    facts->memory_limit = decode_u64(decoder);
    facts->time_limit = (double)decode_u64(decoder) / 1e6;
    facts->table_levels = decode_u32(decoder);
}

enum pz_status job_decode(struct decoder *decoder, struct job_record *job)
{
    unsigned kind = decode_u8(decoder);
    unsigned state = decode_u8(decoder);
    job->kind = (enum job_kind)kind;
    job->state = (enum job_state)state;
    job->priority = (int)decode_u32(decoder);
    job->submitted_ms = decode_u64(decoder);
    job->started_ms = decode_u64(decoder);
    job->finished_ms = decode_u64(decoder);
    job->puzzle = decode_text(decoder);
    job->request = decode_text(decoder);
    job->question = decode_text(decoder);
    job->result = decode_text(decoder);
    decode_facts(decoder, &job->facts);
    job->submitter = decode_text(decoder);
    job->starts = decode_u32(decoder);
    const bool known = decode_found(decoder, &job->facts);
    if (decoder->starved)
        return PZ_MEMORY;
    return known && decoder_ended(decoder) && kind < JOB_KIND_COUNT && state < JOB_STATE_COUNT ? PZ_OK
                                                                                               : PZ_STORAGE;
}
