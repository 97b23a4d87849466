/* SPDX-License-Identifier: MIT */
#include "store/maintenance/dump_record.h"

#include "base/status_word.h"
#include "store/engine/store_internal.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 8 };

static struct key record_key(uint64_t number, uint8_t type)
{
    struct key key = key_of_u64(number);
    key_add_bytes(&key, &type, 1);
    return key;
}

enum pz_status dump_record_put(struct dump_file *dump, enum dump_type type, struct encoder *encoder,
                               struct pz_error *error)
{
    const uint64_t number = dump->records++;
    const struct key key = record_key(number, (uint8_t)type);
    const size_t length = encoder->used;
    assert(encoder->failed || length >= SEAL_BYTES);
    enum pz_status status = PZ_OK;
    if (encoder->failed) {
        status = pz_fail(error, PZ_MEMORY, "no memory for a record of the dump");
    } else if (length > DUMP_VALUE_MAX) {
        status = pz_fail(error, PZ_TOO_LARGE,
                         "record %" PRIu64 " of the dump would have %zu bytes, and %d are the most", number,
                         length, DUMP_VALUE_MAX);
    } else {
        uint8_t head[HEAD_BYTES] = {
            (uint8_t)type,  0, 0, 0, (uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8),
            (uint8_t)length};
        seal_write(encoder->bytes, length - SEAL_BYTES, DATABASE_DUMP, &key);
        if (fwrite(head, sizeof head, 1, dump->file) != 1 ||
            fwrite(encoder->bytes, length, 1, dump->file) != 1)
            status = status_from_errno(error, errno, "the dump");
    }
    encoder_free(encoder);
    return status;
}

static enum pz_status record_make_room(struct dump_record *record, size_t length, struct pz_error *error)
{
    if (length <= record->room)
        return PZ_OK;
    uint8_t *grown = realloc(record->bytes, length);
    if (grown == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a record of %zu bytes", length);
    record->bytes = grown;
    record->room = length;
    return PZ_OK;
}

enum pz_status dump_record_get(FILE *file, uint64_t number, struct dump_record *record,
                               struct pz_error *error)
{
    uint8_t head[HEAD_BYTES];
    if (fread(head, sizeof head, 1, file) != 1)
        return pz_fail(error, PZ_STORAGE, "the dump ends before record %" PRIu64, number);
    const struct key key = record_key(number, head[0]);
    const size_t length = bytes_u32(head + 4);
    if (length < SEAL_BYTES || length > DUMP_VALUE_MAX || (head[1] | head[2] | head[3]) != 0)
        return pz_fail(error, PZ_STORAGE, "record %" PRIu64 " of the dump is damaged", number);
    enum pz_status status = record_make_room(record, length, error);
    if (status != PZ_OK)
        return status;
    if (fread(record->bytes, length, 1, file) != 1)
        return pz_fail(error, PZ_STORAGE, "the dump ends within record %" PRIu64, number);
    if (!seal_good(record->bytes, length, DATABASE_DUMP, &key))
        return pz_fail(error, PZ_STORAGE, "record %" PRIu64 " of the dump is damaged", number);
    assert(record->room >= length);
    record->type = head[0];
    record->decoder = decoder_of(record->bytes, length);
    return PZ_OK;
}

void dump_record_free(struct dump_record *record)
{
    free(record->bytes);
    *record = (struct dump_record){0};
}

enum { LEVELS_A_RECORD = 1 << 20 };

enum pz_status dump_begin(struct dump_file *dump, FILE *file, struct pz_error *error)
{
    *dump = (struct dump_file){.file = file};
    return fputs(DUMP_MARK, file) != EOF ? PZ_OK : status_from_errno(error, errno, "the dump");
}

enum pz_status dump_put_job(struct dump_file *dump, const struct job_record *job, struct pz_error *error)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, job->id);
    job_encode(&encoder, job);
    return dump_record_put(dump, DUMP_JOB, &encoder, error);
}

enum pz_status dump_put_levels(struct dump_file *dump, const struct store_level *levels, uint32_t count,
                               struct pz_error *error)
{
    assert(levels != NULL || count == 0);
    enum pz_status status = PZ_OK;
    for (uint32_t done = 0; done < count && status == PZ_OK;) {
        const uint32_t most = count - done < LEVELS_A_RECORD ? count - done : LEVELS_A_RECORD;
        struct encoder encoder;
        encoder_begin(&encoder);
        encode_u32(&encoder, most);
        for (const uint32_t end = done + most; done < end; done++) {
            encode_u32(&encoder, levels[done].level);
            encode_u64(&encoder, levels[done].states);
        }
        status = dump_record_put(dump, DUMP_LEVELS, &encoder, error);
    }
    return status;
}

void encode_words(struct encoder *encoder, const void *states, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)states + 8 * i, sizeof word);
        encode_u64(encoder, word);
    }
}

enum pz_status dump_put_examples(struct dump_file *dump, uint32_t level, const void *states, unsigned count,
                                 unsigned bytes, struct pz_error *error)
{
    assert(bytes > 0 && bytes % 8 == 0 && bytes <= PZ_STATE_MAX);
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u32(&encoder, level);
    encode_u32(&encoder, bytes / 8);
    encode_u32(&encoder, count);
    encode_words(&encoder, states, (size_t)count * (bytes / 8));
    return dump_record_put(dump, DUMP_EXAMPLES, &encoder, error);
}

enum pz_status dump_end(struct dump_file *dump, uint64_t jobs, struct pz_error *error)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, jobs);
    return dump_record_put(dump, DUMP_END, &encoder, error);
}
