/* SPDX-License-Identifier: MIT */
/* Boards as data: pieces with kinds, names and places, as docs/protocol.md says under DRAW. */
#ifndef DRAW_PIECES_H
#define DRAW_PIECES_H

#include "protocol/text/text.h"
#include "puzzled/space.h"

/* Appends " pieces=…" of a state. drawing: its rows, with LF between them, of which the pieces of a space
 * without any are made. path: NULL, or that of a solution to draw on it. Returns false if it is none. */
bool draw_pieces(const struct pz_space *space, const void *state, const char *path, const char *drawing,
                 struct text *out);

#endif
