/* SPDX-License-Identifier: MIT */
/* Options for the boards of a solution: --show, --frames, --svg FILE, --png FILE, --html FILE, --caption
 * TEXT, and frames in JSON. */
#ifndef DRAWING_H
#define DRAWING_H

#include "client/show/frames.h"

/* The option rows of a command that offers them. */
#define DRAWING_OPTIONS                                                                                      \
    {"show", 0, NULL, "draw the boards", NULL}, {"frames", 0, NULL, "list them, numbered", NULL},            \
        {"svg", 0, "FILE", "write them as a strip of boards", NULL},                                         \
        {"png", 0, "FILE", "the same as PNG, by rsvg-convert", NULL},                                        \
        {"caption", 0, "TEXT", "above the boards of these files, instead of the puzzle's name", NULL},       \
    {                                                                                                        \
        "html", 0, "FILE", "write them as a page that plays them", NULL                                      \
    }

/* Writes a picture as PNG to a file, NULL for the output: rsvg-convert makes it from SVG, where it is
 * installed (png.c). Reports a failure, and leaves no file then. */
enum exit_code png_write(struct session *session, const struct text *svg, const char *path);

/* Returns true if any of the options was given. */
bool drawing_wanted(const struct arguments *arguments);
/* Draws and writes what the options ask for; out receives what goes to the terminal. */
enum exit_code drawing(struct session *session, const struct arguments *arguments,
                       const struct frames *frames, const char *title, struct text *out);
/* Writes only the files that the options ask for. */
enum exit_code drawing_files(struct session *session, const struct arguments *arguments,
                             const struct frames *frames, const char *title);
/* Writes them as boards of their own: a strip, and with --html a sheet to print. */
enum exit_code drawing_sheet(struct session *session, const struct arguments *arguments,
                             const struct frames *frames, const char *title);
/* Prints a reply and its frames as a JSON object. Returns false if it cannot be written. */
bool drawing_reply(const struct reply *reply, const struct frames *frames, FILE *out);

#endif
