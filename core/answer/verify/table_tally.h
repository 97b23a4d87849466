/* SPDX-License-Identifier: MIT */
/* Counts what is in a table, and holds it against what its record and its job's levels say. */
#ifndef ANSWER_VERIFY_TABLE_TALLY_H
#define ANSWER_VERIFY_TABLE_TALLY_H

#include "answer/verify/table_question.h"
#include "store/store.h"

/*
 * Reads the whole table. In a table of runs, every key must be a state of the space, and each level have as
 * many as the job's levels say. Of a dense table the distances are known modulo 4 (modulo 3 with numbered
 * states), so the levels must add up to that. The record's depth and states must be those of the levels, and
 * the levels possible: PZ_STORAGE names the first contradiction.
 */
enum pz_status table_tally(struct store *store, const struct table_record *table,
                           const struct table_question *question, struct pz_error *error);

#endif
