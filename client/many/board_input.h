/* SPDX-License-Identifier: MIT */
/* Boards of a file or of the standard input. They are read as they come, without waiting while there are
 * answers to print. */
#ifndef BOARD_INPUT_H
#define BOARD_INPUT_H

#include "client/session/command.h"
#include "client/session/session.h"
#include "protocol/text/boards.h"

struct board_input {
    struct boards boards;
    int fd;
    const char *file; /* its name; NULL for the standard input */
    double size;      /* bytes; 0 if not known */
    int failure;      /* errno of a read that failed; 0 for none */
};

/* Opens a file, or "-", the standard input. Returns -1 after a usage error, which ends with a hint. */
int board_input_open(struct session *session, const char *file, const char *hint);
void board_input_begin(struct board_input *input, int fd, const char *file, const char *puzzle);
/* Reads the next board, as boards_next does. LINES_NOT_YET only if wait is false. What is wrong with a board
 * is told with the name of the file. */
enum lines_answer board_input_next(struct board_input *input, bool wait, struct board_text *out);
/* Reads more bytes into the lines; LINES_NOT_YET where there are none yet and wait is false. */
enum lines_answer board_input_fill(struct board_input *input, bool wait);
/* Returns the share of the file that was read; 0 if its size is not known. */
double board_input_share(const struct board_input *input);
/* Reports why board_input_next gave neither a board nor the end. */
enum exit_code board_input_failed(struct session *session, const struct board_input *input);
void board_input_clear(struct board_input *input);
/* As command_pairs, and the goal that a board's text brings, NULL for none, where no other is given. */
void board_input_pairs(struct text *request, const struct arguments *arguments, const char *goal);
/* Answers a board that cannot be sent as the daemon would. */
void board_input_refuse(const char *code, const char *text, struct reply *answer);
/* Reports a board that is wrong as the daemon would, and returns EXIT_REFUSED. */
enum exit_code board_input_refused(struct session *session, const struct board_text *board);

/* Reports an option that is for one board where there are many, or the other way round: it would be left out
 * without a word. */
enum exit_code board_input_check_options(struct session *session, const struct arguments *arguments,
                                         bool many);
/* Shows somebody at a terminal what is awaited. */
void board_input_invite(const struct session *session, const char *things);

/* Takes a board of the input, whose texts live as long as the call. */
typedef enum exit_code board_visitor(void *context, const struct board_text *board);
/* Calls visit for each board that can be read from fd, until it returns another code than EXIT_FOUND; after
 * EXIT_REFUSED, which is returned at the end, the others follow. A line shows how many are done where the
 * output is no terminal. Reports an input that cannot be read. */
enum exit_code each_board(struct session *session, int fd, const char *file, const char *puzzle,
                          board_visitor *visit, void *context);

#endif
