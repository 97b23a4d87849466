/* SPDX-License-Identifier: MIT */
/* Holds all that is stored against the rules of the puzzles; store_fsck checks what needs no rules. */
#ifndef ANSWER_VERIFY_CONTENTS_H
#define ANSWER_VERIFY_CONTENTS_H

#include "explore/explore.h"
#include "puzzled/space.h"
#include "space/root_set.h"
#include "store/store.h"

/* ---- what is in a table, held against its record and its job's levels: table_tally.c ---- */

/* The question that a stored table answers, read back from its name. */
struct table_question {
    struct pz_space *space; /* owned */
    struct root_set roots;
    enum explore_from from;
};

/* Reads "slide:3x3 root=1,2,… from=goals". PZ_STORAGE if it has no root; PZ_BAD_PUZZLE where the puzzle is
 * not known here. */
enum pz_status table_question_open(const char *name, struct table_question *question, struct pz_error *error);
void table_question_clear(struct table_question *question);

/*
 * Reads the whole table. In a table of runs, every key must be a state of the space, and each level have as
 * many as the job's levels say. Of a dense table the distances are known modulo 4 (modulo 3 with numbered
 * states), so the levels must add up to that. The record's depth and states must be those of the levels, and
 * the levels possible: PZ_STORAGE names the first contradiction. PZ_NO_TABLE: another has replaced it.
 */
enum pz_status table_tally(struct store *store, const struct table_record *table,
                           const struct table_question *question, struct pz_error *error);

/* ---- the levels of an exploration and their examples, held against the space: job_levels.c ---- */

/* Finds the examples of a level, all of them states of this space; count is 0 if there are none. The caller
 * frees out->states. PZ_STORAGE, and no states, if something else is stored. */
enum pz_status level_examples(struct store *store, const struct pz_space *space, uint64_t job, uint32_t level,
                              struct store_examples *out, struct pz_error *error);

struct job_levels {
    struct store_level *levels; /* owned */
    uint32_t count;
    uint64_t sum;
    uint64_t all; /* states that the space has from any root at most; 0 where that is not known ahead */
};

/* Reads the levels of a job that explored this space from so many roots. PZ_STORAGE if there cannot be such
 * levels: more roots, an empty level, more states than all successors of the level before, more than the
 * space has. */
enum pz_status job_levels_read(struct store *store, const struct pz_space *space, enum explore_from from,
                               unsigned roots, uint64_t job, struct job_levels *out, struct pz_error *error);
void job_levels_clear(struct job_levels *levels);
/* Returns the last level. There is one. */
static inline uint32_t job_levels_last(const struct job_levels *levels)
{
    return levels->levels[levels->count - 1].level;
}

/* Checks the examples of all levels: they are states of the space, and no more than the level has. */
enum pz_status job_levels_check_examples(struct store *store, const struct pz_space *space, uint64_t job,
                                         const struct job_levels *levels, struct pz_error *error);

/* ---- the whole: contents.c ---- */

/*
 * Checks a table that was made elsewhere, before anybody is answered from it: that the table has the name of
 * its question here, and that the examples of each level have that distance. For these and for thousands of
 * positions on random walks it checks three things: only the root, or a goal, has distance 0; the distances
 * of neighbours fit together; and some neighbour is one move nearer. PZ_STORAGE names the first
 * contradiction; PZ_BAD_PUZZLE where the puzzle is not known here. Seconds at most.
 */
enum pz_status table_verify(struct store *store, const struct table_record *table, struct pz_error *error);

/*
 * Checks the levels and the examples of every exploration that has ended, and every state of every table;
 * adds up each table (table_tally). Calls report, with one line without an LF, for each fault, and adds to
 * *faults. Leaves out puzzles that are not known here, and what store_fsck calls damaged. PZ_OK if all could
 * be looked at, whatever was found.
 */
enum pz_status contents_check(struct store *store, void (*report)(void *context, const char *fault),
                              void *context, uint64_t *faults, struct pz_error *error);

#endif
