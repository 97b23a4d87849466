/* SPDX-License-Identifier: MIT */
/* How hard a board is, and how that is printed. */
#ifndef GRADE_H
#define GRADE_H

#include "client/session/session.h"

enum grade_format { GRADE_TABS, GRADE_CSV, GRADE_JSON, GRADE_LINES /* for eyes: a line a figure */ };

/* The two metrics of a puzzle that has two: the words of metric=, and what is counted. */
struct grade_metrics {
    const char *puzzle;
    const char *word[2], *counted[2];
    bool boxes; /* are pushed: who pushes another one than before changes boxes */
};

/* Numbers that are not known are -1. */
struct grade {
    const char *board;
    const char *title;                   /* NULL for none */
    const struct grade_metrics *metrics; /* NULL for one metric */
    const struct reply *solution;        /* RESULT of the board, or the ERR that refused it */
    int64_t moves[2];                    /* by each metric; the first if there is one only */
    double branching;                    /* moves that a position on the path offers, on average */
    int64_t positions;                   /* that the board reaches, where they had to be explored */
    double dead;                         /* share of the positions that reach no goal */
    int64_t pieces, must_move;           /* must_move: there is no solution in which one of them stays */
    /* How often the solution turns to another box, one of the measures by which P. Jarušek and R. Pelánek
     * explain how long people take (Difficulty Rating of Sokoban Puzzle, STAIRS 2010). */
    int64_t box_changes;
};

/* Return false if the line cannot be written. metrics: as in the grades that follow. */
bool grade_print_titles(enum grade_format format, const struct grade_metrics *metrics, FILE *out);
bool grade_print(enum grade_format format, const struct grade *grade, FILE *out);

#endif
