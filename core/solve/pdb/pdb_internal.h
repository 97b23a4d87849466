/* SPDX-License-Identifier: MIT */
/* Shared by the files of the pattern databases: which tables a partition has, and how lookups go to them. */
#ifndef PDB_INTERNAL_H
#define PDB_INTERNAL_H

#include "solve/pdb/pdb.h"

enum { PDB_NAME_MAX = 160 };

struct pdb_table {
    struct partition_shape shape; /* canonical */
    struct rank rank;
    const uint64_t *words; /* components.h says what they are */
    uint64_t *built;       /* the same words when they are mapped here, NULL when they are the archive's */
    uint64_t bytes;
    uint64_t *finder; /* components.h, of the first table of so many tiles on larger grids; else NULL */
    size_t finder_bytes;
    char name[PDB_NAME_MAX];
};

/* Fills in the distinct shapes of a partition; returns their number. */
unsigned pdb_shapes(const struct grid *grid, unsigned blank, const struct partition *partition,
                    struct partition_shape canonical[PARTITION_PATTERNS_MAX]);
/* Makes the tables of pdb->partition, named and without bytes. PZ_OK, PZ_MEMORY; pdb_close frees them. */
enum pz_status pdb_name_tables(struct pdb *pdb, struct pz_error *error);
/* Makes the slots once the tables are there. */
void pdb_make_slots(struct pdb *pdb);

/* A table's words, in memory or read one by one. */
struct pdb_words {
    const uint64_t *table;
    pdb_read_function *read; /* where there is no table */
    void *context;
    const char *name;
    enum pz_status status; /* PZ_OK, or why a word could not be read */
    struct pz_error *error;
};
/* Walks down from a state of a slot, with the blank in that cell of the table's grid, to the goal. Returns
 * the number of the pattern's moves; of no use if words->status reports a failure. */
unsigned pdb_walk_down(const struct pdb *pdb, const struct pdb_slot *slot, struct pdb_words *words,
                       struct pdb_place place, unsigned blank);
/* Finds the place of every slot on a board. */
void pdb_places(const struct pdb *pdb, const struct board *board, struct pdb_place places[PDB_SLOTS_MAX]);

#endif
