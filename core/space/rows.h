/* SPDX-License-Identifier: MIT */
/* Boards written as rows of characters, a cell each, parted by '/'. */
#ifndef SPACE_ROWS_H
#define SPACE_ROWS_H

#include "puzzled/status.h"

#include <stddef.h>

struct rows {
    unsigned rows, columns;
};

/* Measures a text. Rows must have one length, and there may be cells_max cells in all. */
enum pz_status rows_measure(const char *text, size_t cells_max, struct rows *out, struct pz_error *error);

/* Returns true for what may name a piece or a tile: an ASCII letter or digit. */
bool rows_is_name(char c);

#endif
