/* SPDX-License-Identifier: MIT */
/* Boards in pieces as SVG: the page in the browser draws the same shapes in the same colours. */
#ifndef SVG_PIECES_H
#define SVG_PIECES_H

#include "protocol/text/text.h"

/* A cell's side in the units of the drawing. */
enum { PIECES_CELL = 10 };

/* Finds the size of a board with its frame, in cells. Returns false if the pieces do not begin with one. */
bool pieces_measure(const char *pieces, double *columns, double *rows);
/* Appends the board that such a text describes, the upper left corner of its frame at the origin. */
void pieces_svg(const char *pieces, struct text *out);
/* Appends a text and escapes what XML reserves. */
void svg_escape(const char *text, size_t length, struct text *out);
/* Returns the style sheet of these drawings. */
const char *pieces_style(void);

#endif
