/* SPDX-License-Identifier: MIT */
/*
 * Pattern databases of metric=multi, where one move takes several tiles along a line: of the blank and some
 * of the tiles, the least number of moves that bring them home, whatever the other tiles do. One move may
 * carry tiles of two patterns, so values do not add up: the greatest counts. It is consistent. Where a
 * reflection keeps the goal's blank in place, the reflected board is looked up in the same tables, too.
 *
 * An entry is a byte. Its number has a digit for the blank and for each tile, the cell it is in, to the base
 * of the grid's cells. So a tile that moves adds the same to the number wherever the others are. (Numbers
 * without gaps would take a third of the memory on 4x4, and ranking at each node.)
 *
 * As struct pdb: of the ordered board of a canonical grid, immutable once opened.
 */
#ifndef PDB_MULTI_TABLES_H
#define PDB_MULTI_TABLES_H

#include "puzzled/space.h"
#include "solve/pdb/pdb.h"

#include <assert.h>

enum {
    MULTI_CELLS_MAX = 25,
    MULTI_TABLES_MAX = 8,
    MULTI_LOOKUPS_MAX = 16, /* of the board and its reflection */
    MULTI_LOOKUPS_FEW = 8
};

struct multi_tables {
    struct grid grid;
    unsigned blank;  /* the goal's, there */
    unsigned tiles;  /* of each pattern */
    unsigned tables; /* of patterns: tiles that follow each other; those of the last two may overlap */
    unsigned lookups;
    uint64_t bytes;       /* of each table */
    uint64_t built_bytes; /* of those that were made by multi_open */
    const uint8_t *table[MULTI_TABLES_MAX];
    uint8_t *built[MULTI_TABLES_MAX]; /* the same where it is mapped here, NULL where it is the archive's */
    char text[PARTITION_TEXT_MAX];    /* "5-5-5" */
    const struct pattern_archive *archive;
    struct budget *budget;
    const uint8_t *lookup[MULTI_LOOKUPS_MAX]; /* its table */
    /* What a tile in a cell adds to the number of an entry, lookup by lookup; tile 0 is the blank. */
    uint32_t term[MULTI_CELLS_MAX][MULTI_CELLS_MAX][MULTI_LOOKUPS_MAX];
};

/* Returns true for a plain sliding puzzle by metric=multi that there are tables for: of two rows and columns
 * or more, and up to MULTI_CELLS_MAX cells. */
bool multi_takes(const struct pz_space *space);
/* PZ_BAD_REQUEST if no tables of the grid have that name. */
enum pz_status multi_check(const struct grid *grid, const char *partition, struct pz_error *error);
/* Loads the tables or builds, and saves, them: as pdb_open. Without a partition the largest that the limits
 * of the budget let be built. `patterns` is ignored. */
enum pz_status multi_open(const struct pdb_request *request, struct multi_tables **out,
                          struct pz_error *error);
void multi_close(struct multi_tables *tables); /* NULL is fine */
/* Returns the lower bound of a board of the canonical grid. */
unsigned multi_value(const struct multi_tables *tables, const struct board *board);

/* As pdb_look_up. */
enum pz_status multi_look_up(const struct pdb_request *request, const struct board *board,
                             pdb_read_function *read, void *context, unsigned *value, struct pz_error *error);

/* The numbers of a board's entries. */
struct multi_places {
    uint32_t number[MULTI_LOOKUPS_MAX];
};

void multi_places_of(const struct multi_tables *tables, const struct board *board,
                     struct multi_places *places);

/* The tile of a cell goes into the blank's beside it. */
INLINE void multi_places_move(const struct multi_tables *tables, struct multi_places *places, unsigned tile,
                              unsigned from, unsigned to)
{
    const uint32_t *gone = tables->term[tile][from];
    const uint32_t *come = tables->term[tile][to];
    const uint32_t *blank_gone = tables->term[BOARD_BLANK][to];
    const uint32_t *blank_come = tables->term[BOARD_BLANK][from];
    for (unsigned i = 0; i < MULTI_LOOKUPS_FEW; i++)
        places->number[i] += come[i] - gone[i] + blank_come[i] - blank_gone[i];
    if (tables->lookups > MULTI_LOOKUPS_FEW)
        for (unsigned i = MULTI_LOOKUPS_FEW; i < MULTI_LOOKUPS_MAX; i++)
            places->number[i] += come[i] - gone[i] + blank_come[i] - blank_gone[i];
}

/* Returns the greatest value, or the first one above `most`. */
INLINE unsigned multi_places_value(const struct multi_tables *tables, const struct multi_places *places,
                                   unsigned most)
{
    unsigned greatest = 0;
    for (unsigned i = 0; i < tables->lookups && greatest <= most; i++) {
        assert(places->number[i] < tables->bytes);
        const unsigned value = tables->lookup[i][places->number[i]];
        greatest = value > greatest ? value : greatest;
    }
    return greatest;
}

#endif
