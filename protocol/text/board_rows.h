/* SPDX-License-Identifier: MIT */
/* Rows of boards, as boards.h reads them: what a line may be, and which rows are a board. */
#ifndef BOARD_ROWS_H
#define BOARD_ROWS_H

#include "protocol/text/text.h"

enum {
    BOARD_ROWS_CARS_MAX = 8, /* cells in a row of Rush Hour */
    BOARD_ROWS_TILES = 42,   /* cells of a sliding puzzle */
    BOARD_ROWS_MAX = 1000
};

enum board_kind {
    ROWS_OF_TILES,
    ROWS_OF_LEVELS,
    ROWS_OF_LETTERS,
    ROWS_OF_CARS,
    ROWS_NONE /* a line is a board */
};

/* The rows of a board, as long as it is not known if they are one. */
struct board_block {
    enum board_kind kind;
    unsigned height, columns;       /* ROWS_OF_TILES: of the puzzle's boards; 0 when they are not known */
    struct text rows;               /* each with its NUL */
    unsigned count;                 /* of them */
    unsigned line[BOARD_ROWS_MAX];  /* of each row */
    bool walled;                    /* ROWS_OF_LEVELS: a row has a wall */
    struct text title, goal, wrong; /* wrong: why it is no board, with the line */
};

/* Reads "3", "3x4" and "3x4,…", of so many cells at most. Returns false for anything else. */
bool board_rows_size(const char *text, unsigned cells, unsigned *rows, unsigned *columns);
/* Returns true if a line has nothing but the signs of a level, and numbers before them. */
bool board_rows_is_level(const char *line);
/* Returns how many players a line of a level has. */
unsigned board_rows_players(const char *line);
/* Returns true if a level in one line has a player and three rows or more, and ends with a row of walls. */
bool board_rows_is_closed(const char *level);
/* Returns true for "Author: me": a word, a colon, and more. */
bool board_rows_has_key(const char *line);
/* Returns true for "# words". */
bool board_rows_is_comment(const char *line);
/* Leaves the board of a line "58 BBoKMx… 9192", as in Fogleman's collection. Returns false for other lines.
 */
bool board_rows_of_fogleman(char *line);
/* Returns the row that a tag of .slc brings, "; and a title", or "" at a level's end; NULL for other tags. */
const char *board_rows_of_slc(char *line);
/* Notes why a line is no row. */
void board_rows_tell(struct board_block *block, unsigned number, const char *line);
/* Writes the rows of a block with '/' between them, and what is wrong with them into block->wrong. Returns
 * false if the block is a title, or a line between boards. */
bool board_rows_join(struct board_block *block, struct text *out);

#endif
