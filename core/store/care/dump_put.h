/* SPDX-License-Identifier: MIT */
/* Writes a dump (dump_record.h) of jobs that need not be in a store. Calls no function of LMDB. */
#ifndef STORE_DUMP_PUT_H
#define STORE_DUMP_PUT_H

#include "store/store.h"

#include <stdio.h>

/* A dump that is being written. */
struct dump_file {
    FILE *file;
    uint64_t records; /* written */
};

/* All return PZ_STORAGE (or another status of an errno) if not everything could be written, PZ_MEMORY without
 * memory. */

enum pz_status dump_begin(struct dump_file *dump, FILE *file, struct pz_error *error);
/* Then its levels and examples, if it has any. */
enum pz_status dump_put_job(struct dump_file *dump, const struct job_record *job, struct pz_error *error);
enum pz_status dump_put_levels(struct dump_file *dump, const struct store_level *levels, uint32_t count,
                               struct pz_error *error);
/* count states of bytes bytes each. */
enum pz_status dump_put_examples(struct dump_file *dump, uint32_t level, const void *states, unsigned count,
                                 unsigned bytes, struct pz_error *error);
enum pz_status dump_end(struct dump_file *dump, uint64_t jobs, struct pz_error *error);

#endif
