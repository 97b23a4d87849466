/* SPDX-License-Identifier: MIT */
/*
 * The pages that LMDB builds its trees from. LMDB trusts them: a flipped bit in one makes it read outside the
 * map, stop the process, or pass over keys. So they are looked at before it is let near the file: every tree
 * is walked with every bound checked, keys in order, no page in two places, free pages free.
 *
 * Values are left to their own checksums. The layout is that of LMDB 0.9's file format 1 (mdb.c: MDB_meta,
 * MDB_db, MDB_page, MDB_node), in the machine's own byte order; it is written down in docs/storage.md.
 */
#ifndef STORE_PAGES_H
#define STORE_PAGES_H

#include "puzzled/status.h"

#include <stdint.h>

/* How much is read: all pages but those of large values; or the heads of these as well. */
enum pages_depth { PAGES_TREES, PAGES_ALL };

/* PZ_OK, also of a file without a single page; PZ_STORAGE with the first fault; PZ_MEMORY. The file must not
 * be written meanwhile. name stands before the texts. */
enum pz_status pages_check(int file, const char *name, enum pages_depth depth, struct pz_error *error);

#endif
