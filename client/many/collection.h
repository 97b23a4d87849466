/* SPDX-License-Identifier: MIT */
/* Boards from standard input, in the usual written forms: one per line, or as a block of rows. A blank line
 * or a remark ends a block, as in .xsb and .sok collections. The title of a block is in the last remark
 * before it ("; 12 Corridor", or a line of words), or after it as "Title:". */
#ifndef COLLECTION_H
#define COLLECTION_H

#include "client/many/lines.h"

struct collection {
    struct lines lines;
    enum { ROWS_OF_TILES, ROWS_OF_LEVELS, ROWS_OF_LETTERS, ROWS_NONE /* a line is a board */ } rows;
    unsigned height;    /* ROWS_OF_TILES: of a board, and */
    unsigned columns;   /* of a row; 0 when they are not known */
    struct text block;  /* the rows so far */
    unsigned count;     /* of them */
    bool closed;        /* the block is complete, its title may still come */
    struct text title;  /* of the block */
    struct text remark; /* for the next one */
    char *kept;         /* a line that was read too early; NULL for none */
    bool has_words;     /* a line with something in it was read, and */
    bool has_board;     /* a board was handed out */
};

struct collection_board {
    char *board; /* rows separated by '/'; malloc'd */
    char *title; /* malloc'd; "" without one, NULL for a board on a line of its own */
};

/* puzzle: "" if each board shows its size. */
void collection_begin(struct collection *collection, int fd, const char *puzzle);
/* Reads the next board, as lines_next reads the next line. Input that has lines and no
 * board in them is LINES_FAILED at its end, with lines.failure ENODATA. */
enum lines_answer collection_next(struct collection *collection, bool wait, struct collection_board *out);
void collection_clear(struct collection *collection);

#endif
