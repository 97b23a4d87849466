/* SPDX-License-Identifier: MIT */
/*
 * The grade of a solved board, how hard it is: figures beside the number of its moves and of its shortest
 * solutions. Most are of the solution that was found; some take searches of their own. docs/grade.md defines
 * each.
 */
#ifndef ANSWER_BOARD_GRADE_H
#define ANSWER_BOARD_GRADE_H

#include "solve/solve.h"

/* A search of its own is given up after so many seconds, and its figure left out, unless the control has a
 * deadline: then that counts. */
enum { GRADE_SECONDS = 10 };

/* Stands in a grade's question. Raise it when a figure's key or meaning changes: what is stored then is no
 * answer any more, and the board is graded again. (Before 2 the question had "yes".) */
enum { GRADE_VERSION = 5 };

struct grade_question {
    const struct solve_request *request; /* with all; its checkpoint and list are not looked at */
    const struct solve_result *solved;   /* with a path of states */
    const struct pz_space *other;        /* the same puzzle by its other metric; NULL for none */
    const void *other_start;             /* the same board in it */
};

/* Numbers that are not known are -1. */
struct grade {
    int64_t other_moves;       /* by the other metric */
    double branching;          /* moves that a position of the solution offers, on average; not of the last */
    int64_t wrong_turns;       /* of these moves those that do not bring the goal nearer */
    int64_t dead_turns;        /* of these those after which no goal can be reached */
    int64_t counterintuitive;  /* moves of the solution after which a plain bound is larger */
    int64_t positions, dead;   /* that the board reaches, and those of them that reach no goal */
    int64_t pieces, must_move; /* must_move: there is no solution in which one of them stays */
    int64_t rating;            /* 0 to 100 */
    const char *difficulty;    /* the rating as a word; NULL without one */
    int64_t box_changes, decomposition; /* Sokoban: turns to another box; to one of another group of boxes */
    bool cut;                           /* a limit left a figure out */
};

/* PZ_OK, PZ_CANCELLED, PZ_MEMORY. May set control->deadline meanwhile. Runs on request->threads threads. */
enum pz_status grade_board(const struct grade_question *question, struct control *control, struct grade *out,
                           struct pz_error *error);

/* Returns the word of metric= that is not the space's; NULL if the puzzle has one metric, and for sliding
 * boards that would take long by the other one. */
const char *grade_other_metric(const struct pz_space *space);

/* ---- the parts of it ---- */

/* Solves a board within the time of one part. *solvable and *moves (-1 without one) are as the result has
 * them; PZ_UNKNOWN also where the search failed. PZ_OK, PZ_CANCELLED. */
enum pz_status grade_solve(const struct solve_request *request, const struct pz_space *space,
                           const void *start, struct control *control, enum pz_answer *solvable,
                           int64_t *moves, struct pz_error *error);

/* pieces and must_move. PZ_OK, PZ_CANCELLED, PZ_MEMORY. */
enum pz_status grade_pieces(const struct grade_question *question, struct control *control, struct grade *out,
                            struct pz_error *error);

#endif
