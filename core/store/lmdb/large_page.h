/* SPDX-License-Identifier: MIT */
/*
 * The heads of large values. LMDB finds such a value by the tree alone, but frees and copies as many pages as
 * its head says, and does not check that number. The tree says what must stand there.
 */
#ifndef STORE_LARGE_PAGE_H
#define STORE_LARGE_PAGE_H

#include "store/lmdb/environment.h"

/* Returns the start of the map, computed from the page of a small value that store_open checked. NULL on
 * failure. */
const uint8_t *large_page_map(const struct environment *environment, MDB_txn *txn);
/* Returns true if the value is small, or its head is right. The value must be in the map. */
bool large_page_good(const struct environment *environment, const uint8_t *map, const MDB_val *key,
                     const MDB_val *value);
/* Writes the right head into the file. Returns false if that cannot be done. Writer thread. */
bool large_page_mend(const struct environment *environment, const uint8_t *map, const MDB_val *value);

#endif
