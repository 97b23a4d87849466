/* SPDX-License-Identifier: MIT */
/* Boards of a file or of the standard input, one after the other. */
#ifndef EACH_BOARD_H
#define EACH_BOARD_H

#include "client/session/session.h"

/* board and title as in struct collection_board; they live as long as the call. */
typedef enum exit_code board_visitor(void *context, const char *board, const char *title);

/* Calls visit for each board that can be read from fd, until it returns another code than EXIT_FOUND. puzzle
 * as for collection_begin. A line shows how many are done where the output is no terminal. Reports an input
 * that cannot be read. */
enum exit_code each_board(struct session *session, int fd, const char *puzzle, board_visitor *visit,
                          void *context);

#endif
