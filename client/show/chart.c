/* SPDX-License-Identifier: MIT */
#include "client/show/chart.h"

#include "client/show/number.h"
#include "client/show/svg_pieces.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Pixels: the whole, and the plot within it. */
enum { WIDTH = 860, HEIGHT = 480, LEFT = 90, RIGHT = 830, TOP = 60, BOTTOM = 410 };

struct scale {
    double most; /* at the top */
    bool log;
};

static double bar_height(const struct scale *scale, double states)
{
    if (states <= 0)
        return 0;
    double share = scale->log ? (log10(states) + 0.3) / (log10(scale->most) + 0.3) : states / scale->most;
    return share * (BOTTOM - TOP);
}

/* Returns 1, 2 or 5 times a power of ten: a step that divides the axis into about five parts. */
static double nice_step(double most)
{
    double power = pow(10, floor(log10(most / 5)));
    double factor = most / 5 / power;
    return power * (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10);
}

static void add_mark(const struct scale *scale, double states, struct text *out)
{
    char number[NUMBER_TEXT_MAX];
    double y = BOTTOM - bar_height(scale, states);
    text_format(out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                LEFT, y, RIGHT, y, LEFT - 8, y + 4,
                states < 10000 ? number_grouped(number, (int64_t)states) : number_count(number, states));
}

static void add_states_axis(const struct scale *scale, struct text *out)
{
    if (scale->log) {
        for (int power = 0; pow(10, power) <= scale->most; power++)
            add_mark(scale, pow(10, power), out);
        return;
    }
    double step = fmax(1, nice_step(scale->most));
    for (int mark = 0; mark * step <= scale->most; mark++)
        add_mark(scale, mark * step, out);
}

static void add_bars(const struct level *levels, size_t count, const struct scale *scale, struct text *out)
{
    double pitch = (double)(RIGHT - LEFT) / (double)count;
    size_t every = (count + 19) / 20;
    for (size_t i = 0; i < count; i++) {
        double height = bar_height(scale, (double)levels[i].states);
        double x = LEFT + pitch * (double)i;
        char level[NUMBER_TEXT_MAX];
        char states[NUMBER_TEXT_MAX];
        text_format(out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#4a7ab5\">"
                    "<title>level %s: %s</title></rect>",
                    x + pitch * 0.1, BOTTOM - height, pitch * 0.8, height,
                    number_grouped(level, levels[i].number), number_grouped(states, levels[i].states));
        if (i % every == 0)
            text_format(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x + pitch / 2,
                        BOTTOM + 18, level);
        text_char(out, '\n');
    }
}

void chart_svg(const struct level *levels, size_t count, const struct chart *chart, struct text *out)
{
    struct scale scale = {1, chart->log};
    int64_t total = 0;
    char number[NUMBER_TEXT_MAX];
    for (size_t i = 0; i < count; i++) {
        scale.most = fmax(scale.most, (double)levels[i].states);
        total += levels[i].states;
    }
    text_format(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                "font-family=\"sans-serif\" font-size=\"12\">\n<rect "
                "width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
                "<text x=\"%d\" y=\"34\" font-size=\"18\" font-weight=\"bold\" text-anchor=\"middle\">",
                WIDTH, HEIGHT, WIDTH, HEIGHT, (LEFT + RIGHT) / 2);
    svg_escape(chart->title, strlen(chart->title), out);
    text_format(out, ": %s states by distance%s</text>\n", number_grouped(number, total),
                chart->log ? " (logarithmic)" : "");
    add_states_axis(&scale, out);
    if (count > 0)
        add_bars(levels, count, &scale, out);
    text_format(out,
                "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#333\"/>\n"
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                "<text transform=\"translate(24,%d) rotate(-90)\" "
                "text-anchor=\"middle\">states</text>\n</svg>\n",
                LEFT, TOP, BOTTOM, RIGHT, (LEFT + RIGHT) / 2, BOTTOM + 44, chart->costs ? "cost" : "moves",
                (TOP + BOTTOM) / 2);
}

/* ---- bars ---- */

/* Adds a bar in eighths of a column: at least one if there is any state. */
static void add_bar(struct text *out, int64_t states, int64_t most, unsigned columns, bool ascii)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    assert(states <= most);
    double length = most > 0 ? (double)states / (double)most * (double)columns : 0.0;
    unsigned parts = (unsigned)(length * 8.0 + 0.5);
    if (parts == 0 && states > 0)
        parts = 1;
    unsigned whole = ascii ? (parts + 4) / 8 : parts / 8;
    if (ascii && whole == 0 && states > 0)
        whole = 1;
    for (unsigned i = 0; i < whole; i++)
        text_add(out, ascii ? "#" : "█");
    if (!ascii)
        text_add(out, eighths[parts % 8]);
}

void histogram_draw(const struct level *levels, size_t count, unsigned width, bool ascii, struct text *out)
{
    char number[NUMBER_TEXT_MAX];
    int64_t most = 0;
    unsigned level_digits = 1;
    unsigned states_digits = 1;
    for (size_t i = 0; i < count; i++) {
        if (levels[i].states > most)
            most = levels[i].states;
        unsigned level_here = (unsigned)strlen(number_grouped(number, levels[i].number));
        unsigned states_here = (unsigned)strlen(number_grouped(number, levels[i].states));
        level_digits = level_here > level_digits ? level_here : level_digits;
        states_digits = states_here > states_digits ? states_here : states_digits;
    }
    unsigned fixed = level_digits + states_digits + 6;
    unsigned columns = width > fixed + 8 ? width - fixed : 8;
    for (size_t i = 0; i < count; i++) {
        text_format(out, "%*s  ", (int)level_digits + 1, number_grouped(number, levels[i].number));
        text_format(out, "%*s  ", (int)states_digits, number_grouped(number, levels[i].states));
        add_bar(out, levels[i].states, most, columns, ascii);
        text_char(out, '\n');
    }
}
