/* SPDX-License-Identifier: MIT */
/* The levels of an exploration as bars: one line a level, scaled to the widest. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "protocol/text.h"

#include <stdint.h>

struct level {
    int64_t number;
    int64_t states;
};

/* Lines of at most width columns. A level that holds any state has at least a sliver of a bar. ascii: draw
 * with # instead of block characters. */
void histogram_draw(const struct level *levels, size_t count, unsigned width, bool ascii, struct text *out);

#endif
