/* SPDX-License-Identifier: MIT */
/* The boards of a solution as text pictures, for the terminal, SVG and HTML. The daemon makes the moves and
 * draws (DRAW). */
#ifndef FRAMES_H
#define FRAMES_H

#include "client/session/command.h"
#include "client/session/session.h"

struct play_frame {
    char *caption; /* "start", "1 right", "7 pour:2>1" */
    char *board;   /* canonical text; "" when it is not known */
    char *drawing; /* rows that end with LF */
    char *pieces;  /* as DRAW gives them; NULL where nobody asked for pictures, or they are not known */
    char *
        move; /* that led here, in the puzzle's words; NULL of a board that DRAW did not give, or the first */
    char *solution; /* of a board on a sheet; NULL for none */
};

struct frames {
    struct play_frame *frames;
    size_t count;
    size_t room;
    bool refused; /* the daemon drew none, or not all: session->refusal */
};

/* Makes the frames of a path from a start; pairs are the keys given with the puzzle, and the options. Returns
 * EXIT_FOUND also if the puzzle cannot be drawn: there are no frames then. Pieces are asked for if --svg,
 * --png or --html is given. */
enum exit_code frames_of_path(struct session *session, const char *puzzle, const char *start,
                              const char *path, const struct arguments *pairs, struct frames *frames);
/* Lets pieces keep their names from that frame on, and moves name them: "J↓←", "8→" (track.c); where the
 * pieces are not known, or moves are written otherwise, all stays as it is. Returns false without memory. */
bool frames_name(struct frames *frames, size_t first);
/* Makes one frame for a board. */
enum exit_code frames_of_board(struct session *session, const char *puzzle, const char *board,
                               const struct arguments *pairs, struct frames *frames);
/* Makes one frame from rows with a separator between them, as in link-up's drawing=. */
bool frames_of_rows(const char *rows, char separator, struct frames *frames);
/* Returns true if an option asks for pictures. */
bool frames_pictured(const struct arguments *arguments);
void frames_free(struct frames *frames);

/* Draws them side by side across the width of the terminal. */
void frames_draw(const struct frames *frames, unsigned width, struct text *out);
/* Writes them below each other, numbered. */
void frames_list(const struct frames *frames, struct text *out);

#endif
