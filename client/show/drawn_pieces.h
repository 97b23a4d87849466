/* SPDX-License-Identifier: MIT */
/* Boards in pieces, as DRAW gives them (docs/protocol.md), read word by word. */
#ifndef DRAWN_PIECES_H
#define DRAWN_PIECES_H

#include <stdbool.h>
#include <stddef.h>

struct piece_rectangle {
    double x, y, width, height; /* cells */
};

struct piece {
    const char *kind, *id, *text; /* not NUL-terminated */
    size_t kind_length, id_length, text_length;
    struct piece_rectangle *rectangles; /* malloc'd: one at least */
    size_t count;
};

/* Reads the size of a board, in cells, and moves *pieces to what follows. Returns false if there is none. */
bool pieces_size(const char **pieces, double *columns, double *rows);
/* Reads the next piece, " KIND:ID:X,Y,WIDTH,HEIGHT;…:TEXT", and returns what follows: NULL beyond the last,
 * if the text is malformed, or without memory. The caller frees the rectangles, whatever is returned. */
const char *piece_next(const char *at, struct piece *out);
/* Returns true if a word is among those of its kind, which are parted by '-': "sticker-white-up". */
bool piece_is(const struct piece *piece, const char *word);
/* Returns true for a block that has a name and no text: Klotski's and Rush Hour's, which solutions name. */
bool piece_is_block(const struct piece *piece);

#endif
