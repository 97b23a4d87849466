/* SPDX-License-Identifier: MIT */
/* All lower bounds of one board: those that need no database, and one for each stored set of databases. */
#ifndef ANSWER_HEURISTICS_H
#define ANSWER_HEURISTICS_H

#include "puzzled/space.h"
#include "store/store.h"

/* Called once for each bound: "manhattan", "linear-conflict", "walking-distance" and partitions ("7-8") for
 * plain sliding puzzles, collections ("1-4+5-8") for texts, "own" for others that have one. at_least is -1
 * where the bound could not be had, for want of memory. */
typedef void heuristic_function(void *context, const char *heuristic, int64_t at_least);

/* Entries of databases are read where they are stored. PZ_OK, also when there is no bound at all; PZ_MEMORY,
 * PZ_STORAGE. */
enum pz_status heuristics_each(struct store *store, const struct pz_space *space, const void *state,
                               heuristic_function *function, void *context, struct pz_error *error);

#endif
