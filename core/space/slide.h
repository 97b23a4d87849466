/* SPDX-License-Identifier: MIT */
/* What the fast engines need to know of a sliding space beyond the general interface. */
#ifndef SPACE_SLIDE_H
#define SPACE_SLIDE_H

#include "board/board.h"
#include "puzzled/space.h"

extern const struct pz_puzzle slide_puzzle;

/* The grid of a slide space, NULL when the space is no sliding puzzle. */
const struct grid *slide_grid(const struct pz_space *space);
/* Whether it is the plain puzzle: a permutation of 0 … cells−1, no walls, no equal tiles. */
bool slide_is_plain(const struct pz_space *space);
/* Between states of a slide space and boards. */
void slide_board(const struct pz_space *space, const void *state, struct board *board);
void slide_state(const struct pz_space *space, const struct board *board, void *state);

#endif
