/* SPDX-License-Identifier: MIT */
#include "client/puzzles/grade.h"

#include "client/show/csv.h"

#include <inttypes.h>

/* ---- lines of columns ---- */

static const char *separator(enum grade_format format)
{
    return format == GRADE_CSV ? "," : "\t";
}

static void put_text(enum grade_format format, const char *text, FILE *out)
{
    if (format == GRADE_CSV)
        csv_quoted(text, out);
    else
        (void)fputs(text, out);
}

/* As batches do. */
static void put_error(enum grade_format format, const struct reply *refusal, FILE *out)
{
    struct text text = {0};
    text_format(&text, "error %s: %s", refusal->code, refusal->text);
    put_text(format, text_string(&text), out);
    text_free(&text);
}

static void put_number(enum grade_format format, int64_t number, FILE *out)
{
    (void)fputs(separator(format), out);
    if (number >= 0)
        (void)fprintf(out, "%" PRId64, number);
}

static void put_real(enum grade_format format, double number, FILE *out)
{
    (void)fputs(separator(format), out);
    if (number >= 0)
        (void)fprintf(out, "%.4f", number);
}

bool grade_print_titles(enum grade_format format, const struct grade_metrics *metrics, FILE *out)
{
    const char *comma = separator(format);
    if (format == GRADE_JSON || format == GRADE_LINES)
        return true;
    (void)fprintf(out, "title%sboard%ssolvable", comma, comma);
    (void)fprintf(out, "%s%s", comma, metrics != NULL ? metrics->counted[0] : "moves");
    if (metrics != NULL)
        (void)fprintf(out, "%s%s", comma, metrics->counted[1]);
    (void)fprintf(out, "%ssolutions%sbranching%spositions%sdead%spieces%smust_move", comma, comma, comma,
                  comma, comma, comma);
    if (metrics != NULL && metrics->boxes)
        (void)fprintf(out, "%sbox_changes", comma);
    return fputc('\n', out) != EOF;
}

static const char *verdict(const struct grade *grade)
{
    const char *solvable = reply_get(grade->solution, "solvable");
    return solvable != NULL ? solvable : reply_text(grade->solution, "state");
}

static bool print_columns(enum grade_format format, const struct grade *grade, FILE *out)
{
    put_text(format, grade->title != NULL ? grade->title : "", out);
    (void)fputs(separator(format), out);
    put_text(format, grade->board, out);
    (void)fputs(separator(format), out);
    if (grade->solution->kind == REPLY_ERR)
        put_error(format, grade->solution, out);
    else
        (void)fputs(verdict(grade), out);
    put_number(format, grade->moves[0], out);
    if (grade->metrics != NULL)
        put_number(format, grade->moves[1], out);
    (void)fprintf(out, "%s%s", separator(format), reply_text(grade->solution, "solutions"));
    put_real(format, grade->branching, out);
    put_number(format, grade->positions, out);
    put_real(format, grade->dead, out);
    put_number(format, grade->pieces, out);
    put_number(format, grade->must_move, out);
    if (grade->metrics != NULL && grade->metrics->boxes)
        put_number(format, grade->box_changes, out);
    return fputc('\n', out) != EOF;
}

/* ---- for eyes ---- */

static void say_number(const char *what, int64_t number, FILE *out)
{
    if (number >= 0)
        (void)fprintf(out, "  %-12s %" PRId64 "\n", what, number);
}

/* Prints a board and what is known of it, a line a figure. */
static bool print_lines(const struct grade *grade, FILE *out)
{
    const struct grade_metrics *metrics = grade->metrics;
    int64_t solutions = -1;
    (void)fprintf(out, "%s%s%s\n", grade->title != NULL ? grade->title : "",
                  grade->title != NULL && *grade->title != '\0' ? "  " : "", grade->board);
    if (grade->solution->kind == REPLY_ERR)
        return fprintf(out, "  %s: %s\n", grade->solution->code, grade->solution->text) > 0;
    (void)fprintf(out, "  %-12s %s\n", "solvable", verdict(grade));
    (void)reply_integer(grade->solution, "solutions", &solutions);
    say_number(metrics != NULL ? metrics->counted[0] : "moves", grade->moves[0], out);
    say_number(metrics != NULL ? metrics->counted[1] : "", metrics != NULL ? grade->moves[1] : -1, out);
    say_number("solutions", solutions, out);
    if (grade->branching >= 0)
        (void)fprintf(out, "  %-12s %.2f moves a position on the way\n", "branching", grade->branching);
    say_number("positions", grade->positions, out);
    if (grade->dead >= 0)
        (void)fprintf(out, "  %-12s %.1f%% of the positions\n", "dead ends", 100 * grade->dead);
    if (grade->must_move >= 0)
        (void)fprintf(out, "  %-12s %" PRId64 " of %" PRId64 " pieces\n", "must move", grade->must_move,
                      grade->pieces);
    say_number("box changes", grade->box_changes, out);
    return ferror(out) == 0;
}

/* ---- JSON ---- */

static void set_integer(json_t *object, const char *key, int64_t number)
{
    if (number >= 0)
        (void)json_object_set_new(object, key, json_integer((json_int_t)number));
}

static void set_real(json_t *object, const char *key, double number)
{
    if (number >= 0)
        (void)json_object_set_new(object, key, json_real(number));
}

static bool print_json(const struct grade *grade, FILE *out)
{
    const struct reply *solution = grade->solution;
    const struct grade_metrics *metrics = grade->metrics;
    const bool refused = solution->kind == REPLY_ERR;
    int64_t solutions = -1;
    json_t *object = refused ? json_of_error(solution->code, solution->retry, solution->text) : json_object();
    (void)json_object_set_new(object, "board", json_string(grade->board));
    if (grade->title != NULL)
        (void)json_object_set_new(object, "title", json_string(grade->title));
    if (refused)
        return json_write(object, out);
    (void)json_object_set_new(object, "solvable", json_string(verdict(grade)));
    set_integer(object, metrics != NULL ? metrics->counted[0] : "moves", grade->moves[0]);
    if (metrics != NULL)
        set_integer(object, metrics->counted[1], grade->moves[1]);
    (void)reply_integer(solution, "solutions", &solutions);
    set_integer(object, "solutions", solutions);
    set_real(object, "branching", grade->branching);
    set_integer(object, "positions", grade->positions);
    set_real(object, "dead", grade->dead);
    set_integer(object, "pieces", grade->pieces);
    set_integer(object, "must_move", grade->must_move);
    set_integer(object, "box_changes", grade->box_changes);
    return json_write(object, out);
}

bool grade_print(enum grade_format format, const struct grade *grade, FILE *out)
{
    return format == GRADE_JSON    ? print_json(grade, out)
           : format == GRADE_LINES ? print_lines(grade, out)
                                   : print_columns(format, grade, out);
}
