/* SPDX-License-Identifier: MIT */
/* The answer to one board of a batch, as a line. */
#ifndef BATCH_PRINT_H
#define BATCH_PRINT_H

#include "client/session/terminal.h"
#include "protocol/json.h"

enum batch_format { BATCH_TABS, BATCH_CSV, BATCH_JSON };

/* Writes the titles of the columns, in formats that have them. */
bool batch_print_titles(enum batch_format format, FILE *out);
struct batch_line {
    const char *board;
    const char *puzzle, *metric; /* as typed; metric is NULL where none was */
    const char *title;           /* of a level, printed first; "" without one, NULL for other boards */
    const struct reply *answer;
};
/* Writes a line. Returns false if it cannot be written. */
bool batch_print(enum batch_format format, const struct batch_line *line, FILE *out);

#endif
