/* SPDX-License-Identifier: MIT */
#include "client/many/tally.h"

#include "client/show/number.h"
#include "protocol/text/text.h"

#include <string.h>

void tally_begin(struct tally *tally, const struct terminal *terminal, bool wanted, const char *things)
{
    *tally = (struct tally){.terminal = terminal,
                            .things = things,
                            .shown_here = wanted && terminal->err_tty,
                            .begun = terminal_clock()};
}

static void show(const struct tally *tally, double lasted)
{
    struct text line = {0};
    char number[NUMBER_TEXT_MAX];
    char cut[256];
    const int letters = (int)strlen(tally->things) - (tally->done == 1);
    text_format(&line, "%s %.*s", number_grouped(number, (int64_t)tally->done), letters, tally->things);
    if (tally->share > 0)
        text_format(&line, "  %.0f%%", tally->share * 100);
    text_format(&line, "  %s/s", number_count(number, lasted > 0 ? (double)tally->done / lasted : 0));
    const double left = tally->share > 0 ? lasted / tally->share * (1 - tally->share) : 0;
    if (left >= 1)
        text_format(&line, "  %s left", number_seconds(number, left));
    terminal_cut(text_string(&line), tally->terminal->width - 1, cut, sizeof cut);
    (void)fprintf(tally->terminal->err, "\r%s\033[K", cut);
    (void)fflush(tally->terminal->err);
    text_free(&line);
}

void tally_step(struct tally *tally, uint64_t more)
{
    tally->done += more;
    if (!tally->shown_here)
        return;
    double now = terminal_clock();
    if (now - tally->shown < 0.2)
        return;
    tally->shown = now;
    show(tally, now - tally->begun);
}

void tally_end(struct tally *tally)
{
    if (tally->shown > 0)
        (void)fputs("\r\033[K", tally->terminal->err);
    tally->shown = 0;
}
