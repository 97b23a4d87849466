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
#include "space/making.h"

/*
 * A consistent lower bound of the moves between two sliding boards: Manhattan distance, plus two moves for
 * each tile that has to leave a line so that others of the line can pass (linear conflict: Hansson, Mayer,
 * Yung 1992).
 */
struct slide_bound {
    uint8_t rows, columns;
    bool conflicts; /* every tile has one goal cell, so lines have an order */
    uint8_t home_row[GRID_CELLS_MAX + 1], home_column[GRID_CELLS_MAX + 1]; /* of each tile */
    uint8_t distance[64][GRID_CELLS_MAX]; /* tile, cell: to the nearest of the tile's goal cells */
};

/* Sets of directions, a bit each. */
enum { SLIDE_WAYS = 1 << DIRECTION_COUNT };

/* One way out of a cell. */
struct slide_exit {
    uint8_t cell;
    uint8_t token; /* the direction that leads back, as a bit */
    uint8_t way;
};

struct slide {
    struct goal_space ends; /* first: a slide is a pz_space */
    struct grid grid;       /* without the ways into walls */
    struct pack_plan plan;
    struct board goal;
    const uint8_t *value; /* what stands in texts for the tiles of boards; NULL: themselves */
    bool multi;           /* one move takes the blank any way along its row or column, metric:multi */
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

/* Fills everything that follows from grid, goal and multi, except puzzle and size. */
void slide_finish(struct slide *slide);
/* Writes the size's text without a goal. */
void slide_size(unsigned rows, unsigned columns, bool multi, char size[PZ_SIZE_MAX]);
extern const char *const slide_keys[];
/* As struct pz_puzzle's. */
size_t slide_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
size_t slide_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
struct pz_size slide_pieces(const struct pz_space *space, const void *state, const char *path,
                            pz_put_piece *put, void *taker);
size_t slide_describe(const struct pz_space *space, const void *from, const void *to, char out[PZ_TEXT_MAX]);
unsigned slide_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                      uint8_t *tokens);
enum pz_answer slide_solvable(const struct pz_space *space, const void *start);
unsigned slide_heuristic(const struct pz_space *space, const void *state);

/* ---- slide_variant.c ---- */

/* Returns true if the grid is a torus, the goal has walls or equal tiles, or, without a goal, the start has
 * walls. Texts may be NULL. */
bool slide_is_variant(const struct grid *grid, const char *goal, const char *start);
enum pz_status slide_open_variant(const struct grid *grid, const char *goal, const char *start, bool multi,
                                  struct pz_space **out, struct pz_error *error);

#endif
