/* SPDX-License-Identifier: MIT */
/* A game of any puzzle whose moves have words: the daemon draws the board and lists the moves. */
#ifndef PLAY_MOVES_H
#define PLAY_MOVES_H

#include "client/session/command.h"

/* Plays on a terminal from a board, NULL for the puzzle's own start, until it is left. read_key returns the
 * next key, -1 at the end. Returns EXIT_FOUND if the last board is solved, EXIT_NO_ANSWER if not; a refusal
 * is reported. */
enum exit_code play_moves(struct session *session, const char *puzzle, const char *board, int fd,
                          int (*read_key)(int fd));

#endif
