/* SPDX-License-Identifier: MIT */
/*
 * Single jobs as one stream of bytes, for another machine: each ended job, its levels, their examples and its
 * table if it has one. Numbers are big-endian, and no record depends on how LMDB lays out its pages.
 * docs/storage.md describes the records; dump_record.h reads and writes one.
 */
#ifndef STORE_DUMP_H
#define STORE_DUMP_H

#include "store/store.h"

#include <stdio.h>

struct dump_counts {
    uint64_t jobs, tables, records;
};

/* Writes the jobs with these numbers. Works beside a daemon that owns the store, too. PZ_NO_SUCH_JOB;
 * PZ_NOT_FINISHED for one that waits or runs. The caller flushes and closes the file. */
enum pz_status store_dump(struct store *store, const uint64_t *jobs, size_t count, FILE *file,
                          struct dump_counts *counts, struct pz_error *error);

/* Called for each job of a dump. was: its number in the dump. is: its number here, or 0 if it was left out
 * because this store has an answer to its question. */
typedef void import_tell(void *context, uint64_t was, uint64_t is, const struct job_record *job);

/* Checks a job before any of its data is stored; job->id is its number in the dump. May fill in its
 * question: puzzled-ranks writes the request alone. A status other than PZ_OK ends the import. */
typedef enum pz_status import_judge(void *context, struct job_record *job, struct pz_error *error);

/* Takes a definition that comes before the jobs of its puzzle. */
struct definition_record;
typedef enum pz_status import_define(void *context, struct store *store,
                                     const struct definition_record *record, struct pz_error *error);

struct import_calls {
    void *context;
    import_tell *tell;     /* NULL: nobody hears of them */
    import_judge *check;   /* NULL: all are taken as they are */
    import_define *define; /* NULL: a dump with definitions is refused */
};

/* Reads a dump and adds its jobs under new numbers. A job gets its result, and answers its question, only
 * when all its data is stored. PZ_STORAGE for a stream that is damaged or cut, PZ_UNSUPPORTED for one of
 * another version; jobs before the fault stay. Does not check the contents of tables:
 * answer/verify/contents.h does. */
enum pz_status store_import(struct store *store, FILE *file, const struct import_calls *calls,
                            struct dump_counts *counts, struct pz_error *error);

#endif
