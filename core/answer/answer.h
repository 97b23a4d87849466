/* SPDX-License-Identifier: MIT */
/*
 * Answers from stored tables, without a job: the distance of a state, its path, states at a distance.
 *
 * answer_table.h opens and closes the tables.
 */
#ifndef ANSWER_ANSWER_H
#define ANSWER_ANSWER_H

#include "answer/answer_table.h"
#include "board/pack.h"
#include "explore/table/table_reader.h"
#include "puzzled/space.h"
#include "solve/solve.h"
#include "store/store.h"

/* Writes the name of a table. It holds the distances from this root or, from the goals, the distances to the
 * nearest goal of all states that the root reaches. */
enum pz_status answer_table_name(const struct pz_space *space, const void *roots, unsigned count,
                                 enum explore_from from, char out[STORE_NAME_MAX], struct pz_error *error);

struct answer {
    enum pz_answer solvable; /* PZ_UNKNOWN: farther than a bounded exploration reached */
    int64_t moves;           /* -1 without one */
    bool to_goal;            /* moves to the nearest goal; else from the root */
    uint32_t beyond;         /* with PZ_UNKNOWN: the last complete level */
    char *path;              /* text, malloc'd, only when asked for; NULL otherwise */
    uint64_t job;            /* that made the table */
    uint64_t table;          /* the store's number for it; another one has another */
};

/*
 * Finds the distance of a state to the nearest goal, or from the root. PZ_NO_TABLE: no stored table answers
 * this. Where parity says that there is no solution, no table is needed. Where a space has one goal and moves
 * can be undone, explorations begin at the goal: their tables count as both kinds. Where it has no goal, the
 * distance is from the root. A path from the root is PZ_UNSUPPORTED where moves cannot be undone.
 */
enum pz_status answer_distance(struct answers *answers, const struct pz_space *space, enum answer_from from,
                               const void *start, bool with_path, struct answer *out, struct pz_error *error);

/*
 * Writes the distances to the goal of count boards of a plain sliding space, those of the cursor and after
 * it, and moves the cursor on. ANSWER_FAR: not reached by a bounded exploration. memo: ranking_row bytes, all
 * ANSWER_FAR at first, in which the calls for one goal remember what they find. NULL: each board is looked up
 * by itself, which takes some ten times as long.
 */
enum { ANSWER_FAR = TABLE_BOARD_FAR };
enum pz_status answer_boards(struct answers *answers, const struct pz_space *space,
                             struct ranking_cursor *cursor, uint8_t *memo, size_t count, uint8_t *distances,
                             struct pz_error *error);

/* Counts the shortest solutions of a state that a table holds at distance `moves` from the goal, and writes
 * the first `list` of them. Call it within a batch. PZ_MEMORY if they pass through more states than a lookup
 * has memory for. The caller frees out->paths. */
enum pz_status answer_solutions(struct answers *answers, const struct pz_space *space, const void *start,
                                int64_t moves, unsigned list, struct solutions *out, struct pz_error *error);

/* Some states of one level of a table, in the orientation of the space that was asked about. */
struct answer_states {
    void *states; /* malloc'd array; NULL when there are none, and after a status other than PZ_OK */
    unsigned count;
    uint32_t depth;
    uint64_t total; /* states in the level, 0 if not known; answer_deepest: or dead ones */
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

/* Finds the states of the last level, at most EXPLORE_DEEPEST_MAX. If dead is not 0, finds that many dead
 * states instead, from which no goal can be reached; PZ_NO_TABLE unless the table is a complete one of the
 * goals. */
enum pz_status answer_deepest(struct answers *answers, const struct pz_space *space, enum answer_from from,
                              unsigned dead, struct answer_states *out, struct pz_error *error);

struct answer_parts {
    uint64_t total; /* parts of the space */
    unsigned count;
    struct table_part *parts; /* malloc'd; NULL after a status other than PZ_OK */
    bool to_goal;
};

/* Reads the parts behind the first `after`, at most count of them; the largest part is the first. PZ_NO_TABLE
 * if no stored exploration has found them. */
enum pz_status answer_parts(struct answers *answers, const struct pz_space *space, enum answer_from from,
                            uint64_t after, unsigned count, struct answer_parts *out, struct pz_error *error);

/* All lower bounds of one board: those that need no database, and one for each stored set of databases. */

/* Called once for each bound: "manhattan", "linear-conflict", "walking-distance" and partitions ("7-8") for
 * plain sliding puzzles, collections ("1-4+5-8") for texts, "own" for others that have one. at_least is -1
 * where the bound could not be had, for want of memory. */
typedef void heuristic_function(void *context, const char *heuristic, int64_t at_least);

/* Entries of databases are read where they are stored. PZ_OK, also when there is no bound at all; PZ_MEMORY,
 * PZ_STORAGE. */
enum pz_status heuristics_each(struct store *store, const struct pz_space *space, const void *state,
                               heuristic_function *function, void *context, struct pz_error *error);

#endif
