/* SPDX-License-Identifier: MIT */
/* Sliding puzzles, for engines that know more of them than the general interface. */
#ifndef SPACE_SLIDE_H
#define SPACE_SLIDE_H

#include "board/board.h"
#include "puzzled/space.h"

extern const struct pz_puzzle slide_puzzle;

/* Returns the grid of a plain sliding puzzle by moves of one tile, NULL for any other space. Plain: a
 * permutation of 0 … cells−1, no walls, no equal tiles. */
const struct grid *slide_grid(const struct pz_space *space);
/* Returns the grid of a plain sliding puzzle in either metric, NULL for any other space. */
const struct grid *slide_permutation(const struct pz_space *space);
/* Returns true for a plain sliding puzzle by moves of several tiles, metric:multi. */
bool slide_is_multi(const struct pz_space *space);
/* Returns how many states are reached from any state of a plain sliding puzzle of up to 20 cells, in either
 * metric: N!/2, or the cells of a line. 0 for any other space. */
uint64_t slide_states(const struct pz_space *space);
/* Returns true for a plain sliding puzzle of more than 2^64 states, in either metric. */
bool slide_is_endless(const struct pz_space *space);
/* Says why a board has no solution, as space_reason does. */
void slide_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);
/* Writes the goal of a space that has one. */
void slide_goal_board(const struct pz_space *space, struct board *board);
/* Turn states of a sliding space into boards, and back. */
void slide_board(const struct pz_space *space, const void *state, struct board *board);
void slide_state(const struct pz_space *space, const struct board *board, void *state);

#endif
