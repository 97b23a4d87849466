/* SPDX-License-Identifier: MIT */
/*
 * Answers from stored tables, without a job: the distance of a state, its path, states at a distance.
 *
 * A struct answers belongs to one thread at a time. answers_begin and answers_end enclose a batch of lookups,
 * in which opened tables stay open. Between batches nothing of the store is held.
 */
#ifndef ANSWER_ANSWER_H
#define ANSWER_ANSWER_H

#include "puzzled/space.h"
#include "solve/solve.h"
#include "store/store.h"

struct answers;
enum pz_status answers_new(struct store *store, struct answers **out, struct pz_error *error);
void answers_free(struct answers *answers);
void answers_begin(struct answers *answers);
void answers_end(struct answers *answers);

/* Writes the name under which the table of the distances from this root is stored, or of the distances of all
 * that it reaches to the nearest goal. */
enum pz_status answer_table_name(const struct pz_space *space, const void *root, enum explore_from from,
                                 char out[STORE_NAME_MAX], struct pz_error *error);

/* Which of the two tables is asked. */
enum answer_from {
    ANSWER_FROM_ROOT = FROM_ROOT,
    ANSWER_FROM_GOALS = FROM_GOALS,
    ANSWER_FROM_EITHER /* of the goals; answer_sample and answer_deepest take that of the root without it */
};

struct answer {
    enum pz_answer solvable; /* PZ_UNKNOWN: farther than a bounded exploration reached */
    int64_t moves;           /* -1 without one */
    bool to_goal;            /* moves to the nearest goal; else from the root */
    uint32_t beyond;         /* with PZ_UNKNOWN: the last complete level */
    char *path;              /* text, malloc'd, only when asked for; NULL otherwise */
    uint64_t job;            /* that made the table */
};

/*
 * Finds the distance of a state to the nearest goal, or from the root. PZ_NO_TABLE: no stored table answers
 * this. A pair that parity refuses needs none. Where a space has one goal and moves can be undone, its
 * explorations begin at the goal, and their tables are of both kinds. Where it has no goal, the distance is
 * from the root. A path from the root is PZ_UNSUPPORTED where moves cannot be undone.
 */
enum pz_status answer_distance(struct answers *answers, const struct pz_space *space, enum answer_from from,
                               const void *start, bool with_path, struct answer *out, struct pz_error *error);

/* Counts the shortest solutions of a state that a table has, so many moves from the goal, and writes the
 * first `list` of them; within a batch. PZ_MEMORY where they pass through more states than memory is spent
 * on. The caller frees out->paths. */
enum pz_status answer_solutions(struct answers *answers, const struct pz_space *space, const void *start,
                                int64_t moves, unsigned list, struct solutions *out, struct pz_error *error);

/* Some states of one level of a table, in the orientation of the space that was asked about. */
struct answer_states {
    void *states; /* malloc'd array; NULL when there are none, and after a status other than PZ_OK */
    unsigned count;
    uint32_t depth;
    uint64_t total; /* answer_deepest: states in the level, or dead ones */
    bool to_goal;   /* as in struct answer */
    bool uniform;   /* answer_sample: every state of the level was equally likely */
    bool complete;  /* the table holds every state: no level lies beyond its last one */
};

struct answer_wanted {
    uint32_t depth;
    unsigned count;
    uint64_t seed; /* the same seed finds the same states */
    enum answer_from from;
};

/* Finds states at exactly that distance, different from each other. Fewer than count when the level has no
 * more, none beyond the last level; PZ_NO_TABLE beyond the depth of a bounded exploration. */
enum pz_status answer_sample(struct answers *answers, const struct pz_space *space,
                             const struct answer_wanted *wanted, struct answer_states *out,
                             struct pz_error *error);

/* Finds the states of the last level, at most EXPLORE_DEEPEST_MAX; where dead is not 0, instead, in a table
 * of the goals, so many of those from which no goal can be reached. */
enum pz_status answer_deepest(struct answers *answers, const struct pz_space *space, enum answer_from from,
                              unsigned dead, struct answer_states *out, struct pz_error *error);

#endif
