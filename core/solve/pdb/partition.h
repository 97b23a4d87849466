/* SPDX-License-Identifier: MIT */
/*
 * Divides the tiles of the ordered board among the patterns of an additive database, and shows which patterns
 * are the same up to a symmetry of the grid. Tiles are named by their goal cells, sets of cells by masks (bit
 * c for cell c). The grid is the canonical one (rows <= columns).
 */
#ifndef PDB_PARTITION_H
#define PDB_PARTITION_H

#include "board/grid.h"

#include <stdbool.h>
#include <stddef.h>

enum { PARTITION_PATTERNS_MAX = 16, PARTITION_LAYOUTS_MAX = 8, PARTITION_TEXT_MAX = 40 };

struct partition {
    unsigned patterns;
    uint64_t cells[PARTITION_PATTERNS_MAX]; /* of each pattern's tiles in the goal */
    unsigned layouts;                       /* ways to divide the tiles, of which the best counts */
    uint16_t layout[PARTITION_LAYOUTS_MAX]; /* the patterns of each, a bit each */
    char text[PARTITION_TEXT_MAX];          /* "7-8", or the name of a collection of layouts */
};

/* Reads sizes and lays the patterns out, or finds a collection; partition: NULL to check only. PZ_BAD_REQUEST
 * when they are not 1 … 8 tiles each that add up to all the tiles of the board; the text says what would fit.
 */
enum pz_status partition_parse(const struct grid *grid, unsigned blank, const char *text,
                               struct partition *partition, struct pz_error *error);

/* Chooses a partition for a size: attempt 0 is the strongest sensible one, and each further one needs less
 * memory. Returns false when there is none left. */
bool partition_choice(const struct grid *grid, unsigned blank, unsigned attempt, struct partition *partition);

/*
 * A pattern's database depends on this alone: its cells, and the cells that the blank can reach from its goal
 * cell while those tiles stand still. Shapes that a symmetry carries into each other share one database.
 */
struct partition_shape {
    uint64_t cells, region;
};
void partition_shape_of(const struct grid *grid, unsigned blank, uint64_t cells,
                        struct partition_shape *shape);
/* Finds the least shape among the images. Returns the number (in symmetry_maps) of a symmetry that leads to
 * it. */
unsigned shape_canonical(const struct grid *grid, const struct partition_shape *shape,
                         struct partition_shape *canonical);

/* Returns the cells that can be reached from `cell` through `open`, which holds it. */
uint64_t mask_region(const struct grid *grid, uint64_t open, unsigned cell);
/* Returns the cells of one of the two colours of a chessboard. */
uint64_t mask_odd_cells(const struct grid *grid);
/* Returns the colour of a set: each move of one of its tiles changes it. */
static inline unsigned mask_colour(uint64_t odd, uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask & odd) & 1;
}
/* Returns the image of a set of cells. */
uint64_t mask_map(uint64_t mask, const uint8_t *map);

#endif
