/* SPDX-License-Identifier: MIT */
/*
 * A bound for long searches: clusters of three and four boxes that hinder each other where no pair of them
 * does. Making the tables takes seconds to a minute, so that a search begins without them.
 */
#ifndef SPACE_SOKOBAN_CLUSTERS_H
#define SPACE_SOKOBAN_CLUSTERS_H

#include "base/budget.h"
#include "puzzled/space.h"
#include "space/sokoban/sokoban.h"

struct sokoban_clusters;

/* Returns true for a level of Sokoban with boxes enough, in either metric. */
bool sokoban_clusters_take(const struct pz_space *space);
/* Makes the tables of a level: of three boxes, and of four where there are no more than CLUSTERS_MAX sets of
 * so many squares and the budget has room. Returns NULL without memory, and if this thread's work is no
 * longer wanted (space/guard.h). The space outlives them. */
struct sokoban_clusters *sokoban_clusters_new(const struct pz_space *space, struct budget *budget);
void sokoban_clusters_free(struct sokoban_clusters *clusters); /* NULL is fine */
/* A solve_bound's of, with clusters as its context: at least the space's own bound, and not consistent
 * either. Any thread. */
unsigned sokoban_clusters_bound(const void *context, const void *state);

/* Adds the clusters of a state that need pushes beyond their parts. Returns false if there is no solution. */
bool sokoban_clusters_find(const struct sokoban_clusters *clusters, const uint8_t *state,
                           struct sokoban_hindrances *found);

#endif
