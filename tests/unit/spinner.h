/* SPDX-License-Identifier: MIT */
/*
 * Two wheels that share pieces: R turns by a fifth, and H by a half. Four of the five moves are powers of R,
 * so that the ranked engine aligns the runs (space/twist/alignment.h).
 */
#ifndef SPINNER_H
#define SPINNER_H

#define SPINNER_MOVES                                                                                        \
    "Move R\nA\n2 3 4 5 1 6 7\nB\n3 4 5 6 7 8 9 10 1 2 11 12\nEnd\n"                                         \
    "Move H\nA\n1 2 3 6 7 4 5\nB\n1 2 3 4 5 6 10 11 12 7 8 9\nEnd\n"
#define SPINNER(a, b) "Set A 7 1\nSet B 12 1\nSolved\nA\n" a "\nB\n" b "\nEnd\n" SPINNER_MOVES

/* 83,160 states; the pieces of B are a cut coordinate (space/twist/cut.h). */
static const char spinner_with_cut[] = SPINNER("1 1 1 1 1 1 1", "1 2 2 3 3 3 3 4 4 4 4 4");
/* 311,850 states, without a cut. */
static const char spinner[] = SPINNER("1 1 2 2 3 3 4", "1 1 1 1 2 2 2 2 2 2 2 2");

#endif
