/* SPDX-License-Identifier: MIT */
/* Pattern databases of a size, opened for a test. */
#ifndef TESTS_PDB_FIXTURE_H
#define TESTS_PDB_FIXTURE_H

#include "solve_support.h"

#include "solve/pdb/pdb.h"

static inline struct pdb *open_databases(const char *size, unsigned blank, const char *partition,
                                         unsigned threads)
{
    static struct budget budget;
    struct grid grid;
    struct pdb *pdb = NULL;
    struct pz_error error;
    if (atomic_load(&budget.used) == 0) /* else others are open */
        budget_init(&budget, NULL, (uint64_t)4 << 30);
    assert_ok(grid_parse(&grid, size, &error), error);
    struct pdb_request request = {
        .grid = &grid, .blank = blank, .partition = partition, .threads = threads, .budget = &budget};
    assert_ok(pdb_open(&request, &pdb, &error), error);
    return pdb;
}

/* ---- numbering ---- */

#endif
