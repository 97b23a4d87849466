/* SPDX-License-Identifier: MIT */
/* Random sets of pieces to choose from: thrown on an empty board, or one that was changed a little. */
#ifndef MAKE_BOARD_H
#define MAKE_BOARD_H

#include "protocol/text/text.h"

#include <stdbool.h>
#include <stdint.h>

enum make_puzzle {
    MAKE_RUSHHOUR,
    MAKE_KLOTSKI,
    MAKE_SOKOBAN,
    MAKE_JUGS,
    MAKE_LINKUP,
    MAKE_SLIDE,
    MAKE_PUZZLES
};

enum { MAKE_SIDE_MAX = 12, MAKE_JUGS_MAX = 8 };

struct make_plan {
    enum make_puzzle puzzle;
    unsigned rows, columns, pieces, walls; /* pieces: 0 for a random number */
    uint64_t most;                         /* moves */
    uint64_t seed;                         /* goes on with each board */
};

struct make_field {
    char cell[MAKE_SIDE_MAX][MAKE_SIDE_MAX];
    unsigned number[MAKE_JUGS_MAX], count, goal; /* jugs; of link-up the cells of its two tiles */
};

/* Reads the puzzle's name and its size, NULL for the usual. Returns what is wrong; NULL if nothing is. */
const char *make_plan_read(struct make_plan *plan, const char *puzzle, const char *size);
/* Returns true if makers know sets of pieces of that puzzle. */
bool make_plan_knows(const char *puzzle);
/* Returns true if the daemon is to find the hardest board of a set's space; else the set is the board. */
bool make_explored(const struct make_plan *plan);
/* Returns the memory that a set's space may take: cars of the usual number are hard in small ones. */
const char *make_memory(const struct make_plan *plan);
/* Throws the pieces. It may be no board by the puzzle's rules. */
void make_field_throw(struct make_plan *plan, struct make_field *field);
/* Takes a piece or two away and throws them again. */
void make_field_change(struct make_plan *plan, struct make_field *field);
/* Appends the name of the puzzle that begins with this board: "rushhour:…". */
void make_field_name(const struct make_plan *plan, const struct make_field *field, struct text *out);

#endif
