/* SPDX-License-Identifier: MIT */
/* Suggests what a refused request may have meant. */
#ifndef SUGGEST_H
#define SUGGEST_H

#include "client/session/session.h"
#include "protocol/text/nearest.h"

/* Writes "did you mean 'sokoban'?" on the error stream if the request named a puzzle or a key that the daemon
 * does not know and a known one is similar. If a board stands in the puzzle's place, says how to write it. If
 * a file's name stands in a board's place, says how its boards are read. Says
 * where a missing board goes. */
void suggest(struct session *session, const char *line, const struct reply *refusal);

/* Reads what people type: full-width characters, Chinese names of puzzles, a board without its puzzle. */

enum { INFER_SIZE_MAX = 32 };

/* Returns the size of a sliding board whose text is unambiguous: "[[4,1,2],[5,0,3]]", "8,6,7/2,5,4/3,0,1",
 * "867254301" (a square). Returns false for anything else. */
bool infer_size(const char *board, char size[INFER_SIZE_MAX]);

/* Writes the puzzle that is meant by a name in Chinese or as people say it: "4*4", "15-puzzle", "八数码",
 * "华容道:横刀立马". Returns false for any other text. */
bool infer_puzzle(const char *text, char *puzzle, size_t room);
/* Returns true for a text that is a puzzle and no word: with a size, a colon, or one that infer_puzzle knows.
 */
bool infer_is_puzzle(const char *text);

#endif
