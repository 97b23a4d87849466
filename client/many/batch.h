/* SPDX-License-Identifier: MIT */
/* Many boards at once, from standard input. Requests go out one window at a time. Answers are printed in the
 * order of the input, one line per board. A refused board gets its own line and does not end the batch. The
 * exit status is EXIT_REFUSED if any board was refused, else EXIT_ENDED, else EXIT_NO_ANSWER, if any had
 * that. */
#ifndef BATCH_H
#define BATCH_H

#include "client/many/board_input.h"
#include "client/session/command.h"
#include "client/session/session.h"

/* The option rows of a command that answers so. */
#define BATCH_OPTIONS                                                                                        \
    {"unordered", 0, NULL, "of a batch: answers as they come", NULL},                                        \
        LIST_OPTIONS(                                                                                        \
            "of a batch: board, moves, nodes, seconds, path, title, puzzle, metric, optimal, pushes, lurd")

/* Asks the session's verb, DISTANCE, PATH or SOLVE, about each board. words[0] is the puzzle; the pairs go
 * into every request. The daemon runs the searches in parallel, each on one thread unless threads= says
 * otherwise. */
enum exit_code batch_run(struct session *session, const struct arguments *arguments);

/* Returns the worse of two exit statuses, by the ranks above. */
enum exit_code batch_worse(enum exit_code worst, enum exit_code code);

#endif
