/* SPDX-License-Identifier: MIT */
/*
 * Shared by the plain sliding puzzle (slide.c) and its variants (slide_variant.c). Others need slide.h. A
 * state is a packed board (board/pack.h). A token is the set of directions in which the blank would go back,
 * one bit each; by metric:multi both of the line that it came along, whose states are no farther than this
 * one.
 */
#ifndef SPACE_SLIDE_MACHINE_H
#define SPACE_SLIDE_MACHINE_H

#include "board/pack.h"
#include "puzzled/space.h"
#include "space/slide/slide_bound.h"

/* Sets of directions, a bit each. */
enum { SLIDE_WAYS = 1 << DIRECTION_COUNT };

/* One way out of a cell. */
struct slide_exit {
    uint8_t cell;
    uint8_t token; /* the direction that leads back, as a bit */
    uint8_t way;
};

struct slide {
    struct pz_space base; /* first: a slide is a pz_space */
    struct grid grid;     /* without the ways into walls */
    struct pack_plan plan;
    struct board goal;
    uint64_t goal_state[PACK_WORDS_MAX];
    bool multi; /* one move takes the blank any way along its row or column, metric:multi */
    struct slide_bound bound;
    /* The exits of each cell, by the set of directions to leave out. */
    uint8_t exit_count[GRID_CELLS_MAX][SLIDE_WAYS];
    struct slide_exit exits[GRID_CELLS_MAX][SLIDE_WAYS][DIRECTION_COUNT];
};

static inline const struct slide *slide_of(const struct pz_space *space)
{
    return (const struct slide *)space;
}
static inline void slide_unpack(const struct pz_space *space, const void *state, struct board *board)
{
    unpack_board(&slide_of(space)->plan, state, board);
}

/* Puts the tiles of a board, walls too, and returns its size. */
struct pz_size slide_put_board(const struct grid *grid, const struct board *board, pz_put_piece *put,
                               void *taker);
/* Fills everything that follows from grid, goal and multi, except puzzle and size. */
void slide_finish(struct slide *slide);
void slide_close(struct pz_space *space);
/* Writes the size's text without a goal. */
void slide_size(unsigned rows, unsigned columns, bool multi, char size[PZ_SIZE_MAX]);
extern const char *const slide_keys[];
size_t slide_describe(const struct pz_space *space, const void *from, const void *to, char out[PZ_TEXT_MAX]);
enum pz_status slide_root(const struct pz_space *space, void *state, struct pz_error *error);
void slide_goal(const struct pz_space *space, void *state);
bool slide_is_goal(const struct pz_space *space, const void *state);
unsigned slide_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                      uint8_t *tokens);
unsigned slide_heuristic(const struct pz_space *space, const void *state);

#endif
