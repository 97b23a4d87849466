/* SPDX-License-Identifier: MIT */
/* Counts how often each value stands in a stored table. */
#ifndef ANSWER_TABLE_HISTOGRAM_H
#define ANSWER_TABLE_HISTOGRAM_H

#include "store/store.h"

/* Finds a malloc'd array of counts: for an exploration, the states at each distance; for a pattern database,
 * the entries of each value, without those that no board has. Reads a whole database: half a second for 500
 * MB. */
enum pz_status table_histogram(struct store *store, const struct table_record *table, uint64_t **counts,
                               uint32_t *values, struct pz_error *error);

#endif
