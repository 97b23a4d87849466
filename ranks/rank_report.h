/* SPDX-License-Identifier: MIT */
/*
 * Reports what an exploration finds: a line for each level on standard output, as it is found, and at the end
 * a file with levels, examples and the deepest boards, which "puzzled --import" takes.
 */
#ifndef RANK_REPORT_H
#define RANK_REPORT_H

#include "explore/explore.h"
#include "rank_options.h"

#include <stdio.h>

/* The examples of a level that was found. */
struct report_level {
    void *states; /* NULL for none */
    unsigned count;
};

/* All zeros writes nothing, for ranks other than the first. */
struct report {
    const struct pz_space *space;
    FILE *out;  /* standard output; NULL for none */
    FILE *file; /* NULL for none */
    const char *path;
    uint64_t began_ms;
    uint32_t levels;
    struct store_level *counts;
    struct report_level *examples; /* of each level */
};

/* path: of the file; NULL for none. Fails if it cannot be written. */
enum pz_status report_open(struct report *report, const struct pz_space *space, const char *path,
                           struct pz_error *error);
/* Fails if not everything could be written. Nothing is open afterwards. */
enum pz_status report_close(struct report *report, struct pz_error *error);
/* Returns the sink that fills the report. The report must not move. */
struct explore_sink report_sink(struct report *report);

/* The exploration that the file reports, beside its levels. */
struct report_about {
    const struct options *options;
    const struct explore_request *request;
    const struct explore_result *result;
};
/* Writes how the exploration ended, and the file. */
enum pz_status report_end(struct report *report, const struct report_about *about, struct pz_error *error);

#endif
