/* SPDX-License-Identifier: MIT */
/*
 * For slide.c and slide_variant.c; others need slide.h.
 *
 * A *variant* has walls or equal tiles. Its tiles get new numbers: equal tiles share one, and all walls share
 * the next one. Inside, the plain machinery works on a board without the moves into walls. Its graph is part
 * of the graph of the puzzle whose walls are tiles, so lower bounds and parity carry over.
 */
#ifndef SPACE_SLIDE_PARTS_H
#define SPACE_SLIDE_PARTS_H

#include "board/pack.h"
#include "space/slide/slide.h"
#include "space/slide/slide_bound.h"

/* Sets of directions, a bit each. */
enum { SLIDE_WAYS = 1 << DIRECTION_COUNT };

/* One way out of a cell. */
struct slide_exit {
    uint8_t cell;
    uint8_t token; /* the direction that leads back, as a bit */
};

struct slide {
    struct pz_space base; /* first: a slide is a pz_space */
    struct grid grid;     /* without the ways into walls */
    struct pack_plan plan;
    struct board goal;
    uint64_t goal_state[PACK_WORDS_MAX];
    struct slide_bound bound;
    /* The exits of each cell, by the set of directions to leave out. */
    uint8_t exit_count[GRID_CELLS_MAX][SLIDE_WAYS];
    struct slide_exit exits[GRID_CELLS_MAX][SLIDE_WAYS][DIRECTION_COUNT];
};

/* ---- slide.c ---- */

/* Fills everything that follows from grid and goal, except puzzle and size. */
void slide_finish(struct slide *slide);
void slide_close(struct pz_space *space);
size_t slide_describe(const struct pz_space *space, const void *from, const void *to, char out[PZ_TEXT_MAX]);
enum pz_status slide_root(const struct pz_space *space, void *state, struct pz_error *error);
void slide_goal(const struct pz_space *space, void *state);
bool slide_is_goal(const struct pz_space *space, const void *state);
unsigned slide_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                      uint8_t *tokens);
unsigned slide_heuristic(const struct pz_space *space, const void *state);

/* ---- slide_variant.c ---- */

/* Returns true if the goal has walls or equal tiles, or, without a goal, the start has walls. Texts may be
 * NULL. */
bool slide_is_variant(const struct grid *grid, const char *goal, const char *start);
enum pz_status slide_open_variant(const struct grid *grid, const char *goal, const char *start,
                                  struct pz_space **out, struct pz_error *error);

#endif
