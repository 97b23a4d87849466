/* SPDX-License-Identifier: MIT */
/* The three streams and what the terminal can do: its width, whether a person reads it, whether colour is
 * wanted. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>

struct terminal {
    FILE *in;
    FILE *out; /* answers */
    FILE *err; /* progress, questions, failures */
    bool in_tty, out_tty;
    bool err_tty;         /* and not dumb: its last line can be written again */
    bool colour;          /* of out: a terminal, NO_COLOR not set, TERM not dumb */
    unsigned width;       /* columns of the terminal; 80 without one */
    long long *submitted; /* of the prompt: takes the number of the job that a command submits; else NULL */
};

/* Fills in the process's own streams. */
void terminal_standard(struct terminal *terminal);

/* Measures the width again. */
void terminal_resize(struct terminal *terminal);

/* Returns the seconds since some moment in the past. */
double terminal_clock(void);

enum paint { PAINT_BOLD, PAINT_DIM, PAINT_GOOD, PAINT_BAD };
/* Returns the escape sequence that begins a paint, "" without colour. */
const char *terminal_paint(const struct terminal *terminal, enum paint paint);
const char *terminal_plain(const struct terminal *terminal);

/* Returns the columns that a UTF-8 text takes; wide East Asian characters count as two. */
unsigned terminal_columns(const char *text);
/* Copies a text, cut between characters so that it takes at most width columns. */
void terminal_cut(const char *text, unsigned width, char *out, size_t size);

/* Ctrl-C while puzzlectl waits. Outside interrupt_begin … interrupt_end the signal ends the process as
 * usual. Between them it is blocked except inside interrupt_poll. So it is never lost, and comes at no
 * other point. */

void interrupt_begin(void);
void interrupt_end(void);
/* Returns true if Ctrl-C came since the last call. */
bool interrupt_came(void);
/* Calls poll(2) on one file, without a time limit; Ctrl-C ends it with EINTR. */
int interrupt_poll(struct pollfd *fd);

#endif
