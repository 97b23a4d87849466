/* SPDX-License-Identifier: MIT */
/* A walk through a stored table: one position, its distance modulo 4, and its neighbours. */
#ifndef EXPLORE_DENSE_WALK_H
#define EXPLORE_DENSE_WALK_H

#include "explore/dense/table/dense_table.h"
#include "explore/table/table_reader.h"

enum { WALK_STEPS_MAX = 8, WALK_NO_EDGE = 0xFF }; /* 2x8 by metric:multi: seven along the row, one across */

/* One move of the blank from a place. */
struct walk_step {
    uint8_t to;        /* place */
    uint8_t edge;      /* number in the geometry, or WALK_NO_EDGE for a move along the path */
    uint8_t direction; /* of the blank on the canonical grid */
    uint8_t cells;     /* how far: 1, or more by metric:multi; edge is then of the last one */
};

struct walk_steps {
    uint8_t count;
    struct walk_step step[WALK_STEPS_MAX]; /* those along the path first: they stay in the same two bytes */
};

struct dense_table;

/* A place in a table, on the way to the root. */
struct dense_walk {
    struct dense_table *table;
    struct dense_position at;
    unsigned mod4;      /* of its distance */
    unsigned came_from; /* place; DENSE_PLACES_MAX at the start */
    unsigned direction; /* of the last move */
};

struct dense_table {
    struct table_reader base;
    struct dense_geometry geometry;
    struct dense_layout layout;
    struct walk_steps place[DENSE_PLACES_MAX]; /* by one cell each */
    const uint8_t **chunk;                     /* by number: NULL where not asked for yet */
    struct dense_walk walk;                    /* where it stands */
    struct board board; /* the board there, after dense_start: unranking it at each step would cost more */
};

/* Returns the bytes of a class, as dense_table.h has them; NULL, with the reason in
 * *status, if they cannot be read. */
const uint8_t *walk_pair(struct dense_table *table, uint64_t number, enum pz_status *status,
                         struct pz_error *error);

/* Finds the distance modulo 4 of (class number, place). */
enum pz_status walk_mod4(struct dense_table *table, uint64_t number, unsigned place, unsigned *mod4,
                         struct pz_error *error);

/* Takes one move. */
void walk_take(const struct dense_table *table, struct dense_position *position, struct walk_step step);

/*
 * Finds the steps from a position of the given distance modulo 4 that lead one nearer to the root, or farther
 * from it.
 */
enum pz_status walk_find(struct dense_table *table, const struct dense_position *position, unsigned mod4,
                         bool nearer, struct walk_steps *out, struct pz_error *error);

/* Moves the walk to a position. */
enum pz_status walk_start(struct dense_table *table, const struct dense_position *position,
                          struct pz_error *error);
/* The format's nearer and home. */
enum pz_status walk_nearer(struct table_reader *reader, struct pz_error *error);
enum pz_status walk_home(struct table_reader *reader, uint32_t *moves, struct pz_error *error);
/* Finds the distance of a position. */
enum pz_status walk_distance(struct dense_table *table, const struct dense_position *position,
                             uint32_t *distance, struct pz_error *error);

#endif
