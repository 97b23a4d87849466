/* SPDX-License-Identifier: MIT */
/* The line that shows how far a job is, rewritten in place. On anything but a terminal nothing is shown. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "protocol/reply.h"
#include "terminal.h"

struct progress_line {
    const struct terminal *terminal;
    bool enabled;
    bool shown; /* there is a line on the terminal that must be wiped before anything else is written */
};

void progress_begin(struct progress_line *progress, const struct terminal *terminal, bool quiet);
/* Shows an EVENT (or a STATUS reply: the keys are the same). */
void progress_show(struct progress_line *progress, const struct reply *event);
void progress_wipe(struct progress_line *progress);

/* The text of the line, without escapes, cut to width columns. */
void progress_text(const struct reply *event, unsigned width, char *out, size_t size);

#endif
