/* SPDX-License-Identifier: MIT */
/* A game of any puzzle by a list of its moves, each with a key. The daemon knows the rules. */
#ifndef PLAY_MOVES_H
#define PLAY_MOVES_H

#include "client/session/session.h"

/* Plays on a terminal from a board, NULL for the puzzle's own start, until it is left. read_key returns the
 * next key, -1 at the end. Returns EXIT_FOUND if the last board is solved, EXIT_NO_ANSWER if not; a refusal
 * is reported. */
enum exit_code play_moves(struct session *session, const char *puzzle, const char *board, int fd,
                          int (*read_key)(int fd));

#endif
