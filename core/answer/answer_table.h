/* SPDX-License-Identifier: MIT */
/*
 * The stored tables that answer questions: which one is asked, and which are open.
 *
 * A struct answers belongs to one thread at a time. answers_begin and answers_end enclose a batch of lookups,
 * in which opened tables stay open. Between batches nothing of the store is held.
 */
#ifndef ANSWER_ANSWER_TABLE_H
#define ANSWER_ANSWER_TABLE_H

#include "explore/table/table_reader.h"
#include "space/root_set.h"
#include "store/store.h"

enum { MATCH_WORDS = PZ_STATE_MAX / 8 };

/*
 * The table that answers a question. All positions of the goal and all symmetric variants of a puzzle share
 * one table, that of the canonical question; a match turns states of the question into states of that table
 * and back. Finding one takes longer than a lookup, so the last few are kept; their views only within a
 * batch.
 */
struct table_match {
    /* The question: states of this space, distances from the nearest of these roots. */
    const struct pz_puzzle *puzzle;
    uint32_t state_bytes;
    char size[PZ_SIZE_MAX];
    struct root_set roots;
    enum explore_from from; /* distances from the roots, or of all that they reach to the nearest goal */
    /* Its canonical form. */
    struct pz_space *canonical; /* owned; NULL when the puzzle has no canonical form: the space is its own */
    struct pz_canon canon;
    char name[STORE_NAME_MAX]; /* of the table */
    /* Its table, within a batch; NULL outside. */
    struct table_view *view;
    struct table_reader *reader; /* chosen by the format in its record; stays when the view goes */
    uint64_t used;               /* number of the last lookup that used it; the least is replaced */
};

/* Finds the canonical question, and writes the name of the table that holds the distances from its roots.
 * *canonical is the caller's to close; NULL where the puzzle has no canonical form. */
enum pz_status table_match_name(const struct pz_space *space, const void *roots, unsigned count,
                                enum explore_from from, struct pz_canon *canon, struct pz_space **canonical,
                                char out[STORE_NAME_MAX], struct pz_error *error);

enum pz_status table_match_init(struct table_match *match, const struct pz_space *space,
                                const struct root_set *roots, enum explore_from from, struct pz_error *error);
void table_match_clear(struct table_match *match);

/* Opens the table if it is not open; space is the question's. PZ_NO_TABLE if none is stored, PZ_STORAGE if
 * its record cannot be true. */
enum pz_status table_match_open(struct table_match *match, const struct pz_space *space, struct store *store,
                                struct pz_error *error);

/* Returns the space of the table's states: the canonical one, or the question's own. */
const struct pz_space *table_match_space(const struct table_match *match, const struct pz_space *space);
/* Turn a state of the question into one of the table, and back. space is the question's. */
void table_match_to_table(const struct table_match *match, const struct pz_space *space, const void *state,
                          void *canonical);
void table_match_from_table(const struct table_match *match, const struct pz_space *space,
                            const void *canonical, void *state);

/* The one of the two tables that is asked. */
enum answer_from {
    ANSWER_FROM_ROOT = FROM_ROOT,
    ANSWER_FROM_GOALS = FROM_GOALS,
    ANSWER_FROM_EITHER /* the goals' table; without it, answer_sample and answer_deepest take the root's */
};

enum { ANSWERS_TABLES = 8 }; /* open at a time */

struct answers {
    struct store *store;
    bool in_batch;
    uint64_t lookups;      /* the clock of match->used */
    struct root_set roots; /* explorations from these are asked for; none: from the puzzle's own root */
    struct table_match matches[ANSWERS_TABLES];
};

enum pz_status answers_new(struct store *store, struct answers **out, struct pz_error *error);
void answers_free(struct answers *answers);
void answers_begin(struct answers *answers);
void answers_end(struct answers *answers);

/* Makes tables of explorations from these roots answer from now on; NULL: from the puzzle's own root, as at
 * first. The states are copied; all spaces that are asked about until the next call must be of its puzzle and
 * size. */
void answers_ask_roots(struct answers *answers, const struct root_set *roots);

/* ---- for the files of this room ---- */

/* Fails with PZ_NO_TABLE: names the exploration that would make the table, and what that takes if it is
 * known; PZ_UNSUPPORTED where there can be none. */
enum pz_status table_match_missing(const struct table_match *match, const struct pz_space *space, bool parts,
                                   struct pz_error *error);

/* Finds and opens the table to ask. Where there is one goal and moves can be undone, it is the one of the
 * distances from that goal. *out is never NULL. */
enum pz_status answers_choose(struct answers *answers, const struct pz_space *space, enum answer_from from,
                              struct table_match **out, struct pz_error *error);
/* Returns true if the question is one of the distances from the only goal, whose moves can be undone. */
bool answers_begin_at_goal(const struct answers *answers, const struct pz_space *space,
                           enum answer_from from);
/* Returns true if the table has distances to the nearest goal. */
bool answers_to_goal(const struct table_match *match, const struct pz_space *space);
/* Ends every answer: outside a batch nothing stays open. Returns status. */
enum pz_status answers_ended(struct answers *answers, enum pz_status status);

/* Counts how often each value stands in a stored table. */

/* Finds a malloc'd array of counts: for an exploration, the states at each distance; for a pattern database,
 * the entries of each value, without those that no board has. Reads a whole database: half a second for 500
 * MB. */
enum pz_status table_histogram(struct store *store, const struct table_record *table, uint64_t **counts,
                               uint32_t *values, struct pz_error *error);
/* Adds for how many states the classes of a run stand (tws.h) to the numbers of their levels. */
void count_classes(const struct pz_space *space, const struct explore_run *run, uint64_t *all,
                   uint32_t levels);

#endif
