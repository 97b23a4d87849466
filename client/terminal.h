/* SPDX-License-Identifier: MIT */
/* The three streams, and what may be done to them: how wide, whether someone looks, whether colour is
 * welcome. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct terminal {
    FILE *in;
    FILE *out; /* answers */
    FILE *err; /* progress, questions, failures */
    bool in_tty, out_tty, err_tty;
    bool colour;    /* of out: a terminal, NO_COLOR not set, TERM not dumb */
    unsigned width; /* columns of the terminal; 80 where there is none */
};

/* Looks at the process's own streams. */
void terminal_standard(struct terminal *terminal);

enum paint { PAINT_BOLD, PAINT_DIM, PAINT_GOOD, PAINT_BAD };
/* The escape sequence that begins a paint, "" without colour. */
const char *terminal_paint(const struct terminal *terminal, enum paint paint);
const char *terminal_plain(const struct terminal *terminal);

/* Columns that a UTF-8 text takes, wide East Asian characters counted as two. */
unsigned terminal_columns(const char *text);
/* Copies a text, cut at a character's border so that it takes at most width
 * columns. */
void terminal_cut(const char *text, unsigned width, char *out, size_t size);

#endif
