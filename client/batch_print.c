/* SPDX-License-Identifier: MIT */
#include "batch_print.h"

#include "number.h"

#include <string.h>
#include <time.h>

bool batch_print_titles(enum batch_format format, FILE *out)
{
    return format != BATCH_CSV || fputs("board,moves,nodes,seconds,path\n", out) != EOF;
}

static bool print_json(const char *board, const struct reply *answer, FILE *out)
{
    json_t *object = answer->kind == REPLY_ERR ? json_of_error(answer->code, answer->retry, answer->text)
                                               : json_of_reply(answer);
    if (object != NULL)
        (void)json_object_set_new(object, "board", json_string(board));
    return json_write(object, out);
}

static void print_verdict(const struct reply *answer, FILE *out)
{
    if (answer->kind == REPLY_ERR)
        (void)fprintf(out, "error %s: %s", answer->code, answer->text);
    else if (reply_is(answer, "solvable", "yes"))
        (void)fputs(reply_text(answer, "moves"), out);
    else if (reply_is(answer, "solvable", "no"))
        (void)fputs("unsolvable", out);
    else if (reply_get(answer, "beyond") != NULL)
        (void)fprintf(out, ">%s", reply_text(answer, "beyond"));
    else
        (void)fputs(reply_text(answer, "state"), out);
}

static bool print_tabs(const char *board, const struct reply *answer, FILE *out)
{
    (void)fprintf(out, "%s\t", board);
    print_verdict(answer, out);
    if (reply_is(answer, "solvable", "yes") && reply_get(answer, "path") != NULL)
        (void)fprintf(out, "\t%s", reply_text(answer, "path"));
    return fputc('\n', out) != EOF;
}

/* A field in quotes, as RFC 4180 has them. */
static void print_quoted(const char *text, FILE *out)
{
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

static bool print_csv(const char *board, const struct reply *answer, FILE *out)
{
    struct text verdict = {0};
    print_quoted(board, out);
    (void)fputc(',', out);
    if (answer->kind == REPLY_ERR) {
        text_format(&verdict, "error %s: %s", answer->code, answer->text);
        print_quoted(text_string(&verdict), out);
    } else {
        print_verdict(answer, out);
    }
    (void)fprintf(out, ",%s,%s,", reply_text(answer, "generated"), reply_text(answer, "seconds"));
    print_quoted(reply_text(answer, "path"), out);
    text_free(&verdict);
    return fputc('\n', out) != EOF;
}

bool batch_print(enum batch_format format, const char *board, const struct reply *answer, FILE *out)
{
    switch (format) {
    case BATCH_TABS:
        return print_tabs(board, answer, out);
    case BATCH_CSV:
        return print_csv(board, answer, out);
    case BATCH_JSON:
        break;
    }
    return print_json(board, answer, out);
}

void batch_progress_step(struct batch_progress *progress)
{
    const struct terminal *terminal = progress->terminal;
    char count[NUMBER_TEXT_MAX];
    char rate[NUMBER_TEXT_MAX];
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    progress->begun = progress->done++ == 0 ? seconds : progress->begun;
    if (!terminal->err_tty || terminal->out_tty || progress->quiet || seconds - progress->shown < 0.2)
        return;
    progress->shown = seconds;
    double lasted = seconds - progress->begun;
    (void)fprintf(terminal->err, "\r%s boards  %s/s\033[K", number_grouped(count, (int64_t)progress->done),
                  number_count(rate, lasted > 0 ? (double)progress->done / lasted : 0));
    (void)fflush(terminal->err);
}

void batch_progress_end(struct batch_progress *progress)
{
    if (progress->shown > 0)
        (void)fputs("\r\033[K", progress->terminal->err);
}
