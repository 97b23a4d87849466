/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds by their names, for partition=: "manhattan", "linear-conflict", "walking-distance" and
 * partitions of pattern databases ("7-8") for plain sliding puzzles, "gaps" for pancakes. Several with commas
 * between them are their maximum. By metric=multi its pattern databases ("5-5-5"), also without a name.
 */
#ifndef SOLVE_NAMED_BOUND_H
#define SOLVE_NAMED_BOUND_H

#include "base/budget.h"
#include "board/board.h"
#include "explore/control.h"
#include "puzzled/space.h"
#include "solve/solve_request.h"
#include "space/making.h"

enum { NAMED_BOUND_PARTS_MAX = 4 };

struct named_bound;

/* Returns true if the space has bounds with names. */
bool named_bound_has(const struct pz_space *space);
/* PZ_BAD_REQUEST (what is none, too many). */
enum pz_status named_bound_check(const struct pz_space *space, const char *names, struct pz_error *error);
/* Returns true if the request, by that method, is for a search by such a bound, and not for idastar_run,
 * which has faster walks for Manhattan distance alone and for databases alone. */
bool named_bound_takes(const struct solve_request *request, enum method method);

/* Makes the request's bound and sets request->bound to it: databases are loaded or built. PZ_BAD_REQUEST,
 * PZ_UNSUPPORTED (not on this size), PZ_TOO_LARGE, PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT. */
enum pz_status named_bound_open(struct solve_request *request, struct control *control,
                                struct named_bound **out, struct pz_error *error);
void named_bound_close(struct named_bound *bound); /* NULL is fine */

/*
 * Walking distance (Ken'ichiro Takahashi): a plain sliding puzzle seen along one axis. A state says how many
 * tiles of goal line g stand in line l, for all g and l, and which line has the blank. A move takes a tile
 * from a neighbouring line into the blank's. The least numbers of moves along both axes add up to a lower
 * bound.
 */

enum walking_axis { WALKING_ROWS, WALKING_COLUMNS };

struct walking {
    struct goal_space ends; /* first; reversible, with a lower bound */
    const struct grid *grid;
    enum walking_axis axis;
    unsigned lines;
    uint8_t home[GRID_CELLS_MAX]; /* line of each tile in the goal */
};

/* Makes the space of an axis; the goal is a permutation, the grid outlives the space. Returns false for more
 * than 7 lines, or lines of more than 15 cells, which are too many for a state. */
bool walking_init(struct walking *walking, const struct grid *grid, const struct board *goal,
                  enum walking_axis axis);

/* Finds the walking distance of a board, by A* for each axis. PZ_UNSUPPORTED where an axis is too long,
 * PZ_MEMORY where the budget is too small. */
enum pz_status walking_distance(const struct grid *grid, const struct board *goal, const struct board *board,
                                struct budget *budget, unsigned *distance, struct pz_error *error);

/* The distances of all states of both axes, for searches. */
struct walking_table;

/* PZ_UNSUPPORTED where an axis is too long or has more than WALKING_STATES_MAX states, PZ_MEMORY where the
 * budget is too small, PZ_CANCELLED, PZ_LIMIT. grid outlives the table. */
enum { WALKING_STATES_MAX = 4000000 };
enum pz_status walking_table_new(const struct grid *grid, const struct board *goal, struct budget *budget,
                                 const struct control *control, struct walking_table **out,
                                 struct pz_error *error);
void walking_table_free(struct walking_table *table); /* NULL is fine */
/* Returns the walking distance of a board. Any thread. */
unsigned walking_table_value(const struct walking_table *table, const struct board *board);

#endif
