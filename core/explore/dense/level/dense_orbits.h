/* SPDX-License-Identifier: MIT */
/*
 * Levels of metric:multi by orbits (docs/engines/planes.md): the next level of a group of classes, from its
 * bytes of the known level and what crosses from other groups.
 *
 * A state's *line* is all states that the blank reaches along its line of the path without leaving the class,
 * its *column* those across the lines. A byte of a class has a bit for each column, named by its state in
 * line 1, and one for each line. The root's line and column are level 0. A state's distance is one more than
 * the nearer of its two orbits', but the root's is 0.
 */
#ifndef EXPLORE_DENSE_ORBITS_H
#define EXPLORE_DENSE_ORBITS_H

#include "explore/dense/level/dense_level.h"
#include "explore/dense/level/orbit_sample.h"

/* Returns true if a byte has room for the puzzle's lines and columns. */
static inline bool orbits_fit(const struct dense_geometry *geometry)
{
    return geometry->width + dense_lines(geometry) <= 8 && dense_lines(geometry) > 2;
}

struct orbits;

/* All parts must outlive it. The planes are of a group: colour 0 is the known level, colour 1 the one made,
 * in windows. seed: of examples. Returns PZ_MEMORY without memory. */
enum pz_status orbits_new(const struct level_parts *parts, uint64_t seed, struct orbits **out,
                          struct pz_error *error);
void orbits_free(struct orbits *orbits); /* NULL is fine */
/* Returns the bytes that orbits_new allocates, for groups of so many classes. */
uint64_t orbits_bytes(const struct dense_geometry *geometry, uint64_t classes, unsigned threads);

/* Numbers of a group in a level. Its states are one farther, but for those that a column reached. */
struct orbits_counts {
    uint64_t orbits;
    uint64_t fresh; /* states of its lines that a column reached */
    uint64_t rest;  /* and their other states */
};

/* Makes the group's next level. sparse: few of its classes have an orbit. Returns as level_run does. */
enum pz_status orbits_run(struct orbits *orbits, bool sparse, level_tick *tick, void *context,
                          struct orbits_counts *counts);

/* Finds the root's orbits: the classes of its line and of its column, and their bits. */
struct orbits_root {
    uint64_t number[2];
    uint8_t bit[2];
};
struct orbits_root orbits_root(const struct dense_geometry *geometry);

/* Ends a level of so many orbits, all of whose groups were made: chooses its examples, and begins the next
 * one's. */
void orbits_end_level(struct orbits *orbits, uint32_t level, uint64_t count);
/* Returns the examples of a level, the newest one or the one before it. */
struct orbit_examples *orbits_examples(struct orbits *orbits);

#endif
