/* SPDX-License-Identifier: MIT */
/* Distances and ways home from one table, in the table's own (canonical) states. */
#ifndef ANSWER_WALK_H
#define ANSWER_WALK_H

#include "answer/covering.h"

/* A way: (moves + 1) states of state_bytes, from the start to the root. malloc'd. */
struct way {
    uint8_t *states;
    uint32_t moves;
};

/* What a table says of a state: its distance; PZ_NO_TABLE when it does not hold it. space is the question's.
 */
enum pz_status walk_distance(const struct covering *covering, const struct pz_space *space, const void *state,
                             uint32_t *distance, struct pz_error *error);
/* The same with the way. */
enum pz_status walk_way(const struct covering *covering, const struct pz_space *space, const void *state,
                        struct way *way, struct pz_error *error);
/* The words for a way, seen in the question's own orientation: malloc'd text, NULL without memory. */
char *walk_words(const struct covering *covering, const struct pz_space *space, const struct way *way);

#endif
