/* SPDX-License-Identifier: MIT */
/* The progress line of a job, rewritten in place. It is shown only on a terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "client/session/terminal.h"
#include "protocol/reply.h"

struct progress_line {
    const struct terminal *terminal;
    bool enabled;
    bool shown;     /* there is a line on the terminal, which must be wiped before other output */
    bool explained; /* it was said that databases are built */
    double begun;   /* terminal_clock() */
};

void progress_begin(struct progress_line *progress, const struct terminal *terminal, bool quiet);
/* Shows an EVENT (or a STATUS reply, which has the same keys), unless the job runs for a moment only: a line
 * that is wiped at once would flicker. */
void progress_show(struct progress_line *progress, const struct reply *event);
void progress_wipe(struct progress_line *progress);

/* Writes the text of the line, without escapes, cut to width columns. */
void progress_text(const struct reply *event, unsigned width, char *out, size_t size);

#endif
