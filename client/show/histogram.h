/* SPDX-License-Identifier: MIT */
/* The levels of an exploration as bars: one line per level, scaled to the widest. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "protocol/text/text.h"

#include <stdint.h>

struct level {
    int64_t number;
    int64_t states;
};

/* Writes lines of at most width columns. A level with any state has at least a sliver of a bar. ascii: draw
 * with # instead of block characters. */
void histogram_draw(const struct level *levels, size_t count, unsigned width, bool ascii, struct text *out);

#endif
