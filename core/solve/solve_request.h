/* SPDX-License-Identifier: MIT */
/* A question to the solvers, and their answer: what every method is given and what it fills. */
#ifndef SOLVE_SOLVE_REQUEST_H
#define SOLVE_SOLVE_REQUEST_H

#include "base/budget.h"
#include "explore/control.h"
#include "puzzled/space.h"
#include "solve/pattern_archive.h"
#include "solve/solve_words.h"

#include <stdint.h>

enum { ITERATIONS_MAX = 64 };

/* The cost of each iteration of an iterative deepening. */
struct iterations {
    unsigned count; /* the first ITERATIONS_MAX */
    struct {
        uint32_t bound;
        uint64_t generated; /* in it alone */
        double seconds;
    } each[ITERATIONS_MAX];
};

static inline void iterations_note(struct iterations *iterations, uint32_t bound, uint64_t generated,
                                   double seconds)
{
    if (iterations->count == ITERATIONS_MAX)
        return;
    iterations->each[iterations->count].bound = bound;
    iterations->each[iterations->count].generated = generated;
    iterations->each[iterations->count++].seconds = seconds;
}

/* Adds those of one search, but so many nodes of its last one. */
static inline void iterations_add(struct iterations *iterations, const struct iterations *search,
                                  uint64_t unlooked)
{
    for (unsigned i = 0; i < search->count; i++)
        iterations_note(iterations, search->each[i].bound,
                        search->each[i].generated - (i + 1 == search->count ? unlooked : 0),
                        search->each[i].seconds);
}

struct explore_checkpoint; /* explore/explore.h */

enum { SOLVE_PARTITION_MAX = 120 }; /* bytes of a partition's text, with its NUL */
enum { SOLVE_WEIGHT_MAX = 100 };

/* A consistent lower bound of the moves, or costs, from a state to a goal, 0 at a goal; PZ_HOPELESS or more
 * where none can be reached. */
struct solve_bound {
    unsigned (*of)(const void *context, const void *state);
    const void *context;
};

struct solve_request {
    const struct pz_space *space; /* holds the goal */
    const void *start;
    enum method method;
    unsigned threads;
    struct budget *budget;
    /* With NULL, databases live and die with the call: each 15-puzzle builds its own for some ten seconds. An
     * archive may be as little as a list in memory. */
    const struct pattern_archive *archive;
    /* "7-8", …; "manhattan" for none; of a text see abstraction/abstractions.h, "none" for none; NULL for the
     * best */
    const char *partition;
    const struct solve_bound
        *bound; /* METHOD_ASTAR, METHOD_IDASTAR: NULL for the space's own, if it has one */
    const struct explore_checkpoint *checkpoint; /* METHOD_IDASTAR; NULL for none */
    /* METHOD_IDASTAR on plain sliding puzzles, for counts that can be compared with published ones: */
    const char
        *order;  /* of the blank's moves by Manhattan distance, "ULRD", on one thread; NULL: the usual */
    bool forget; /* remember no boards */
    /* METHOD_ASTAR, METHOD_IDASTAR: the bound counts so many times, 1 to SOLVE_WEIGHT_MAX, or for A*
     * INFINITY; 0 for once. With more than 1 the path is at most so many times as long as a shortest one. */
    double weight;
    bool all;      /* count the shortest solutions (solve_check_all) */
    unsigned list; /* with all: how many of them to write out, or as many as 16 MiB hold */
};

#define SOLUTIONS_MAX ((uint64_t)INT64_MAX) /* as many or more: every client can read the number */

/* The shortest solutions of a start. */
struct solutions {
    bool known;
    uint64_t count; /* SOLUTIONS_MAX: so many or more */
    uint8_t *paths; /* listed times (moves + 1) states, malloc'd; NULL when there are none */
    unsigned listed;
    uint64_t onward; /* along the path that was found: moves that begin a shortest way from there, together */
    double seconds;  /* that counting took */
};

struct solve_result {
    enum outcome outcome;
    enum stop_reason reason;
    enum pz_answer solvable;
    enum method method; /* the one that answered */
    bool alone;         /* it ran on one thread, whatever the request offers */
    int64_t moves;      /* -1 without a solution */
    int64_t cost;       /* PZ_COSTS: of all moves together */
    int64_t
        at_least; /* OUTCOME_STOPPED, after PZ_CANCELLED, and with bound: no solution is shorter; else 0 */
    /* 0: the path is a shortest one. Else it is at most so many times as long: the request's weight, or by
     * INFINITY what was proven. */
    double bound;
    uint8_t *path;              /* (moves + 1) states from start to goal, malloc'd; NULL when there is none */
    struct pz_solution *direct; /* METHOD_DIRECT: what the puzzle said, malloc'd; else NULL */
    struct solutions solutions; /* with request->all */
    char partition[SOLVE_PARTITION_MAX]; /* of the databases that it went by, or "manhattan"; else "" */
    uint64_t expanded, generated;
    /* METHOD_IDASTAR, sliding puzzles: by the last iteration that ended without the goal, and by the one
     * before; 0 for none. */
    uint64_t bound_generated, previous_generated;
    struct iterations iterations; /* METHOD_IDASTAR: those that expanded and generated count */
    uint64_t peak_bytes;
    double seconds;        /* of the search; of one that went on from a checkpoint, also those before */
    double waited_seconds; /* before the search: databases loaded or built, a first attempt without any */
};

/* Checks, as solve_check does, that databases can be built for the space, by a partition if it is not NULL.
 * PZ_UNSUPPORTED, PZ_BAD_REQUEST. */
enum pz_status pdb_check(const struct pz_space *space, const char *partition, struct pz_error *error);

#endif
