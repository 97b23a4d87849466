/* SPDX-License-Identifier: MIT */
/* The progress line of a job, rewritten in place. It is shown only on a terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "client/session/terminal.h"
#include "protocol/reply.h"

#include <stdint.h>

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

/* The progress of a long list, on a terminal that does not get the list itself: done, rate, time left. */

struct list_progress {
    const struct terminal *terminal;
    const char *things; /* "boards": more than one, by an s */
    bool shown_here;    /* a line may be shown */
    uint64_t done;
    double share;        /* share that is done, 0 … 1; 0 if it is not known */
    double begun, shown; /* seconds: the first step, the latest line */
};

/* wanted: the list goes elsewhere, and --quiet was not given. */
void list_progress_begin(struct list_progress *progress, const struct terminal *terminal, bool wanted,
                         const char *things);
/* Counts more entries as done. */
void list_progress_step(struct list_progress *progress, uint64_t more);
/* Wipes the line. */
void list_progress_end(struct list_progress *progress);

#endif
