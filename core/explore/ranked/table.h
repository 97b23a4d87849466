/* SPDX-License-Identifier: MIT */
/*
 * The stored table of a numbered space, and the answers in it.
 *
 * Layout. Two bits a state, by ascending number, the first in the lowest bits of a byte: its distance to the
 * root modulo 3, or 3 where it cannot be reached; in chunks of RANKED_CHUNK_BYTES (the last one shorter).
 * Neighbours' distances differ by one at most, so the table tells which is nearer: walking down to the root
 * gives the distance and a shortest path.
 *
 * To change the layout: give the table another format in explore.h, write its decoder beside this one, and
 * keep this one for tables that are already stored.
 */
#ifndef EXPLORE_RANKED_TABLE_H
#define EXPLORE_RANKED_TABLE_H

#include "explore/dense/table/table.h"
#include "explore/ranked/parts.h"
#include "explore/ranked/states.h"
#include "puzzled/space.h"

enum { RANKED_CHUNK_BYTES = 1 << 20 };

uint64_t ranked_table_bytes(uint64_t count); /* of all chunks */
/* Writes chunk `number` (room: RANKED_CHUNK_BYTES). Returns its length. */
size_t ranked_table_encode(const struct states *states, uint64_t number, uint8_t *chunk);

/* Returns the offset of the parts in a table that has them. */
uint64_t ranked_table_parts_at(uint64_t count);
/* Writes chunk `number` of the parts, counted from 0. Returns its length. */
size_t ranked_table_encode_parts(const struct ranked_parts *parts, uint64_t number, uint8_t *chunk);

/* A table to read. It is the caller's, and valid as long as its source. */
struct ranked_table {
    const struct pz_space *space;
    const void *root;
    bool to_goals;  /* distances to the nearest goal, not to the root */
    uint32_t depth; /* the last level */
    struct dense_source source;
};

/*
 * Finds the distance of a state and, if path is not NULL, a shortest path to the root: a malloc'd array of
 * distance + 1 states. With to_goals the distance of a state that reaches no goal is depth + 1, and it has no
 * path. Returns PZ_NO_TABLE if the root cannot be reached from it, PZ_STORAGE if the table
 * contradicts itself.
 */
enum pz_status ranked_table_walk(const struct ranked_table *table, const void *state, uint32_t *distance,
                                 uint8_t **path, struct pz_error *error);

/* Reads a part by its number: the largest is 0. all_bytes: of the whole table. Returns PZ_NO_TABLE beyond the
 * last, or if the table has none. */
enum pz_status ranked_table_part(const struct ranked_table *table, uint64_t all_bytes, uint64_t number,
                                 struct ranked_part *part, struct pz_error *error);
/* Returns the number of parts in the table. */
uint64_t ranked_table_part_count(const struct ranked_table *table, uint64_t all_bytes);

/* Draws different states at that distance, or, with to_goals and depth + 1, dead ones, by a seed, each
 * equally likely; states has room for count. *found is less if the level has no more, or if it is so narrow
 * that random draws do not hit it. */
enum pz_status ranked_table_sample(const struct ranked_table *table, uint32_t depth, uint64_t seed,
                                   unsigned count, uint8_t *states, unsigned *found, struct pz_error *error);

#endif
