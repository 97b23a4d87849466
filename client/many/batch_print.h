/* SPDX-License-Identifier: MIT */
/* The answer to one board of a batch, as a line. */
#ifndef BATCH_PRINT_H
#define BATCH_PRINT_H

#include "client/session/session.h"

/* Writes the titles of the columns, where lines are between commas. */
bool batch_print_titles(const struct session *session);
struct batch_line {
    const char *board;
    const char *puzzle, *metric; /* as typed; metric is NULL where none was */
    const char *title;           /* of a level, printed first; "" without one, NULL for other boards */
    const struct reply *answer;
};
/* Writes a line: JSON, between commas, or between tabs. Returns false if it cannot be written. */
bool batch_print(const struct session *session, const struct batch_line *line);

#endif
