/* SPDX-License-Identifier: MIT */
/*
 * One start, one goal: a shortest solution. Every method is optimal. The request chooses one; METHOD_AUTO
 * takes the one that is expected to be fastest on the puzzle.
 */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "base/budget.h"
#include "explore/control.h"
#include "puzzled/space.h"
#include "solve/words.h"

#include <stdlib.h>
#include <string.h>

const char *method_word(enum method method);
/* Returns METHOD_COUNT when the word names none. */
enum method method_from_word(const char *word);

/*
 * Pattern databases come from and go to the caller through this: solve/ knows no LMDB. Names are like
 * "pdb:4x4:7-8:…". A view stays valid until release. Called by the thread that called solve_run only.
 */
struct pattern_archive {
    void *context;
    /* PZ_OK and the bytes, verified and not to be written to; PZ_NO_TABLE when there is none; PZ_CANCELLED,
     * as from save, when the search is to end. After any other error, PZ_STORAGE for damage, the database is
     * built again. */
    enum pz_status (*load)(void *context, const char *name, const uint8_t **bytes, size_t *length,
                           struct pz_error *error);
    void (*release)(void *context, const char *name, const uint8_t *bytes, size_t length);
    enum pz_status (*save)(void *context, const char *name, const uint8_t *bytes, size_t length,
                           struct pz_error *error);
};

struct explore_checkpoint; /* explore/explore.h */

struct solve_request {
    const struct pz_space *space; /* holds the goal */
    const void *start;
    enum method method;
    unsigned threads;
    struct budget *budget;
    /* With NULL, databases live and die with the call: each 15-puzzle builds its own for some ten seconds. An
     * archive may be as little as a list in memory. */
    const struct pattern_archive *archive;
    const char *partition; /* "7-8", …; "manhattan" for none; NULL for the best of the size */
    const struct explore_checkpoint *checkpoint; /* METHOD_IDASTAR; NULL for none */
    bool all;                                    /* count the shortest solutions (solve_check_all) */
    unsigned list;                               /* with all: how many of them to write out */
};

#define SOLUTIONS_MAX ((uint64_t)INT64_MAX) /* as many or more: every client can read the number */

/* The shortest solutions of a start. */
struct solutions {
    bool known;
    uint64_t count; /* SOLUTIONS_MAX: so many or more */
    uint8_t *paths; /* listed times (moves + 1) states, malloc'd; NULL when there are none */
    unsigned listed;
    double seconds; /* that counting took */
};

struct solve_result {
    enum outcome outcome;
    enum stop_reason reason;
    enum pz_answer solvable;
    enum method method;         /* the one that answered */
    int64_t moves;              /* -1 without a solution */
    int64_t at_least;           /* OUTCOME_STOPPED: no solution is shorter */
    uint8_t *path;              /* (moves + 1) states from start to goal, malloc'd; NULL when there is none */
    struct pz_solution *direct; /* METHOD_DIRECT: what the puzzle said, malloc'd; else NULL */
    struct solutions solutions; /* with request->all */
    char partition[40]; /* METHOD_IDASTAR: of the databases that it went by, or "manhattan"; else "" */
    uint64_t expanded, generated;
    uint64_t peak_bytes;
    double seconds;        /* of the search; of one that went on from a checkpoint, also those before */
    double waited_seconds; /* before the search: databases loaded or built, a first attempt without any */
};

/* PZ_OK with a result (also unsolvable, also stopped at a limit), PZ_BAD_REQUEST (threads, partition),
 * PZ_CANCELLED, PZ_UNSUPPORTED, PZ_MEMORY, PZ_TOO_LARGE. A request for all solutions has a path even if it is
 * stopped while they are counted. The caller calls solve_result_free after PZ_OK. */
enum pz_status solve_run(const struct solve_request *request, struct control *control,
                         struct solve_result *result, struct pz_error *error);
void solve_result_free(struct solve_result *result);

/* Checks that the question can be put at all, without searching: PZ_UNSUPPORTED (a method that does not fit
 * the puzzle, a partition of what is no plain sliding puzzle), PZ_BAD_REQUEST (no partition of this board).
 * Any thread. */
enum pz_status solve_check(const struct pz_space *space, enum method method, const char *partition,
                           struct pz_error *error);

/* Checks that the solutions can be counted: PZ_UNSUPPORTED for a puzzle that solves itself. */
enum pz_status solve_check_all(const struct pz_space *space, struct pz_error *error);

/* Answers what needs no search: PZ_YES when the start is a goal (0 moves), PZ_NO when there is no solution
 * (parity). PZ_UNKNOWN otherwise, also where a solution is known to exist but not its length. */
enum pz_answer solve_known(const struct pz_space *space, const void *start);

enum { PDB_VERSION = 2 }; /* of the stored tables; their names tell it */
/* Returns true if the table of that name was made by an earlier version: nothing reads it. */
static inline bool pdb_name_is_old(const char *name)
{
    const char *version = strstr(name, ":v");
    return strncmp(name, "pdb:", 4) == 0 && version != NULL && strtol(version + 2, NULL, 10) < PDB_VERSION;
}

/* Makes the pattern databases of a plain sliding puzzle ahead of any question about its goal. */
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
    char partition[40];   /* the one that was made */
    unsigned tables;      /* distinct ones: patterns that a symmetry carries into each other share one */
    uint64_t bytes;       /* of all of them */
    uint64_t built_bytes; /* of those that were not in the archive before */
    uint64_t peak_bytes;
    double seconds;
};

/* As solve_check, for a build. */
enum pz_status pdb_check(const struct pz_space *space, const char *partition, struct pz_error *error);

/* PZ_OK (also stopped at the deadline), PZ_UNSUPPORTED, PZ_BAD_REQUEST (no partition of this board),
 * PZ_TOO_LARGE (the text names a smaller one that fits), PZ_MEMORY, PZ_CANCELLED. Progress has the phase
 * "pdb". */
enum pz_status pdb_build_run(const struct pdb_build_request *request, struct control *control,
                             struct pdb_build_result *result, struct pz_error *error);

/* Returns the words of a path of (moves + 1) states, "UULD" or "pour:1>2,fill:1", malloc'd; NULL without
 * memory. */
char *solve_path_text(const struct pz_space *space, const uint8_t *path, int64_t moves);

#endif
