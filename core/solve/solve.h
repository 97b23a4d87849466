/* SPDX-License-Identifier: MIT */
/*
 * One start, one goal: a shortest solution. Every method is optimal. The request chooses one; METHOD_AUTO
 * takes the one that is expected to be fastest on the puzzle.
 */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "solve/solve_request.h"

#include <stdlib.h>
#include <string.h>

const char *method_word(enum method method);

/* PZ_OK with a result (also unsolvable, also stopped at a limit), PZ_BAD_REQUEST (threads, partition),
 * PZ_CANCELLED, PZ_UNSUPPORTED, PZ_MEMORY, PZ_TOO_LARGE. A request for all solutions has a path even if it is
 * stopped while they are counted. The caller calls solve_result_free after PZ_OK. After PZ_CANCELLED the
 * result still has the method, the counters and what was proven (at_least). */
enum pz_status solve_run(const struct solve_request *request, struct control *control,
                         struct solve_result *result, struct pz_error *error);
void solve_result_free(struct solve_result *result);

/* Checks that the question can be put at all, without searching; looks at the space, the method and what
 * chooses a search and its counts. PZ_UNSUPPORTED (a method that does not fit the puzzle, a partition of what
 * is no plain sliding puzzle), PZ_BAD_REQUEST (no partition of this board, what does not go together). Any
 * thread. */
enum pz_status solve_check(const struct solve_request *request, struct pz_error *error);

/* Reads a weight: 1 to SOLVE_WEIGHT_MAX, of six digits at most, as "%g" writes it, or "inf".
 * PZ_BAD_REQUEST. */
enum pz_status solve_read_weight(const char *text, double *weight, struct pz_error *error);

/* Checks that the solutions can be counted: PZ_UNSUPPORTED for a puzzle that solves itself. */
enum pz_status solve_check_all(const struct pz_space *space, struct pz_error *error);

/* Answers what needs no search: PZ_YES when the start is a goal (0 moves), PZ_NO when there is no solution
 * (parity). PZ_UNKNOWN otherwise, also where a solution is known to exist but not its length. */
enum pz_answer solve_known(const struct pz_space *space, const void *start);

/* Makes the pattern databases of a plain sliding puzzle or of a text ahead of any question about its goal. */
struct pdb_build_request {
    const struct pz_space *space;
    const char *partition; /* NULL for the best of the size that fits the budget */
    unsigned threads;
    struct budget *budget;
    const struct pattern_archive *archive;
};

struct pdb_build_result {
    enum outcome outcome;
    enum stop_reason reason;
    char partition[SOLVE_PARTITION_MAX]; /* the one that was made */
    unsigned tables;      /* distinct ones: patterns that a symmetry carries into each other share one */
    uint64_t bytes;       /* of all of them */
    uint64_t built_bytes; /* of those that were not in the archive before */
    uint64_t peak_bytes;
    double seconds;
};

/* PZ_OK (also stopped at the deadline), PZ_UNSUPPORTED, PZ_BAD_REQUEST (no partition of this board),
 * PZ_TOO_LARGE (the text names a smaller one that fits), PZ_MEMORY, PZ_CANCELLED. Progress has the phase
 * "pdb". */
enum pz_status pdb_build_run(const struct pdb_build_request *request, struct control *control,
                             struct pdb_build_result *result, struct pz_error *error);

/* Returns the words of a path of (moves + 1) states, "UULD" or "pour:1>2,fill:1", malloc'd; NULL without
 * memory. */
char *solve_path_text(const struct pz_space *space, const uint8_t *path, int64_t moves);

#endif
