/* SPDX-License-Identifier: MIT */
#include "client/many/batch_print.h"

#include "client/jobs/job_result.h"
#include "client/show/text_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool batch_print_titles(const struct session *session)
{
    return !session->csv || fputs("board,moves,nodes,seconds,path,title,puzzle,metric,optimal,pushes,lurd\n",
                                  session->terminal->out) != EOF;
}

/* Returns the metric of an answer, malloc'd: by its puzzle's text, by the question's, or as it was typed. */
static char *metric_of(const struct batch_line *line)
{
    const char *puzzle = reply_get(line->answer, "puzzle");
    if (puzzle == NULL && line->metric != NULL)
        return strdup(line->metric);
    return result_metric(puzzle != NULL ? puzzle : line->puzzle);
}

static const char *optimal_of(const struct reply *answer)
{
    return !reply_is(answer, "solvable", "yes") ? "" : reply_is(answer, "optimal", "no") ? "no" : "yes";
}

/* Counts the pushes of a solution of Sokoban. */
static unsigned pushes_in(const char *lurd)
{
    unsigned pushes = 0;
    for (; *lurd != '\0'; lurd++)
        pushes += isupper((unsigned char)*lurd) != 0;
    return pushes;
}

static bool print_json(const struct batch_line *line, FILE *out)
{
    const struct reply *answer = line->answer;
    json_t *object = answer->kind == REPLY_ERR ? json_of_error(answer->code, answer->retry, answer->text)
                                               : json_of_reply(answer);
    if (object != NULL)
        (void)json_object_set_new(object, "board", json_string(line->board));
    if (object != NULL && line->title != NULL && *line->title != '\0')
        (void)json_object_set_new(object, "title", json_string(line->title));
    if (object != NULL && reply_is(answer, "solvable", "yes")) {
        char *metric = metric_of(line);
        (void)json_object_set_new(object, "metric", json_string(metric != NULL ? metric : ""));
        (void)json_object_set_new(object, "optimal", json_boolean(strcmp(optimal_of(answer), "yes") == 0));
        if (reply_get(answer, "lurd") != NULL)
            (void)json_object_set_new(object, "pushes", json_integer(pushes_in(reply_text(answer, "lurd"))));
        free(metric);
    }
    return json_write(object, out);
}

static void print_batch_verdict(const struct reply *answer, FILE *out)
{
    if (answer->kind == REPLY_ERR)
        (void)fprintf(out, "error %s: %s", answer->code, answer->text);
    else if (reply_is(answer, "solvable", "yes"))
        (void)fputs(reply_text(answer, reply_get(answer, "cost") != NULL ? "cost" : "moves"), out);
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
    print_batch_verdict(answer, out);
    if (reply_is(answer, "solvable", "yes") && reply_get(answer, "path") != NULL)
        (void)fprintf(out, "\t%s", reply_text(answer, "path"));
    return fputc('\n', out) != EOF;
}

/* Prints which puzzle and metric the answer is of, if it is optimal, and a Sokoban solution's letters. */
static void print_question(const struct batch_line *line, FILE *out)
{
    const struct reply *answer = line->answer;
    const char *puzzle = reply_get(answer, "puzzle"), *lurd = reply_get(answer, "lurd");
    char *metric = metric_of(line);
    (void)fputc(',', out);
    csv_field(puzzle != NULL ? puzzle : line->puzzle, out);
    (void)fprintf(out, ",%s,%s,", metric != NULL ? metric : "", optimal_of(answer));
    if (lurd != NULL)
        (void)fprintf(out, "%u", pushes_in(lurd));
    (void)fprintf(out, ",%s", lurd != NULL ? lurd : "");
    free(metric);
}

static bool print_csv(const struct batch_line *line, FILE *out)
{
    const struct reply *answer = line->answer;
    csv_quoted(line->board, out);
    (void)fputc(',', out);
    if (answer->kind == REPLY_ERR)
        csv_refusal(answer, out);
    else
        print_batch_verdict(answer, out);
    (void)fprintf(out, ",%s,%s,", reply_text(answer, "generated"), reply_text(answer, "seconds"));
    csv_quoted(reply_text(answer, "path"), out);
    (void)fputc(',', out);
    csv_quoted(line->title != NULL ? line->title : "", out);
    print_question(line, out);
    return fputc('\n', out) != EOF;
}

bool batch_print(const struct session *session, const struct batch_line *line)
{
    FILE *out = session->terminal->out;
    return session->json  ? print_json(line, out)
           : session->csv ? print_csv(line, out)
                          : print_tabs(line, out);
}
