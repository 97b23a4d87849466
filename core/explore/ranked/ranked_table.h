/* SPDX-License-Identifier: MIT */
/*
 * The stored table of a space with a ranking function, and its reader.
 *
 * Layout. Two bits a state, by ascending number, the first in the lowest bits of a byte: its distance to the
 * root modulo 3, or 3 where it cannot be reached; in chunks of RANKED_CHUNK_BYTES (the last one shorter).
 * Neighbours' distances differ by one at most, so the table shows which is nearer: walking down to the root
 * gives the distance and a shortest path.
 *
 * To change the layout: give the table another format in explore.h, write its reader beside ranked_reader.c,
 * and keep the old reader for tables that are already stored.
 */
#ifndef EXPLORE_RANKED_RANKED_TABLE_H
#define EXPLORE_RANKED_RANKED_TABLE_H

#include "explore/ranked/ranked_components.h"
#include "explore/ranked/states.h"
#include "explore/table/table_reader.h"

#include <stddef.h>

enum { RANKED_CHUNK_BYTES = 1 << 20, RANKED_BYTE_STATES = 4 };

uint64_t ranked_table_bytes(uint64_t count); /* of all chunks */
/* Writes chunk `number` (room: RANKED_CHUNK_BYTES). Returns its length. */
size_t ranked_table_encode(const struct states *states, uint64_t number, uint8_t *chunk);

/* Returns the offset of the components in a table that has them. */
uint64_t ranked_table_parts_at(uint64_t count);
/* Writes chunk `number` of the components, counted from 0. Returns its length. */
size_t ranked_table_encode_parts(const struct ranked_components *parts, uint64_t number, uint8_t *chunk);

/* ---- reading ---- */

extern const struct table_format ranked_format;

/* Says why a stored table's states have no numbers, as space_count returned 0: PZ_MEMORY; or PZ_STORAGE for a
 * space that never has any, whose table is damaged. */
enum pz_status ranked_unnumbered(const struct pz_space *space, const char *name, struct pz_error *error);

#endif
