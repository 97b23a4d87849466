/* SPDX-License-Identifier: MIT */
/* A question to IDA* on plain sliding puzzles, as it stands on the canonical grid, and one search for it. */
#ifndef IDASTAR_QUESTION_H
#define IDASTAR_QUESTION_H

#include "solve/pdb/multi_tables.h"
#include "solve/solver.h"

#include "solve/idastar/walk/idastar_kernel.h"

/* A side of the search: where it begins, seen from where it ends. */
struct idastar_side {
    struct board_view view;
    struct board start;
    struct pdb_state known; /* the start, by the databases */
};

/* The question on the canonical grid. */
struct idastar_question {
    const struct solve_request *request;
    struct control *control;
    struct grid grid; /* canonical */
    struct idastar_side side, other;
    bool backward; /* the side is that of the goal */
    struct manhattan manhattan;
    struct move_order order; /* with the request's */
    struct pdb *pdb;
    struct multi_tables *multi; /* by metric=multi */
    struct budget few;          /* of small ones, in a trial */
    unsigned threads;
    bool tried;                   /* as long as databases take to build, by Manhattan distance */
    unsigned bound;               /* the search begins at it */
    unsigned proven;              /* no solution is shorter: the bound, or what a trial has found */
    uint64_t generated, expanded; /* by trials that count */
};

/* PZ_UNSUPPORTED for other puzzles, PZ_BAD_REQUEST (the order of moves). */
enum pz_status idastar_question_init(struct idastar_question *question, const struct solve_request *request,
                                     struct control *control, struct pz_error *error);
/* Returns true if moves take several tiles: then the tables of metric=multi are needed. */
static inline bool idastar_question_is_multi(const struct idastar_question *question)
{
    return multi_takes(question->request->space);
}
/* Returns how many boards a walk remembers, as a power of two: all walks together may take a quarter of the
 * memory. By the limits alone: trials and the search, and the same limits, have the same number. */
unsigned idastar_remember_bits(const struct solve_request *request);
/* Runs one deepening, with databases when there are any. node_limit 0 for none; PZ_LIMIT when it was met. */
enum pz_status idastar_search(struct idastar_question *question, uint64_t node_limit,
                              struct solve_result *result, struct pz_error *error);
/* Counts the shortest solutions, by the bound that the search went by. */
enum pz_status idastar_count_solutions(const struct idastar_question *question, struct solve_result *result,
                                       struct pz_error *error);

#endif
