/* SPDX-License-Identifier: MIT */
/*
 * Iterative deepening for plain sliding puzzles: depth-first walks within a bound that rises until the goal
 * is found. An iteration walks every path that never turns back and whose length plus lower bound is within
 * its bound; `iteration.h` says how threads share one.
 *
 * Boards are those of the canonical grid with the ordered goal.
 */
#ifndef IDASTAR_DEEPENING_H
#define IDASTAR_DEEPENING_H

#include "solve/idastar/deepening_request.h"
#include "solve/idastar/iterations.h"

struct deepening_result {
    bool found;
    unsigned moves;
    uint8_t *move;                /* malloc'd directions; NULL unless found */
    unsigned at_least;            /* no solution is shorter */
    uint64_t generated, expanded; /* also those before the checkpoint that was gone on from */
    uint64_t last, previous;      /* by the last iterations that ended without the goal; 0 for none */
    struct iterations iterations; /* from the checkpoint on */
};

/*
 * Runs iterations with rising bounds until the goal is found. The length found is the least, whatever the
 * number of threads. The start must be solvable. PZ_OK and found, or PZ_LIMIT (deadline, node limit),
 * PZ_CANCELLED, PZ_MEMORY, PZ_TOO_LARGE (longer than WALK_DEPTH_MAX); the result's counters and `at_least`
 * hold for all of these. The caller frees result->move.
 */
enum pz_status deepening_run(const struct deepening *deepening, struct deepening_result *result,
                             struct pz_error *error);

/* Returns about how many bytes deepening_run takes, but for branches. The caller accounts for them. */
uint64_t deepening_bytes(const struct deepening *deepening);

#endif
