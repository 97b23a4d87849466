/* SPDX-License-Identifier: MIT */
#include "store/care/dump_put.h"

#include "base/status_word.h"
#include "store/care/dump_record.h"
#include "store/engine/lookup.h"

#include <errno.h>
#include <string.h>

enum { LEVELS_A_RECORD = 1 << 20 };

static enum pz_status put_in_file(struct dump_file *dump, enum dump_type type, struct encoder *encoder,
                                  struct pz_error *error)
{
    return dump_record_put(dump->file, dump->records++, type, encoder, error);
}

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
    return put_in_file(dump, DUMP_JOB, &encoder, error);
}

enum pz_status dump_put_levels(struct dump_file *dump, const struct store_level *levels, uint32_t count,
                               struct pz_error *error)
{
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
        status = put_in_file(dump, DUMP_LEVELS, &encoder, error);
    }
    return status;
}

enum pz_status dump_put_examples(struct dump_file *dump, uint32_t level, const void *states, unsigned count,
                                 unsigned bytes, struct pz_error *error)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u32(&encoder, level);
    encode_u32(&encoder, bytes / 8);
    encode_u32(&encoder, count);
    for (size_t i = 0; i < (size_t)count * (bytes / 8); i++) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)states + 8 * i, sizeof word);
        encode_u64(&encoder, word);
    }
    return put_in_file(dump, DUMP_EXAMPLES, &encoder, error);
}

enum pz_status dump_end(struct dump_file *dump, uint64_t jobs, struct pz_error *error)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, jobs);
    return put_in_file(dump, DUMP_END, &encoder, error);
}
