/* SPDX-License-Identifier: MIT */
/*
 * Builds one pattern database. It has, for every placement of the pattern's tiles, the least number of moves
 * of those tiles that brings them home, whatever the others do, at the best place of the blank.
 *
 * The states of the search are (set, order, component). A component is what the blank can reach of the free
 * cells without moving a pattern tile. It depends on the set alone; moves within it cost nothing and vanish.
 * For one set and component the orders are a run of bits. A move of a tile carries the whole run of one set
 * into that of another, as it is (along a row) or through one table (along a column). Each move changes the
 * colour sum of the set, and moves can be undone, so two levels live side by side in one plane of bits:
 *
 *   next = neighbours(current) AND NOT previous
 *
 * written over previous. No visited set, no hashing, no ranking; every byte has one writer, so no locks.
 */
#ifndef PDB_BUILD_H
#define PDB_BUILD_H

#include "base/team.h"
#include "solve/pdb/partition.h"
#include "solve/pdb/rank.h"
#include "solve/progress_timer.h"

enum { PDB_UNREACHED = 0xFF };

/* Returns about how many bytes a build takes beside the table itself: generous, except for very long
 * grids. */
uint64_t pdb_build_bytes(const struct grid *grid, unsigned tiles);

struct table_build {
    const struct grid *grid;
    const struct shape *shape; /* of rank->tiles cells */
    const struct rank *rank;
    struct team *team;
    struct progress_timer *timer;
    struct budget
        *budget;    /* what the build needs beside the table is taken from it and given back; or NULL */
    uint8_t *table; /* rank_entries(rank) bytes to fill */
};

/* Fills the table; placements that cannot be reached stay PDB_UNREACHED. PZ_OK, PZ_MEMORY, PZ_CANCELLED,
 * PZ_LIMIT (deadline). The owner of the team calls it. */
enum pz_status pdb_build(const struct table_build *request, struct pz_error *error);

#endif
