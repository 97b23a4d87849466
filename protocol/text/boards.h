/* SPDX-License-Identifier: MIT */
/*
 * The boards of a text, in the forms that people write: one a line, or a block of rows, which a blank line or
 * a remark ends. What the letters of a board mean is the puzzle's matter; here it is decided which lines
 * belong together. The title of a block is in the last remark before it ("; 12 Corridor", a line of words,
 * Id="…" of .slc), or after it as "Title:". Docs: docs/puzzles.md, "Boards in files".
 *
 * No line is left out without a reason: a line that can be no row and no remark makes an error of its block.
 */
#ifndef BOARDS_H
#define BOARDS_H

#include "protocol/text/board_rows.h"
#include "protocol/text/lines.h"

/* BAD: it can be no row, but belongs to the block. SIZE: of the next board. WHOLE: a board by itself. */
enum line_kind { LINE_BLANK, LINE_ROW, LINE_BAD, LINE_REMARK, LINE_SIZE, LINE_GOAL, LINE_WHOLE };

struct boards {
    struct lines lines;
    struct board_block block;         /* the rows so far */
    bool remarks;                     /* ROWS_NONE: a line with # or ; is one */
    unsigned size_rows, size_columns; /* as a line before the block says; 0 if none does */
    bool closed;                      /* the block is complete, its title may still come */
    bool full;                        /* of tiles: all rows are there, a goal may still come */
    bool goal_behind;                 /* it came behind the rows */
    struct text level;                /* of Sokoban, in one line that may go on in the next */
    unsigned level_line;              /* where it begins */
    struct text remark;               /* for the next one */
    char *kept;                       /* a line that was read too early; NULL for none */
    unsigned given;                   /* the line with which the last board ended */
    bool has_words, has_board, none;  /* a line with something in it was read, a board was handed out; there
                                         were lines and no board */
};

/* A board of the text. All are malloc'd. */
struct board_text {
    char *board;   /* rows separated by '/' */
    char *title;   /* "" without one, NULL for a board on a line of its own */
    char *goal;    /* of a line "goal: BOARD"; NULL without one */
    char *wrong;   /* why it is none, with the line; NULL if it may be one */
    char *place;   /* "boards.xsb, line 3", which readers of files write; NULL without */
    unsigned line; /* where it begins, from 1 */
};

/* puzzle: "" if each board shows its size. The rows and columns of a sliding puzzle's name are read here. */
void boards_begin(struct boards *boards, const char *puzzle);
/* Reads the next board of what was fed to boards->lines. A text that has lines and no board is LINES_FAILED.
 */
enum lines_answer boards_next(struct boards *boards, struct board_text *out);
/* Hands out a board that is complete, of which the next line might still say the goal: nothing more comes for
 * now. Returns false if there is none. */
bool boards_give_full(struct boards *boards, struct board_text *out, enum lines_answer *answer);
void boards_clear(struct boards *boards);
/* Reads a text of one board. Returns false with what is wrong with it: also a goal line, unless the question
 * has_goal besides. */
bool boards_one(const char *puzzle, const char *text, bool has_goal, struct text *board, struct text *wrong);
void board_text_clear(struct board_text *text);

/* ---- board_lines.c, of boards.c ---- */

/* Says what a line is, and cuts a remark off a row of tiles. */
enum line_kind boards_line_kind(struct boards *boards, char *line);
/* Returns the rows of the block that is read, or the next: as its size line or the puzzle has them; 0 if they
 * are not known. */
unsigned boards_height(const struct boards *boards);

#endif
