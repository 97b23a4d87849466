/* SPDX-License-Identifier: MIT */
/*
 * Sliding puzzles with walls or equal tiles, or whose rows and columns are closed (a torus): *variants*. The
 * tiles get new numbers: equal tiles share one, and all walls share the next one. Inside, the plain machinery
 * works on a board without the moves into walls. The graph is part of the graph of the puzzle whose walls are
 * tiles, so lower bounds and parity carry over.
 */
#ifndef SPACE_SLIDE_VARIANT_H
#define SPACE_SLIDE_VARIANT_H

#include "board/grid.h"
#include "puzzled/space.h"

/* Returns true if the grid is a torus, the goal has walls or equal tiles, or, without a goal, the start has
 * walls. Texts may be NULL. */
bool slide_is_variant(const struct grid *grid, const char *goal, const char *start);
enum pz_status slide_open_variant(const struct grid *grid, const char *goal, const char *start, bool multi,
                                  struct pz_space **out, struct pz_error *error);

#endif
