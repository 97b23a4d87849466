/* SPDX-License-Identifier: MIT */
/*
 * Numbers the placements of k pattern tiles on a grid by (set of cells, order of the tiles in it):
 *
 *   entry = set × k! + order
 *
 * A set is numbered among all sets of k cells in ascending order of its mask (the combinatorial number
 * system), by three table lookups; on small grids by two. An order is the lexicographic rank of the tiles
 * read along the ascending cells of the set. A move takes a tile from index `from` to index `to` of that
 * reading. A table that depends on k, from and to alone says what this does to the rank, so no search ever
 * ranks or unranks a permutation. A move along a row keeps the index, hence the order.
 */
#ifndef PDB_RANK_H
#define PDB_RANK_H

#include "board/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PDB_TILES_MAX = 8, RANK_CHUNKS = 3, RANK_SMALL_CELLS = 16 };

/*
 * The change of the rank by a tile that goes from index i to index j depends on the Lehmer digits i … j
 * alone, as do the digits there afterwards. They are one number, rank / low % count, of at most 1,680 values
 * on boards four wide. A table of those stays in the caches; one of all orders (80 KB for 8 tiles, 36 of them
 * in use) does not.
 */
struct turn {
    uint64_t by_low, by_count; /* 2³² / low and 2³² / count, rounded up: a product with a rank, shifted
                                * back by 32, is the exact quotient */
    uint32_t count;
    const uint16_t *change; /* by the digits: what is added to the rank, modulo 2¹⁶ */
};

/* The orders of k tiles under moves; immutable, shared by the whole process, never freed. A move passes over
 * fewer tiles than the grid has columns; longer turns are not there. */
struct order_turns {
    uint32_t orders;                                /* k! */
    struct turn one[PDB_TILES_MAX * PDB_TILES_MAX]; /* by from × PDB_TILES_MAX + to */
};

struct rank {
    unsigned cells, tiles;
    unsigned chunk_bits;
    uint32_t sets; /* C(cells, tiles) */
    const struct order_turns *turns;
    uint32_t *chunk[RANK_CHUNKS]; /* [tiles in the chunks below << chunk_bits | this chunk's cells] */
};

/* 1 <= tiles <= PDB_TILES_MAX. Fails with PZ_MEMORY only; rank_clear frees what it holds. Any thread. */
enum pz_status rank_init(struct rank *rank, unsigned rows, unsigned columns, unsigned tiles,
                         struct pz_error *error);
void rank_clear(struct rank *rank); /* a zeroed one is fine */

/* Returns the words of one bit for each order. */
static inline uint32_t rank_run_words(const struct rank *rank)
{
    return (rank->turns->orders + 63) / 64;
}

/* Returns the number of placements of the tiles, without making any table. */
uint64_t rank_count(unsigned cells, unsigned tiles);

/* Returns the number of a set given as a mask of rank->tiles cells. */
static inline uint32_t rank_set(const struct rank *rank, uint64_t mask)
{
    unsigned bits = rank->chunk_bits;
    uint64_t below = ((uint64_t)1 << bits) - 1;
    uint64_t low = mask & below;
    uint64_t middle = mask >> bits & below;
    uint64_t high = mask >> 2 * bits;
    unsigned in_low = (unsigned)__builtin_popcountll(low);
    unsigned in_both = in_low + (unsigned)__builtin_popcountll(middle);
    return rank->chunk[0][low] + rank->chunk[1][(uint64_t)in_low << bits | middle] +
           rank->chunk[2][(uint64_t)in_both << bits | high];
}

/* Returns what rank_set does, on grids of up to RANK_SMALL_CELLS cells: two chunks hold them all. */
static inline uint32_t rank_set_small(const struct rank *rank, uint64_t mask)
{
    enum { BITS = RANK_SMALL_CELLS / 2 };
    uint64_t low = mask & ((1u << BITS) - 1);
    unsigned in_low = (unsigned)__builtin_popcountll(low);
    return rank->chunk[0][low] + rank->chunk[1][in_low << BITS | mask >> BITS];
}

/* Returns the place of a cell in the reading of a set. */
static inline unsigned rank_index(uint64_t mask, unsigned cell)
{
    return (unsigned)__builtin_popcountll(mask & (((uint64_t)1 << cell) - 1));
}

/* Returns the rank of the order after a tile went from one index to another. */
static inline uint32_t rank_turned(const struct rank *rank, uint32_t order, unsigned from, unsigned to)
{
    const struct turn *turn = &rank->turns->one[from * PDB_TILES_MAX + to];
    uint32_t digits = (uint32_t)(order * turn->by_low >> 32);
    digits -= (uint32_t)(digits * turn->by_count >> 32) * turn->count;
    return (uint16_t)(order + turn->change[digits]);
}

/* Returns true if a move on the grid may take a tile from one index to the other. */
static inline bool rank_has_turn(const struct rank *rank, unsigned from, unsigned to)
{
    return rank->turns->one[from * PDB_TILES_MAX + to].change != NULL;
}

/* Makes a table of all turns, for whole runs of orders: the rank of the order after, by
 * (from × tiles + to) × orders + the rank before. The caller frees it; NULL without memory. */
uint16_t *rank_turn_table(const struct rank *rank);

/* Returns the rank of an order given as tile ordinals (0 … tiles−1) along the ascending cells. */
uint32_t rank_order(const uint8_t *ordinal, unsigned tiles);

#endif
