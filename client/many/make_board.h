/* SPDX-License-Identifier: MIT */
/* Random boards to choose from: pieces thrown on an empty board. */
#ifndef MAKE_BOARD_H
#define MAKE_BOARD_H

#include <stdint.h>

enum make_puzzle { MAKE_RUSHHOUR, MAKE_KLOTSKI, MAKE_SOKOBAN, MAKE_PUZZLES };
extern const char *const make_names[MAKE_PUZZLES];

enum { MAKE_SIDE_MAX = 12, MAKE_BOARD_MAX = MAKE_SIDE_MAX * (MAKE_SIDE_MAX + 1) + 1 };

struct make_plan {
    enum make_puzzle puzzle;
    unsigned rows, columns, pieces; /* pieces: 0 for a random number */
    uint64_t seed;                  /* goes on with each board */
};

/* Reads the puzzle's name and its size, NULL for the usual. Returns what is wrong; NULL if nothing is. */
const char *make_plan_read(struct make_plan *plan, const char *puzzle, const char *size);
/* Draws a board, rows parted by '/'. It may be none by the puzzle's rules. */
void make_board(struct make_plan *plan, char out[MAKE_BOARD_MAX]);

#endif
