/* SPDX-License-Identifier: MIT */
/* The levels of an exploration as a chart for a lecture: SVG with a title and axes. */
#ifndef CHART_H
#define CHART_H

#include "client/show/histogram.h"

struct chart {
    const char *title;
    unsigned width; /* columns, of bars on a terminal */
    bool log;       /* a logarithmic scale of states */
    bool costs;     /* the levels are costs, not moves */
};

void chart_svg(const struct level *levels, size_t count, const struct chart *chart, struct text *out);

#endif
