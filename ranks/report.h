/* SPDX-License-Identifier: MIT */
/* Reports what an exploration finds, as it is found: a line for each level on standard output, and, in a
 * file, the examples and the deepest boards as well. */
#ifndef REPORT_H
#define REPORT_H

#include "explore/explore.h"

#include <stdio.h>

/* All zeros writes nothing, for ranks other than the first. */
struct report {
    const struct pz_space *space;
    FILE *out;  /* standard output; NULL for none */
    FILE *file; /* NULL for none */
    const char *path;
};

/* path: of the file; NULL for none. Returns PZ_STORAGE if it cannot be written. */
enum pz_status report_open(struct report *report, const struct pz_space *space, const char *path,
                           struct pz_error *error);
/* Returns PZ_STORAGE if not everything could be written. Nothing is open afterwards. */
enum pz_status report_close(struct report *report, struct pz_error *error);
/* Returns the sink that fills the report. The report must not move. */
struct explore_sink report_sink(struct report *report);
/* Writes how the exploration ended. */
void report_end(struct report *report, const struct explore_result *result);

#endif
