/* SPDX-License-Identifier: MIT */
/*
 * Builds one pattern database: for every placement of the pattern's tiles and every component of the free
 * cells that may hold the blank, the least number of moves of those tiles that brings them home, whatever the
 * others do, and the blank into the goal's component. One bit of it is kept: (moves / 2) mod 2 (pdb.h).
 *
 * The states of the search are (set, order, component). Moves of the blank within a component cost nothing
 * and vanish. For one set and component the orders are a run of bits. A move of a tile carries the whole run
 * of one set into that of another, as it is (along a row) or through one table (along a column). Each move
 * changes the colour sum of the set, and moves can be undone, so two levels live side by side in one plane of
 * bits:
 *
 *   next = neighbours(current) AND NOT previous
 *
 * written over previous. No visited set, no hashing, no ranking; every word has one writer, so no locks.
 */
#ifndef PDB_BUILD_H
#define PDB_BUILD_H

#include "base/team.h"
#include "explore/control.h"
#include "puzzled/status.h"
#include "solve/pattern_archive.h"
#include "solve/pdb/components.h"
#include "solve/pdb/partition.h"

struct table_build {
    const struct grid *grid;
    const struct partition_shape *shape; /* of the rank's tiles */
    const struct components *components;
    struct team *team;
    struct monitor *monitor;
    struct budget *budget; /* what the build needs is taken from it and given back; or NULL */
    uint64_t *bits;        /* zeroed: for each component rank_run_words */
};

/* PZ_OK, PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT (deadline). The owner of the team calls it. */
enum pz_status pdb_build(const struct table_build *request, struct pz_error *error);

/*
 * ---- the turn ----
 *
 * Lets the whole process build pattern databases one at a time. Two builds of 7-8 at once would not fit where
 * one does, and a second request for the same databases finds them built.
 */

/* Waits for the turn. PZ_OK, and build_turn_give follows; PZ_CANCELLED, PZ_LIMIT (deadline). Reports the
 * phase "wait". control: NULL is fine. Any thread. */
enum pz_status build_turn_take(struct control *control, struct pz_error *error);
void build_turn_give(void);

/* ---- the archive ---- */

/* Returns true if stored bytes are a database as the context needs it. */
typedef bool archive_fits(const void *context, const uint8_t *bytes, size_t length);
/* Loads a database, unless there are bytes. PZ_OK; PZ_NO_TABLE and no bytes where it must be built, also if
 * it is damaged, which is logged; PZ_CANCELLED. archive: NULL is fine. */
enum pz_status archive_load_fitting(const struct pattern_archive *archive, const char *name,
                                    archive_fits *fits, const void *context, const uint8_t **bytes,
                                    size_t *length, struct pz_error *error);
/* Saves one. PZ_OK also when that fails, which is logged: the search can use what was built; PZ_CANCELLED. */
enum pz_status archive_save_built(const struct pattern_archive *archive, const char *name,
                                  const uint8_t *bytes, size_t length, struct pz_error *error);

#endif
