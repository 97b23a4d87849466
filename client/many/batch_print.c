/* SPDX-License-Identifier: MIT */
#include "client/many/batch_print.h"

#include "client/show/text_table.h"

#include <string.h>

bool batch_print_titles(enum batch_format format, FILE *out)
{
    return format != BATCH_CSV || fputs("board,moves,nodes,seconds,path,title\n", out) != EOF;
}

static bool print_json(const struct batch_line *line, FILE *out)
{
    const struct reply *answer = line->answer;
    json_t *object = answer->kind == REPLY_ERR ? json_of_error(answer->code, answer->retry, answer->text)
                                               : json_of_reply(answer);
    if (object != NULL)
        (void)json_object_set_new(object, "board", json_string(line->board));
    if (object != NULL && line->title != NULL)
        (void)json_object_set_new(object, "title", json_string(line->title));
    return json_write(object, out);
}

static void print_verdict(const struct reply *answer, FILE *out)
{
    if (answer->kind == REPLY_ERR)
        (void)fprintf(out, "error %s: %s", answer->code, answer->text);
    else if (reply_is(answer, "solvable", "yes"))
        (void)fputs(reply_text(answer, reply_get(answer, "moves") != NULL ? "moves" : "cost"), out);
    else if (reply_is(answer, "solvable", "no"))
        (void)fputs("unsolvable", out);
    else if (reply_get(answer, "beyond") != NULL)
        (void)fprintf(out, ">%s", reply_text(answer, "beyond"));
    else
        (void)fputs(reply_text(answer, "state"), out);
}

static bool print_tabs(const struct batch_line *line, FILE *out)
{
    const struct reply *answer = line->answer;
    if (line->title != NULL)
        (void)fprintf(out, "%s\t", line->title);
    (void)fprintf(out, "%s\t", line->board);
    print_verdict(answer, out);
    if (reply_is(answer, "solvable", "yes") && reply_get(answer, "path") != NULL)
        (void)fprintf(out, "\t%s", reply_text(answer, "path"));
    return fputc('\n', out) != EOF;
}

static bool print_csv(const struct batch_line *line, FILE *out)
{
    const struct reply *answer = line->answer;
    struct text verdict = {0};
    csv_quoted(line->board, out);
    (void)fputc(',', out);
    if (answer->kind == REPLY_ERR) {
        text_format(&verdict, "error %s: %s", answer->code, answer->text);
        csv_quoted(text_string(&verdict), out);
    } else {
        print_verdict(answer, out);
    }
    (void)fprintf(out, ",%s,%s,", reply_text(answer, "generated"), reply_text(answer, "seconds"));
    csv_quoted(reply_text(answer, "path"), out);
    (void)fputc(',', out);
    csv_quoted(line->title != NULL ? line->title : "", out);
    text_free(&verdict);
    return fputc('\n', out) != EOF;
}

bool batch_print(enum batch_format format, const struct batch_line *line, FILE *out)
{
    switch (format) {
    case BATCH_TABS:
        return print_tabs(line, out);
    case BATCH_CSV:
        return print_csv(line, out);
    case BATCH_JSON:
        break;
    }
    return print_json(line, out);
}
