/* SPDX-License-Identifier: MIT */
/* Boards for eyes: the way from a start to a goal, or a set of boards, laid out over the width of the
 * terminal. */
#ifndef SHOW_H
#define SHOW_H

#include "protocol/text.h"
#include "terminal.h"

/*
 * A path, board by board with the name of each move, for sliding puzzles; for other puzzles, whose rules only
 * the daemon knows, the moves themselves, numbered. puzzle is the canonical text, "slide:3x3".
 */
void show_path(const char *puzzle, const char *start, const char *path, const struct terminal *terminal,
               struct text *out);

/* Whether boards of this puzzle can be drawn here. */
bool show_can_draw(const char *puzzle);
/* Boards side by side, count of them; one that cannot be drawn is written as it is. */
void show_boards(const char *puzzle, const char *const *boards, size_t count, const struct terminal *terminal,
                 struct text *out);

#endif
