/* SPDX-License-Identifier: MIT */
/* The progress of a long list, on a terminal that does not get the list itself: done, rate, time left. */
#ifndef LIST_PROGRESS_H
#define LIST_PROGRESS_H

#include "client/session/terminal.h"

#include <stdint.h>

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
