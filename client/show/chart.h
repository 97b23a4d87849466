/* SPDX-License-Identifier: MIT */
/* The levels of an exploration as a chart for a lecture, SVG with a title and axes; and as bars on a
 * terminal. */
#ifndef CHART_H
#define CHART_H

#include "protocol/text/text.h"

#include <stdint.h>

struct level {
    int64_t number;
    int64_t states;
};

struct chart {
    const char *title;
    unsigned width; /* columns, of bars on a terminal */
    bool log;       /* a logarithmic scale of states */
    bool costs;     /* the levels are costs, not moves */
};

void chart_svg(const struct level *levels, size_t count, const struct chart *chart, struct text *out);

/* Writes a bar for each level, scaled to the widest, in lines of at most width columns. A level with any
 * state has at least a sliver of a bar. ascii: draw with # instead of block characters. */
void histogram_draw(const struct level *levels, size_t count, unsigned width, bool ascii, struct text *out);

#endif
