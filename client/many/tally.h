/* SPDX-License-Identifier: MIT */
/* The progress of a long list, on a terminal that does not get the list itself: done, rate, time left. */
#ifndef TALLY_H
#define TALLY_H

#include "client/session/terminal.h"

#include <stdint.h>

struct tally {
    const struct terminal *terminal;
    const char *things; /* "boards": more than one, by an s */
    bool shown_here;    /* a line may be shown */
    uint64_t done;
    double share;        /* share that is done, 0 … 1; 0 if it is not known */
    double begun, shown; /* seconds: the first step, the latest line */
};

/* wanted: the list goes elsewhere, and --quiet was not given. */
void tally_begin(struct tally *tally, const struct terminal *terminal, bool wanted, const char *things);
/* Counts more entries as done. */
void tally_step(struct tally *tally, uint64_t more);
/* Wipes the line. */
void tally_end(struct tally *tally);

#endif
