/* SPDX-License-Identifier: MIT */
/*
 * For every set of k cells: the components into which those cells cut the others. The blank stays in one of
 * them until a tile of the set moves. Components are numbered set by set, in the order of their least cells.
 *
 * A table of a pattern database is a sequence of words:
 *
 *   the number of components · the index · zeros up to a whole cache line · for each component its run of
 * bits
 *
 * The index finds the component of a set that holds a cell. On grids of up to RANK_SMALL_CELLS cells it has a
 * word for each set: the number of its first component, and for each cell three bits to add. On larger ones
 * it has half a word for each set, with a mark if it has more than one component; then the cells of each.
 */
#ifndef PDB_COMPONENTS_H
#define PDB_COMPONENTS_H

#include "base/budget.h"
#include "explore/run/monitor.h"
#include "solve/pdb/rank.h"

enum { COMPONENT_FIRST_BITS = 16, COMPONENT_CELL_BITS = 3, COMPONENT_INDEX_AT = 1 };
static const uint32_t component_several = UINT32_C(1) << 31;

struct components {
    const struct rank *rank;
    uint64_t *mask;   /* of each set */
    uint32_t *first;  /* each set's first component; sets + 1 of them */
    uint64_t *region; /* the cells of each component */
    uint32_t count;
    struct budget *budget; /* has the bytes of both blocks; or NULL */
    size_t set_bytes;      /* of mask and first */
    size_t region_bytes;
};

/* Lists them. PZ_OK, PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT (deadline). components_clear frees what it holds, also
 * after a failure. */
enum pz_status components_init(struct components *components, const struct grid *grid,
                               const struct rank *rank, struct monitor *monitor, struct budget *budget,
                               struct pz_error *error);
void components_clear(struct components *components); /* a zeroed one is fine */

/* Return where a table on a larger grid has the cells of each component, where the runs begin in one of so
 * many components, and how many words it has. */
uint64_t component_regions_at(const struct rank *rank);
uint64_t component_runs_at(const struct rank *rank, uint64_t count);
uint64_t component_table_words(const struct rank *rank, uint64_t count);
/* Writes what comes before the runs. */
void component_index_write(const struct components *components, uint64_t *table);

/* Returns where a table describes a set. */
static inline uint64_t component_word_at(const struct rank *rank, uint32_t set)
{
    return COMPONENT_INDEX_AT + (rank->cells <= RANK_SMALL_CELLS ? set : set / 2);
}

/* Returns the number of the set's first component out of the word there. */
static inline uint32_t component_first(const struct rank *rank, uint64_t word, uint32_t set)
{
    if (rank->cells <= RANK_SMALL_CELLS)
        return (uint32_t)(word & ((1u << COMPONENT_FIRST_BITS) - 1));
    return (uint32_t)(word >> set % 2 * 32) & ~component_several;
}

/* Returns the component of a set that holds the cell, on grids of up to RANK_SMALL_CELLS cells. */
static inline uint32_t component_small(const uint64_t *index, uint32_t set, unsigned cell)
{
    const uint64_t word = index[set];
    return (uint32_t)(word & ((1u << COMPONENT_FIRST_BITS) - 1)) +
           (uint32_t)(word >> (COMPONENT_FIRST_BITS + COMPONENT_CELL_BITS * cell) &
                      ((1u << COMPONENT_CELL_BITS) - 1));
}

/* And on larger ones, by their finder: a word for each set, with the number of its first component, and from
 * bit COMPONENT_SECOND_AT on the cells of the second. Where that is not all, as there are more
 * components or more cells, it has the mark component_several. So a search waits for one word, and hardly
 * ever guesses a branch wrongly. */
enum { COMPONENT_SECOND_AT = 32, COMPONENT_SECOND_CELLS = 32 };
/* Fills the finder of a table: sets words. */
void component_finder_write(const struct rank *rank, const uint64_t *table, uint64_t *finder);

static inline uint32_t component_large(const uint64_t *finder, const uint64_t *region, uint32_t set,
                                       unsigned cell)
{
    const uint64_t word = finder[set];
    uint32_t component = (uint32_t)word & ~component_several;
    if (__builtin_expect((word & component_several) == 0, 1))
        return component + (uint32_t)(word >> COMPONENT_SECOND_AT >> cell % COMPONENT_SECOND_CELLS & 1);
    while ((region[component] >> cell & 1) == 0)
        component++;
    return component;
}

#endif
