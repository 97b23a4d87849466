/* SPDX-License-Identifier: MIT */
/* Holds all that is stored against the rules of the puzzles; store_fsck checks what needs no rules. */
#ifndef ANSWER_VERIFY_CONTENTS_H
#define ANSWER_VERIFY_CONTENTS_H

#include "store/store.h"

/* Checks a table that was made elsewhere against the rules of its puzzle, before anybody is answered from
 * it. */

/*
 * Checks that the table has the name of its question here, and that the examples of each level have that
 * distance. For these and for thousands of positions on random walks it checks three things: only the root,
 * or a goal, has distance 0; the distances of neighbours fit together; and some neighbour is one move nearer.
 * PZ_STORAGE names the first contradiction; PZ_BAD_PUZZLE where the puzzle is not known here. Seconds at
 * most.
 */
enum pz_status table_verify(struct store *store, const struct table_record *table, struct pz_error *error);

/*
 * Checks the levels and the examples of every exploration that has ended, and every state of every table;
 * adds up each table (table_tally.h). Calls report, with one line without an LF, for each fault, and adds to
 * *faults. Leaves out puzzles that are not known here, and what store_fsck calls damaged. PZ_OK if all could
 * be looked at, whatever was found.
 */
enum pz_status contents_check(struct store *store, void (*report)(void *context, const char *fault),
                              void *context, uint64_t *faults, struct pz_error *error);

#endif
