/* SPDX-License-Identifier: MIT */
/* Frames as files to take away: a strip of boards as SVG, and a page that plays them. Both stand alone. */
#ifndef PICTURE_H
#define PICTURE_H

#include "frames.h"

void picture_svg(const struct frames *frames, const char *title, struct text *out);
void picture_html(const struct frames *frames, const char *title, struct text *out);
/* Appends a text with what XML reserves escaped. */
void picture_escape(const char *text, size_t length, struct text *out);

#endif
