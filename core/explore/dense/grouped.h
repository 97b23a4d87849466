/* SPDX-License-Identifier: MIT */
/*
 * Levels made group by group (explore/dense/group.h), for planes that memory does not hold as they are. Of a
 * level one group at a time is decoded; all else lies coded in a store of pieces. For each group the team
 * decodes its bytes and what comes over its borders, makes the next level range by range, each from its coded
 * bytes of the level before to the coded bytes of the new one in a thread's own cache, and codes what leaves
 * over its borders while the next group is decoded.
 */
#ifndef EXPLORE_DENSE_GROUPED_H
#define EXPLORE_DENSE_GROUPED_H

#include "explore/dense/border.h"
#include "explore/dense/examples.h"
#include "explore/dense/level.h"
#include "explore/pieces/pieces.h"

struct grouped;

struct grouped_parts {
    const struct plan *plan;
    const struct grouping *grouping;
    const struct kernel *kernel;
    struct team *team;
    struct control *control; /* may be NULL */
    struct arena *arena;     /* for borders */
    struct pieces *pieces;   /* they stay the caller's */
};

/* All parts must outlive it. PZ_MEMORY. */
enum pz_status grouped_new(const struct grouped_parts *parts, struct grouped **out, struct pz_error *error);
void grouped_free(struct grouped *grouped); /* NULL is fine */
/* Bytes that grouped_new allocates. */
uint64_t grouped_bytes(const struct dense_geometry *geometry, const struct grouping *grouping,
                       unsigned threads);

/* Makes level 0: the root alone. */
enum pz_status grouped_begin(struct grouped *grouped, struct pz_error *error);
/* Goes on, in place of begin, where a search was cut off that knew that level. PZ_STORAGE when what it left
 * is not all there or damaged. */
enum pz_status grouped_go_on(struct grouped *grouped, uint32_t level, struct pz_error *error);
/*
 * Makes the next level and counts it. tick is level_run's. PZ_CANCELLED and PZ_LIMIT are level_run's too;
 * PZ_MEMORY and PZ_STORAGE come from the store. After any of these the level that was known is still there to
 * be looked at, but no other can be made.
 */
enum pz_status grouped_level(struct grouped *grouped, level_tick *tick, void *context, uint64_t *states,
                             struct pz_error *error);

/* examples_choose, of the level that is known or of the one before it. */
enum pz_status grouped_examples(struct grouped *grouped, uint32_t level, struct examples *examples,
                                struct pz_error *error);

#endif
