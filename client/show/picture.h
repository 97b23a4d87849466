/* SPDX-License-Identifier: MIT */
/* Frames as files: a strip of boards as SVG, and an HTML page that plays them. Neither needs other files. */
#ifndef PICTURE_H
#define PICTURE_H

#include "client/show/frames.h"

void picture_svg(const struct frames *frames, const char *title, struct text *out);
void picture_html(const struct frames *frames, const char *title, struct text *out);

/* A page to print: the boards with their captions, their solutions behind them. */
void picture_sheet(const struct frames *frames, const char *title, struct text *out);

#endif
