/* SPDX-License-Identifier: MIT */
/* Counts what is in a table, and holds it against what its record and its job's levels say. */
#ifndef ANSWER_VERIFY_TABLE_TALLY_H
#define ANSWER_VERIFY_TABLE_TALLY_H

#include "explore/explore.h"
#include "puzzled/space.h"
#include "store/store.h"

/* The question that a stored table answers, read back from its name. */

struct table_question {
    struct pz_space *space; /* owned */
    uint64_t root[PZ_STATE_MAX / 8];
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
 * the levels possible: PZ_STORAGE names the first contradiction.
 */
enum pz_status table_tally(struct store *store, const struct table_record *table,
                           const struct table_question *question, struct pz_error *error);

#endif
