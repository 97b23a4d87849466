/* SPDX-License-Identifier: MIT */
/* Pictures as PNG: rsvg-convert makes them from SVG, where it is installed. puzzlectl itself needs no library
 * for it. */
#ifndef PNG_H
#define PNG_H

#include "client/session/session.h"
#include "protocol/text/text.h"

/* Writes a picture to a file, NULL for the output. Reports a failure, and leaves no file then. */
enum exit_code png_write(struct session *session, const struct text *svg, const char *path);

#endif
