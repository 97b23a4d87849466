/* SPDX-License-Identifier: MIT */
/*
 * The index of the dense engine: how a sliding board becomes a number and a place, and what a move does to
 * them (docs/engines/dense.md derives it).
 *
 * A snake path visits the cells line by line, lines along the shorter side, every other line backwards.
 * Seen along it a board is (place of the blank, sequence of the T = cells - 1 tiles). A sequence is named by
 * its Lehmer digits, digit k = how many later tiles are smaller. Tiles are labelled 0 to T-1 in the order in
 * which the root has them, so that the root is all zeros. Moves along the path keep the sequence. Every other
 * edge of the grid joins places low < high and rotates the tiles low to high-1, which changes digits low to
 * high-1 and no others. Only even sequences occur; digit T-2 follows from parity and digit T-1 is 0, so a
 * *class* (a sequence) is the mixed-radix number of digits 0 to T-3, from 0 to T!/2 - 1.
 *
 * A place p has the colour p & 1, which every move changes, and is bit p >> 1 of the byte that a class has in
 * the plane of that colour.
 */
#ifndef EXPLORE_DENSE_GEOMETRY_H
#define EXPLORE_DENSE_GEOMETRY_H

#include "board/board.h"

#include <stdbool.h>
#include <stdint.h>

enum { DENSE_PLACES_MAX = 16, DENSE_EDGES_MAX = 9 };

/* A grid edge that is no step of the path: places low < high, high − low odd and at least 3. */
struct dense_edge {
    uint8_t low, high;
};

struct dense_geometry {
    struct grid grid; /* rows <= columns */
    uint8_t places;   /* cells */
    uint8_t tiles;    /* T */
    uint8_t width;    /* of a line of the path: the shorter side */
    bool multi;       /* one move takes the blank any way along a row or column; set after the rest */
    bool orbits; /* of multi: planes are by orbits (kernel_orbits.h), not by places; set after the rest */
    uint8_t root_place;
    uint8_t cell_of[DENSE_PLACES_MAX];  /* place → cell */
    uint8_t place_of[DENSE_PLACES_MAX]; /* cell → place */
    uint8_t label_of[DENSE_PLACES_MAX]; /* tile → its index in the root's sequence; [0] unused */
    uint8_t tile_of[DENSE_PLACES_MAX];  /* label → tile */
    uint8_t edge_count;
    struct dense_edge edge[DENSE_EDGES_MAX];
    /* span[k]: how many classes agree on the digits before k, (T−k)!/2 and never less than 1. One step of
     * digit k, k <= T−3, is span[k + 1] classes. */
    uint64_t span[DENSE_PLACES_MAX + 1];
    uint64_t classes; /* span[0] */
};

/* One board as the engine sees it. digit[] holds all T digits, the implied ones too. */
struct dense_position {
    uint64_t number; /* of the class */
    uint8_t place;   /* of the blank */
    uint8_t digit[DENSE_PLACES_MAX];
};

/* Returns true if the engine knows boards of this size: both sides 2 or more, 16 cells at most. */
bool dense_grid_fits(const struct grid *grid);
static inline unsigned dense_lines(const struct dense_geometry *geometry)
{
    return (unsigned)geometry->places / geometry->width;
}

/* Returns the cell of its line that a place lies in: every other line of the path goes backwards. */
static inline unsigned dense_column(const struct dense_geometry *geometry, unsigned place)
{
    const unsigned at = place % geometry->width;
    return place / geometry->width % 2 == 0 ? at : geometry->width - 1 - at;
}
static inline unsigned dense_place(const struct dense_geometry *geometry, unsigned line, unsigned column)
{
    return line * geometry->width + (line % 2 == 0 ? column : geometry->width - 1 - column);
}

/* For the root board_ordered(grid, blank); the grid fits and has rows <= columns. */
void dense_geometry_init(struct dense_geometry *geometry, const struct grid *grid, unsigned blank);

/* Fills *position. Returns false if the board (a permutation of the grid's cells) is not reachable from the
 * root. */
bool dense_position_of(const struct dense_geometry *geometry, const struct board *board,
                       struct dense_position *position);
void dense_board_of(const struct dense_geometry *geometry, const struct dense_position *position,
                    struct board *board);
void dense_position_unrank(const struct dense_geometry *geometry, uint64_t number, unsigned place,
                           struct dense_position *position);

/* Change digits low to high-1. Left: tile low goes behind tile high-1, and the others move up (the blank goes
 * from place high to place low). Right: the other way round. */
void dense_rotate_left(uint8_t *digit, unsigned low, unsigned high);
void dense_rotate_right(uint8_t *digit, unsigned low, unsigned high);

/* Replaces the digits by those from which crossing the edge leads to them. upward: the blank goes from place
 * low to high. */
void dense_unrotate(uint8_t *digit, const struct dense_edge *edge, bool upward);

/*
 * Returns where a class is reached from. offset names a class among the span[first] that share the digits
 * before first (<= edge->low), whose sum has the given parity. The result is the offset, among the same
 * classes, of the class from which crossing the edge leads to it.
 */
uint64_t dense_source_offset(const struct dense_geometry *geometry, const struct dense_edge *edge,
                             bool upward, unsigned parity, unsigned first, uint64_t offset);

/* Returns the parity (0, 1) of the sum of digits 0 … end−1 of class `number`. */
unsigned dense_prefix_parity(const struct dense_geometry *geometry, uint64_t number, unsigned end);

#endif
