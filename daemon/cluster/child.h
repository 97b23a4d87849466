/* SPDX-License-Identifier: MIT */
/*
 * A command that runs as a child process, in a process group of its own. Its standard output is read line by
 * line, and the first and last words of its standard error are kept. It gets SIGTERM when
 * the thread that started it ends. If the whole daemon is killed, Linux sends the signal once for each
 * thread that dies. Open MPI's mpiexec then exits at once, and its ranks end a second later.
 *
 * A child is used by the thread that started it.
 */
#ifndef DAEMON_CHILD_H
#define DAEMON_CHILD_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHILD_LINE_MAX = 1 << 20, CHILD_WORDS_MAX = 320 };

struct child;

enum child_event {
    CHILD_LINE,
    CHILD_NOTHING, /* nothing came in that time */
    CHILD_END,     /* there will be no more lines */
    CHILD_TOO_LONG /* a line beyond CHILD_LINE_MAX */
};

/* words: the program, which PATH leads to, its arguments, NULL. input: what it finds on its standard input;
 * NULL for nothing. Returns PZ_UNSUPPORTED if it cannot be run; the text says why. */
enum pz_status child_start(char *const *words, const char *input, struct child **out, struct pz_error *error);
/* Waits at most so many milliseconds for a line, which is without its LF and good until the next call. */
enum child_event child_read(struct child *child, int milliseconds, const char **line, size_t *length);
/* Waits for the end, and ends the whole group if that takes more than some seconds. Writes how it ended,
 * with these words: "ended with status 1: …". Returns true if it ended by itself with status 0. */
bool child_end(struct child *child, char out[CHILD_WORDS_MAX]);
/* Ends the group, SIGTERM first, if it still runs. NULL is fine. */
void child_free(struct child *child);

#endif
