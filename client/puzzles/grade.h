/* SPDX-License-Identifier: MIT */
/* The grade of a board as the daemon reports it, and how it is printed. */
#ifndef GRADE_H
#define GRADE_H

#include "client/session/session.h"

enum grade_format { GRADE_LINES /* for people: a line a figure */, GRADE_CSV, GRADE_JSON };

/* The two metrics of a puzzle that has two: the words of metric=, and what is counted. */
struct grade_metrics {
    const char *puzzle;
    const char *word[2], *counted[2];
    bool boxes; /* are pushed: some figures are about them */
};

struct grade_line {
    const char *board;
    const char *title;                   /* NULL for none */
    const struct grade_metrics *metrics; /* NULL for one metric */
    const struct reply *result;          /* RESULT of GRADE, or the ERR that refused the board */
};

/* Return false if the line cannot be written. metrics: as in the grades that follow. */
bool grade_print_titles(enum grade_format format, const struct grade_metrics *metrics, FILE *out);
bool grade_print(enum grade_format format, const struct grade_line *grade, FILE *out);

#endif
