/* SPDX-License-Identifier: MIT */
/* Boards written as rows of characters, a cell each, parted by '/'. Blanks between all cells are left out. */
#ifndef SPACE_ROWS_H
#define SPACE_ROWS_H

#include "puzzled/status.h"

#include <stddef.h>

enum { ROWS_CELLS_MAX = 900 };

struct rows {
    unsigned rows, columns;
    const char *empty;         /* signs that always stand for an empty cell */
    char other;                /* one more; 0 for none */
    char cell[ROWS_CELLS_MAX]; /* row by row, as written */
};

/* Reads a text. Rows must have one length, and there may be cells_max cells in all. A board with none of the
 * signs of `empty` has the first of '*', '-', '0' and ' ' that it shows for its empty cells. */
enum pz_status rows_read(struct rows *rows, const char *text, size_t cells_max, const char *empty,
                         struct pz_error *error);

/* Writes cells as such a text; returns its length. */
size_t rows_write(const char *cell, unsigned rows, unsigned columns, char *out);

bool rows_is_empty(const struct rows *rows, char c);
/* Returns true for what may name a piece or a tile: an ASCII letter or digit. */
bool rows_is_name(char c);
/* Refuses the cell of that number: what names a piece, and the signs of empty cells, would be right. */
enum pz_status rows_no_cell(const struct rows *rows, size_t cell, const char *names, struct pz_error *error);

#endif
