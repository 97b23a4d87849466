/* SPDX-License-Identifier: MIT */
#include "client/many/list_progress.h"

#include "client/show/number.h"
#include "protocol/text/text.h"

#include <string.h>

void list_progress_begin(struct list_progress *progress, const struct terminal *terminal, bool wanted,
                         const char *things)
{
    *progress = (struct list_progress){.terminal = terminal,
                                       .things = things,
                                       .shown_here = wanted && terminal->err_tty,
                                       .begun = terminal_clock()};
}

static void show(const struct list_progress *progress, double lasted)
{
    struct text line = {0};
    char number[NUMBER_TEXT_MAX];
    char cut[256];
    const int letters = (int)strlen(progress->things) - (progress->done == 1);
    text_format(&line, "%s %.*s", number_grouped(number, (int64_t)progress->done), letters, progress->things);
    if (progress->share > 0)
        text_format(&line, "  %.0f%%", progress->share * 100);
    text_format(&line, "  %s/s", number_count(number, lasted > 0 ? (double)progress->done / lasted : 0));
    const double left = progress->share > 0 ? lasted / progress->share * (1 - progress->share) : 0;
    if (left >= 1)
        text_format(&line, "  %s left", number_seconds(number, left));
    terminal_cut(text_string(&line), progress->terminal->width - 1, cut, sizeof cut);
    (void)fprintf(progress->terminal->err, "\r%s\033[K", cut);
    (void)fflush(progress->terminal->err);
    text_free(&line);
}

void list_progress_step(struct list_progress *progress, uint64_t more)
{
    progress->done += more;
    if (!progress->shown_here)
        return;
    double now = terminal_clock();
    if (now - progress->shown < 0.2)
        return;
    progress->shown = now;
    show(progress, now - progress->begun);
}

void list_progress_end(struct list_progress *progress)
{
    if (progress->shown > 0)
        (void)fputs("\r\033[K", progress->terminal->err);
    progress->shown = 0;
}
