/* SPDX-License-Identifier: MIT */
/* Shared by the files of the pattern databases: which tables a partition has, and how lookups go to them. */
#ifndef PDB_PARTS_H
#define PDB_PARTS_H

#include "solve/pdb/pdb.h"

enum { PDB_NAME_MAX = 160 };

struct pdb_table {
    struct shape shape; /* canonical */
    struct rank rank;
    const uint8_t *bytes;
    uint8_t *built; /* the same bytes when they are mapped here, NULL when they are the archive's */
    char name[PDB_NAME_MAX];
};

/* Fills in the distinct shapes of a partition; returns their number. */
unsigned pdb_shapes(const struct grid *grid, unsigned blank, const struct partition *partition,
                    struct shape canonical[PARTITION_PATTERNS_MAX]);
/* Makes the tables of pdb->partition, named and without bytes. PZ_OK, PZ_MEMORY; pdb_close frees them. */
enum pz_status pdb_name_tables(struct pdb *pdb, struct pz_error *error);
/* Makes the slots once the tables are there. */
void pdb_make_slots(struct pdb *pdb);

#endif
