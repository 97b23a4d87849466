/* SPDX-License-Identifier: MIT */
#include "client/show/histogram.h"

#include "client/show/number.h"

#include <assert.h>
#include <string.h>

static unsigned digits_of(const char *text)
{
    return (unsigned)strlen(text);
}

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
        unsigned level_here = digits_of(number_grouped(number, levels[i].number));
        unsigned states_here = digits_of(number_grouped(number, levels[i].states));
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
