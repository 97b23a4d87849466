/* SPDX-License-Identifier: MIT */
/* Boards of published files, and their databases, for the programs here that solve sliding puzzles. */
#ifndef BENCH_SOLVING_H
#define BENCH_SOLVING_H

#include "kept_tables.h"
#include "measuring.h"

#include "solve/solve.h"

enum { LINE = 512 };

static const char *const goal24 = "0,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24";

/* Opens a file of the data's directory. */
static inline FILE *open_data(const char *data, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", data, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        die_of(path);
    return file;
}

/* Reads the next row that begins with a digit. Returns false at the end of the file. *rest becomes what
 * follows the first comma. */
static inline bool next_row(FILE *file, char line[LINE], char **rest)
{
    while (fgets(line, LINE, file) != NULL) {
        *rest = line;
        if (*line >= '0' && *line <= '9' && strsep(rest, ",") != NULL && *rest != NULL)
            return true;
    }
    return false;
}

/* Makes the databases of a partition, NULL for those that a search takes, and tells what that took. */
static inline void build_databases(const struct pattern_archive *archive, const struct pz_space *space,
                                   const char *partition, unsigned threads)
{
    struct budget budget;
    struct control control = {0};
    struct pdb_build_result result;
    struct pz_error error;
    budget_init(&budget, NULL, (uint64_t)4 << 30);
    struct pdb_build_request request = {
        .space = space, .partition = partition, .threads = threads, .budget = &budget, .archive = archive};
    double begun = processor_seconds();
    if (pdb_build_run(&request, &control, &result, &error) != PZ_OK)
        die(&error);
    if (result.built_bytes > 0)
        (void)printf("build  %-8s threads=%u tables=%u bytes=%" PRIu64 " peak=%" PRIu64
                     " seconds=%.2f processor=%.2f\n",
                     result.partition, threads, result.tables, result.bytes, result.peak_bytes,
                     result.seconds, processor_seconds() - begun);
    (void)fflush(stdout);
}

#endif
