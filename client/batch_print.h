/* SPDX-License-Identifier: MIT */
/* The answer to one board of a batch, as a line; and how many there were, on a terminal that does not get
 * them. */
#ifndef BATCH_PRINT_H
#define BATCH_PRINT_H

#include "protocol/json.h"
#include "terminal.h"

enum batch_format { BATCH_TABS, BATCH_CSV, BATCH_JSON };

/* Writes the titles of a format that has them. */
bool batch_print_titles(enum batch_format format, FILE *out);
/* Writes a line; false when it cannot be written. */
bool batch_print(enum batch_format format, const char *board, const struct reply *answer, FILE *out);

struct batch_progress {
    const struct terminal *terminal;
    bool quiet;
    uint64_t done;
    double begun, shown; /* seconds: the first answer, the latest line */
};

/* Counts one answer more. */
void batch_progress_step(struct batch_progress *progress);
/* Wipes the line. */
void batch_progress_end(struct batch_progress *progress);

#endif
