/* SPDX-License-Identifier: MIT */
/*
 * A check of the pages that LMDB builds its trees from. LMDB trusts them: one flipped bit makes it read
 * outside the map, stop the process, or pass over keys. So they are checked before LMDB opens the file. Every
 * tree is walked and every bound tested; keys must be in order, no page in two places, and free pages free.
 * Values have their own checksums.
 */
#ifndef STORE_DATABASE_PAGES_H
#define STORE_DATABASE_PAGES_H

#include "puzzled/status.h"

#include <stdint.h>

/* PAGES_TREES reads all pages except those of large values, PAGES_ALL also the heads of these. */
enum pages_depth { PAGES_TREES, PAGES_ALL };

/* Returns PZ_OK if the file is sound or empty, PZ_STORAGE with the first fault, or PZ_MEMORY. Nobody may
 * write the file meanwhile. name: begins the error's text. */
enum pz_status pages_check(int file, const char *name, enum pages_depth depth, struct pz_error *error);

#endif
