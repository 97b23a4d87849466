/* SPDX-License-Identifier: MIT */
/* A table that was made elsewhere, held against the rules of its puzzle before anybody is answered from it.
 */
#ifndef ANSWER_TABLE_VERIFY_H
#define ANSWER_TABLE_VERIFY_H

#include "store/store.h"

/*
 * Checks what a stored table says: its name is that of its question here; the root, or a goal, has distance
 * 0; the examples of each level have that distance; and of these and of thousands of positions on random
 * walks no two neighbours contradict each other, and each has the neighbour through which its shortest path
 * goes. PZ_STORAGE names the first contradiction; PZ_BAD_PUZZLE where the puzzle is not known here. Seconds
 * at most.
 */
enum pz_status table_verify(struct store *store, const struct table_record *table, struct pz_error *error);

#endif
