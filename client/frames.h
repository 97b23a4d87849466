/* SPDX-License-Identifier: MIT */
/*
 * The boards of a solution as pictures of text: what is shown on the terminal, and written as SVG and HTML.
 * Sliding boards are drawn here; those of other puzzles, whose rules only the daemon knows, are asked of it
 * (DRAW).
 */
#ifndef FRAMES_H
#define FRAMES_H

#include "options.h"
#include "session.h"

struct frame {
    char *caption; /* "start", "1 right", "7 pour:2>1" */
    char *board;   /* canonical text; "" when it is not known */
    char *drawing; /* rows that end with LF */
};

struct frames {
    struct frame *frames;
    size_t count;
    size_t room;
};

/*
 * Makes the frames of a path from a start; pairs are what was said of the puzzle beside its name. EXIT_FOUND
 * also where the puzzle cannot be drawn: there are no frames then.
 */
enum exit_code frames_of_path(struct session *session, const char *puzzle, const char *start,
                              const char *path, const struct arguments *pairs, struct frames *frames);
/* One frame for a board. */
enum exit_code frames_of_board(struct session *session, const char *puzzle, const char *board,
                               const struct arguments *pairs, struct frames *frames);
/* One frame from rows that a separator parts, as link-up's drawing= has them. */
bool frames_of_rows(const char *rows, char separator, struct frames *frames);
void frames_free(struct frames *frames);

/* Draws them side by side over the width of the terminal. */
void frames_draw(const struct frames *frames, unsigned width, struct text *out);
/* Writes them below each other, numbered. */
void frames_list(const struct frames *frames, struct text *out);

#endif
