/* SPDX-License-Identifier: MIT */
/*
 * The records of a dump. The stream is the mark, then records:
 *
 *     u8 type · 3 zero bytes · u32 length of the value · the value
 *
 * A value is sealed as in the database (value_codec.h), under the key (u64 number of the record, u8 type), so
 * that a record that is missing or out of order is found, too.
 */
#ifndef STORE_DUMP_RECORD_H
#define STORE_DUMP_RECORD_H

#include "puzzled/status.h"
#include "store/lmdb/value_codec.h"
#include "store/store.h"

#include <stdio.h>

#define DUMP_MARK "puzzled-dump 2\n" /* and STORE_FORMAT */

enum { DUMP_VALUE_MAX = 16 << 20 }; /* bytes */

enum dump_type {
    DUMP_JOB = 'J',      /* u64 number, a job's payload */
    DUMP_LEVELS = 'L',   /* u32 count, count × (u32 level, u64 states); the next levels in the next record */
    DUMP_EXAMPLES = 'E', /* u32 level, u32 words a state, u32 count, the states as u64 words */
    DUMP_TABLE = 'T', /* text name, u8 kind, u8 complete, u32 bytes a state, u32 depth, u64 states, u64 bytes
                       * of all chunks, u32 bytes a chunk */
    DUMP_RUN = 'R',   /* u32 words a key, u32 count, count × (the key's u64 words), count × u32 distance */
    DUMP_DEFINITION = 'D', /* a definition's payload */
    DUMP_CHUNK = 'C',      /* u64 number, the bytes */
    DUMP_END = 'Z'         /* u64 jobs */
};

struct dump_record {
    uint8_t type;
    struct decoder decoder; /* of the payload; good until the next record */
    uint8_t *bytes;         /* malloc'd, used again */
    size_t room;
};
/* Reads and checks the record of this number. PZ_STORAGE for one that is damaged or cut. */
enum pz_status dump_record_get(FILE *file, uint64_t number, struct dump_record *record,
                               struct pz_error *error);
void dump_record_free(struct dump_record *record);

/* ---- a dump that is being written, of jobs that need not be in a store: calls no function of LMDB ---- */

struct dump_file {
    FILE *file;
    uint64_t records; /* written */
};

/* All return PZ_STORAGE (or another status of an errno) if not everything could be written, PZ_MEMORY without
 * memory. */

/* Seals what the encoder holds, writes it as the next record, and frees the encoder. PZ_TOO_LARGE for more
 * than DUMP_VALUE_MAX bytes, which could not be read back. */
enum pz_status dump_record_put(struct dump_file *dump, enum dump_type type, struct encoder *encoder,
                               struct pz_error *error);
enum pz_status dump_begin(struct dump_file *dump, FILE *file, struct pz_error *error);
/* Then its levels and examples, if it has any. */
enum pz_status dump_put_job(struct dump_file *dump, const struct job_record *job, struct pz_error *error);
enum pz_status dump_put_levels(struct dump_file *dump, const struct store_level *levels, uint32_t count,
                               struct pz_error *error);
void encode_words(struct encoder *encoder, const void *states, size_t words);
/* count states of bytes bytes each. */
enum pz_status dump_put_examples(struct dump_file *dump, uint32_t level, const void *states, unsigned count,
                                 unsigned bytes, struct pz_error *error);
enum pz_status dump_end(struct dump_file *dump, uint64_t jobs, struct pz_error *error);

#endif
