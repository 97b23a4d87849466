/* SPDX-License-Identifier: MIT */
/*
 * Makes levels group by group (explore/dense/group/group.h), for planes that are too large for memory. One
 * group of a level is decoded at a time; the others stay coded in a store of pieces. For each group the team
 * decodes its bytes and the packets that come from other groups. Then it makes the next level range by
 * range: a thread decodes the range's bytes of the level before, makes the new ones and codes them, all in
 * its own cache. The packets that leave a group are coded while the next group is decoded.
 */
#ifndef EXPLORE_DENSE_GROUPED_H
#define EXPLORE_DENSE_GROUPED_H

#include "explore/dense/group/grouped_setup.h"
#include "explore/dense/level/examples.h"
#include "explore/dense/level/orbit_sample.h"

struct grouped;

/* All of the setup must outlive it. Returns PZ_MEMORY without memory. */
enum pz_status grouped_new(const struct grouped_setup *setup, struct grouped **out, struct pz_error *error);
void grouped_free(struct grouped *grouped); /* NULL is fine */
/* Returns the bytes that grouped_new allocates. */
uint64_t grouped_bytes(const struct dense_geometry *geometry, const struct grouping *grouping,
                       unsigned threads);

/* Makes level 0: the root alone. */
enum pz_status grouped_begin(struct grouped *grouped, struct pz_error *error);
/* Called in place of begin: resumes a search that was cut off when it knew that level. Returns PZ_STORAGE if
 * its files are incomplete or damaged. */
enum pz_status grouped_go_on(struct grouped *grouped, uint32_t level, struct pz_error *error);
/*
 * Makes the next level and counts it. tick, PZ_CANCELLED and PZ_LIMIT are as in level_run; PZ_MEMORY and
 * PZ_STORAGE come from the store. After any of these the known level can still be read, but no other level
 * can be made.
 */
enum pz_status grouped_level(struct grouped *grouped, level_tick *tick, void *context, uint64_t *states,
                             struct pz_error *error);

/* Returns the number of the current group. */
uint32_t grouped_group(const struct grouped *grouped);

/* By orbits: returns what examples are chosen from; else NULL. */
struct orbit_examples *grouped_orbit_examples(struct grouped *grouped);

/* Chooses examples of the known level or of the one before it, as examples_choose does. */
enum pz_status grouped_examples(struct grouped *grouped, uint32_t level, struct examples *examples,
                                struct pz_error *error);

/* After the search: collects the states of a group in the kept levels, by the colour of their places. Each of
 * marks has a byte for each class of a group. */
enum pz_status grouped_marks(struct grouped *grouped, uint32_t group, uint8_t *const marks[2],
                             struct pz_error *error);

#endif
