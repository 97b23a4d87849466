/* SPDX-License-Identifier: MIT */
/* Boards as data: pieces with kinds, names and places, as docs/protocol.md says under DRAW. */
#ifndef DRAW_PIECES_H
#define DRAW_PIECES_H

#include "protocol/text/text.h"
#include "puzzled/space.h"

/* Appends " pieces=…" of a state. drawing: the board's rows, with LF between them; the pieces are made from
 * it if the space describes none. path: NULL, or a solution to draw on the board. Returns false if it is not
 * a solution. */
bool draw_pieces(const struct pz_space *space, const void *state, const char *path, const char *drawing,
                 struct text *out);

#endif
