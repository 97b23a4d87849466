/* SPDX-License-Identifier: MIT */
/* Words of built-in puzzles for answers, beside their tables of functions: why a state has no solution, and
 * what belongs to a board as it was written. */
#ifndef SPACE_REASON_H
#define SPACE_REASON_H

#include "puzzled/space.h"

/* Writes one line, without a full stop, that says why the goal cannot be reached from a state: by a rule of
 * the puzzle, where solvable() says PZ_NO, or by blocks that can never pass. Returns false if no such reason
 * is known, as for a state that has a solution. Any thread. */
bool space_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);

enum { SPACE_WRITTEN_MAX = 32 };
/* Writes what a board's text says and its state does not, as fields: " leaves=X", which car of Rush Hour
 * leaves; " player=1.2", where the player of Sokoban stands, by pushes. text: NULL for the space's own start.
 */
void space_written(const struct pz_space *space, const char *text, char out[SPACE_WRITTEN_MAX]);
/* Returns a path of Sokoban from a board as the community writes it: a letter a step, small for a walk,
 * capital for a push. Malloc'd; NULL for other puzzles, for what is no path from there, and without memory.
 */
char *space_lurd(const struct pz_space *space, const char *text, const char *path);
/* Reads such letters, of any case, for Sokoban: *path is that in the words of its moves, malloc'd; NULL if
 * they are none, or the puzzle takes none. PZ_BAD_REQUEST: a step cannot be made. PZ_MEMORY. */
enum pz_status space_read_lurd(const struct pz_space *space, const char *text, const char *letters,
                               char **path, struct pz_error *error);

#endif
