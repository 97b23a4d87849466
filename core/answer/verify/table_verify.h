/* SPDX-License-Identifier: MIT */
/* Checks a table that was made elsewhere against the rules of its puzzle, before anybody is answered from
 * it. */
#ifndef ANSWER_VERIFY_TABLE_VERIFY_H
#define ANSWER_VERIFY_TABLE_VERIFY_H

#include "store/store.h"

/*
 * Checks that the table has the name of its question here, and that the examples of each level have that
 * distance. For these and for thousands of positions on random walks it checks three things: only the root,
 * or a goal, has distance 0; the distances of neighbours fit together; and some neighbour is one move nearer.
 * PZ_STORAGE names the first contradiction; PZ_BAD_PUZZLE where the puzzle is not known here. Seconds at
 * most.
 */
enum pz_status table_verify(struct store *store, const struct table_record *table, struct pz_error *error);

#endif
