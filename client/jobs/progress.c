/* SPDX-License-Identifier: MIT */
#include "client/jobs/progress.h"

#include "client/show/number.h"
#include "protocol/text/text.h"

#include <string.h>

#define BUILDING "pdb" /* the phase in which pattern databases are built */

void progress_begin(struct progress_line *progress, const struct terminal *terminal, bool quiet)
{
    *progress = (struct progress_line){
        .terminal = terminal, .enabled = terminal->err_tty && !quiet, .begun = terminal_clock()};
}

static void add_count(struct text *line, const struct reply *event, const char *key, const char *before,
                      const char *after)
{
    char number[NUMBER_TEXT_MAX];
    double value = 0.0;
    if (reply_real(event, key, &value) && value > 0.0)
        text_format(line, "  %s%s%s", before, number_count(number, value), after);
}

/* Returns what a phase is to people; the daemon's word where that says it. */
static const char *name_of_phase(const char *phase)
{
    if (strcmp(phase, BUILDING) == 0)
        return "builds databases";
    return strcmp(phase, "wait") == 0 ? "waits for another job's databases" : phase;
}

void progress_text(const struct reply *event, unsigned width, char *out, size_t size)
{
    struct text line = {0};
    char number[NUMBER_TEXT_MAX];
    double value = 0.0;
    const char *phase = reply_text(event, "phase");
    text_format(&line, "job %s  %s", reply_text(event, "job"), reply_text(event, "state"));
    if (*phase != '\0' && strcmp(phase, "search") != 0)
        text_format(&line, " (%s)", name_of_phase(phase));
    if (reply_get(event, "level") != NULL)
        text_format(&line, "  level %s", reply_text(event, "level"));
    if (reply_real(event, "done", &value) && value > 0.0 && value < 1.0)
        text_format(&line, " %2.0f%%", value * 100.0);
    add_count(&line, event, "frontier", "frontier ", "");
    add_count(&line, event, "states", "", " states");
    add_count(&line, event, "rate", "", "/s");
    if (reply_real(event, "bytes", &value) && value > 0.0)
        text_format(&line, "  %s", number_bytes(number, value));
    if (reply_real(event, "seconds", &value) && value > 0.0)
        text_format(&line, "  %s", number_seconds(number, value));
    if (reply_get(event, "ranks") != NULL)
        text_format(&line, "  %s ranks, slowest %s", reply_text(event, "ranks"),
                    reply_text(event, "slowest"));
    terminal_cut(text_string(&line), width, out, size);
    text_free(&line);
}

/* Returns true if a job has run for so short a time that its line would only flicker. */
static bool progress_is_fresh(const struct progress_line *progress, const struct reply *event)
{
    static const double least = 0.2;
    double seconds = 0;
    (void)reply_real(event, "seconds", &seconds);
    return reply_is(event, "state", "running") && seconds < least &&
           terminal_clock() - progress->begun < least;
}

void progress_wipe(struct progress_line *progress)
{
    if (!progress->shown)
        return;
    (void)fputs("\r\033[K", progress->terminal->err);
    (void)fflush(progress->terminal->err);
    progress->shown = false;
}

/* Says once what the first question about a goal waits for. */
static void explain_building(struct progress_line *progress, const struct reply *event)
{
    if (progress->explained || !reply_is(event, "phase", BUILDING))
        return;
    progress_wipe(progress);
    (void)fputs(
        "Pattern databases are built first, only this once: they are kept. For the 15- or 24-puzzle it\n"
        "takes some 5 s on two quiet cores, for the 3x3x3 cube a minute or two.\n",
        progress->terminal->err);
    progress->explained = true;
}

void progress_show(struct progress_line *progress, const struct reply *event)
{
    char line[512];
    if (!progress->enabled || progress_is_fresh(progress, event))
        return;
    explain_building(progress, event);
    progress_text(event, progress->terminal->width - 1, line, sizeof line);
    (void)fprintf(progress->terminal->err, "\r%s\033[K", line);
    (void)fflush(progress->terminal->err);
    progress->shown = true;
}

void list_progress_begin(struct list_progress *progress, const struct terminal *terminal, bool wanted,
                         const char *things)
{
    *progress = (struct list_progress){.terminal = terminal,
                                       .things = things,
                                       .shown_here = wanted && terminal->err_tty,
                                       .begun = terminal_clock()};
}

static void list_progress_show(const struct list_progress *progress, double lasted)
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
    list_progress_show(progress, now - progress->begun);
}

void list_progress_end(struct list_progress *progress)
{
    if (progress->shown > 0)
        (void)fputs("\r\033[K", progress->terminal->err);
    progress->shown = 0;
}
