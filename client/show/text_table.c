/* SPDX-License-Identifier: MIT */
#include "client/show/text_table.h"

#include "client/show/number.h"
#include "protocol/vocabulary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *local_time(char out[NUMBER_TEXT_MAX], int64_t milliseconds)
{
    struct tm parts;
    time_t seconds = (time_t)(milliseconds / 1000);
    if (localtime_r(&seconds, &parts) == NULL ||
        strftime(out, NUMBER_TEXT_MAX, "%Y-%m-%d %H:%M:%S", &parts) == 0)
        (void)snprintf(out, NUMBER_TEXT_MAX, "?");
    return out;
}

static enum value_type type_of_key(const char *key)
{
    const struct key_row *row = key_find(key);
    return row != NULL ? row->type : VALUE_TEXT;
}

void table_value(const struct reply *reply, const char *key, struct text *out)
{
    char number[NUMBER_TEXT_MAX];
    int64_t integer = 0;
    double real = 0.0;
    enum value_type type = type_of_key(key);
    const char *value = reply_text(reply, key);
    if ((type == VALUE_COUNT || type == VALUE_COUNTED) && reply_integer(reply, key, &integer))
        value = number_grouped(number, integer);
    else if (type == VALUE_BYTES && reply_real(reply, key, &real))
        value = number_bytes(number, real);
    else if (type == VALUE_DURATION && reply_real(reply, key, &real))
        value = number_seconds(number, real);
    else if (type == VALUE_RATE && reply_real(reply, key, &real))
        value = number_count(number, real);
    else if (type == VALUE_TIME && reply_integer(reply, key, &integer))
        value = local_time(number, integer);
    else if ((strcmp(key, "moves") == 0 || strcmp(key, "single_steps") == 0) && strcmp(value, "-1") == 0)
        value = "none";
    else if (strcmp(key, "submitter") == 0)
        value = user_name(value);
    text_add(out, value);
    if (type == VALUE_RATE && *value != '\0')
        text_add(out, "/s");
}

/* Returns true if the column is aligned right. */
static bool is_numeric(const char *key)
{
    switch (type_of_key(key)) {
    case VALUE_NUMBER:
    case VALUE_COUNT:
    case VALUE_COUNTED:
    case VALUE_BYTES:
    case VALUE_DURATION:
    case VALUE_RATE:
    case VALUE_SHARE:
    case VALUE_REAL:
        return true;
    case VALUE_TEXT:
    case VALUE_BOARD:
    case VALUE_WORD:
    case VALUE_FLAG:
    case VALUE_WANTED:
    case VALUE_TIME:
        break;
    }
    return false;
}

static void add_spaces(struct text *out, unsigned count)
{
    for (; count > 0; count--)
        text_char(out, ' ');
}

/* Returns 0 if no record has the column. */
static unsigned column_width(const struct reply *records, size_t count, const struct table_column *column)
{
    unsigned widest = 0;
    struct text value = {0};
    for (size_t i = 0; i < count; i++) {
        text_cut(&value, 0);
        table_value(&records[i], column->key, &value);
        unsigned columns = value.length == 0 ? 0 : terminal_columns(text_string(&value));
        widest = columns > widest ? columns : widest;
    }
    text_free(&value);
    unsigned title = terminal_columns(column->title);
    return widest == 0 || widest > title ? widest : title;
}

static void add_cell(struct text *out, const char *value, const struct table_column *column, unsigned width,
                     bool last)
{
    char cut[512];
    assert(width > 0); /* columns without a width are left out */
    if (terminal_columns(value) > width) {
        terminal_cut(value, width - 1, cut, sizeof cut - sizeof "…");
        (void)strcat(cut, "…"); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy):
                                   there is room */
        value = cut;
    }
    unsigned fill = width - terminal_columns(value);
    bool right = is_numeric(column->key);
    if (right)
        add_spaces(out, fill);
    text_add(out, value);
    if (!right && !last)
        add_spaces(out, fill);
    if (!last)
        add_spaces(out, 2);
}

/* Writes a record, or the titles if record is NULL. */
static void table_add_line(struct text *out, const struct reply *record, const struct table_column *columns,
                           const unsigned *widths, unsigned last)
{
    struct text value = {0};
    for (unsigned c = 0; c <= last; c++) {
        if (widths[c] == 0)
            continue;
        text_cut(&value, 0);
        text_add(&value, "");
        if (record != NULL)
            table_value(record, columns[c].key, &value);
        else
            text_add(&value, columns[c].title);
        add_cell(out, text_string(&value), &columns[c], widths[c], c == last);
    }
    text_free(&value);
    size_t length = out->length;
    while (length > 0 && out->data[length - 1] == ' ')
        length--;
    text_cut(out, length);
    text_char(out, '\n');
}

enum { COLUMNS_MAX = 16, TEXT_LEAST = 12 };

static unsigned total_width(const unsigned *widths)
{
    unsigned total = 0;
    for (unsigned c = 0; c < COLUMNS_MAX; c++)
        total += widths[c] > 0 ? widths[c] + 2 : 0;
    return total > 2 ? total - 2 : 0;
}

/* Returns true if the column distinguishes the rows. */
static bool identifies(const char *key)
{
    static const char *const keys[] = {"puzzle", "table", "layout", "name"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Makes the widest text narrower, of columns that identify or of the others. Returns false if none is wider
 * than that. */
static bool narrow_columns(unsigned *widths, const struct table_column *columns, bool identifying,
                           unsigned least)
{
    unsigned widest = COLUMNS_MAX;
    for (unsigned c = 0; c < COLUMNS_MAX && columns[c].key != NULL; c++)
        if (widths[c] > least && !is_numeric(columns[c].key) && type_of_key(columns[c].key) != VALUE_TIME &&
            identifies(columns[c].key) == identifying &&
            (widest == COLUMNS_MAX || widths[c] > widths[widest]))
            widest = c;
    if (widest < COLUMNS_MAX)
        widths[widest]--;
    return widest < COLUMNS_MAX;
}

/* Leaves the last column out, but the first of all, and none that identifies. Returns false if there is none.
 */
static bool drop(unsigned *widths, const struct table_column *columns)
{
    unsigned last = 0;
    for (unsigned c = 0; c < COLUMNS_MAX && columns[c].key != NULL; c++)
        last = widths[c] > 0 && !identifies(columns[c].key) ? c : last;
    widths[last] = last > 0 ? 0 : widths[last];
    return last > 0;
}

/* Makes columns fit: other texts are cut first; what identifies a row is cut to two thirds of the line before
 * other columns are left out, and to less only after that. */
static void fit(unsigned *widths, const struct table_column *columns, unsigned width)
{
    const unsigned most = width * 2 / 3 > TEXT_LEAST ? width * 2 / 3 : TEXT_LEAST;
    bool more = true;
    while (more && total_width(widths) > width)
        more = narrow_columns(widths, columns, false, TEXT_LEAST) ||
               narrow_columns(widths, columns, true, most) || drop(widths, columns) ||
               narrow_columns(widths, columns, true, TEXT_LEAST);
}

void table_draw(const struct reply *records, size_t count, const struct table_column *columns,
                const struct terminal *terminal, struct text *out)
{
    unsigned widths[COLUMNS_MAX] = {0};
    unsigned last = 0;
    for (unsigned c = 0; c < COLUMNS_MAX && columns[c].key != NULL; c++)
        widths[c] = column_width(records, count, &columns[c]);
    if (terminal->out_tty)
        fit(widths, columns, terminal->width);
    for (unsigned c = 0; c < COLUMNS_MAX; c++)
        last = widths[c] > 0 ? c : last;
    if (count == 0)
        return;
    table_add_line(out, NULL, columns, widths, last);
    for (size_t i = 0; i < count; i++)
        table_add_line(out, &records[i], columns, widths, last);
}

static bool worth_a_line(const struct reply *reply, const struct table_column *column)
{
    const char *value = reply_text(reply, column->key);
    enum value_type type = type_of_key(column->key);
    bool counts = type == VALUE_COUNT || type == VALUE_BYTES;
    return *value != '\0' && !(counts && strcmp(value, "0") == 0);
}

void table_block(const struct reply *reply, const struct table_column *columns, unsigned least,
                 struct text *out)
{
    unsigned widest = least;
    for (const struct table_column *column = columns; column->key != NULL; column++) {
        unsigned title = terminal_columns(column->title);
        if (worth_a_line(reply, column) && title > widest)
            widest = title;
    }
    for (const struct table_column *column = columns; column->key != NULL; column++) {
        if (!worth_a_line(reply, column))
            continue;
        text_format(out, "%-*s  ", (int)widest, column->title);
        table_value(reply, column->key, out);
        text_char(out, '\n');
    }
}

void table_print_block(const struct reply *reply, const struct table_column *columns, FILE *out)
{
    struct text block = {0};
    table_block(reply, columns, 0, &block);
    (void)fputs(text_string(&block), out);
    text_free(&block);
}

void table_csv_titles(const struct table_column *columns, const char *first, FILE *out)
{
    if (first != NULL)
        (void)fprintf(out, "%s,", first);
    for (const struct table_column *column = columns; column->key != NULL; column++)
        (void)fprintf(out, "%s%c", column->key, column[1].key != NULL ? ',' : '\n');
}

static void table_csv_row(const struct reply *record, const struct table_column *columns, const char *first,
                          FILE *out)
{
    if (first != NULL) {
        csv_field(first, out);
        (void)fputc(',', out);
    }
    for (const struct table_column *column = columns; column->key != NULL; column++) {
        const char *value = reply_text(record, column->key);
        csv_field(strcmp(column->key, "submitter") == 0 ? user_name(value) : value, out);
        (void)fputc(column[1].key != NULL ? ',' : '\n', out);
    }
}

void table_print_of(const struct session *session, const char *of, bool above, const struct reply *records,
                    size_t count, const struct table_column *columns)
{
    struct text lines = {0};
    if (above && !session->csv)
        text_format(&lines, "%s\n", of);
    for (size_t i = 0; i < count && session->csv; i++)
        table_csv_row(&records[i], columns, of, session->terminal->out);
    if (!session->csv)
        table_draw(records, count, columns, session->terminal, &lines);
    (void)fputs(text_string(&lines), session->terminal->out);
    text_free(&lines);
}

void table_print(const struct session *session, const struct reply *records, size_t count,
                 const struct table_column *columns)
{
    if (session->csv)
        table_csv_titles(columns, NULL, session->terminal->out);
    table_print_of(session, NULL, false, records, count, columns);
}

enum exit_code table_print_list(struct session *session, const struct records *list, const char *name,
                                const struct table_column *columns)
{
    if (session->json)
        return session_json_list(session, list, name);
    table_print(session, list->records, list->count, columns);
    return EXIT_FOUND;
}

void csv_quoted(const char *text, FILE *out)
{
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

void csv_refusal(const struct reply *refusal, FILE *out)
{
    struct text text = {0};
    text_format(&text, "error %s: %s", refusal->code, refusal->text);
    csv_quoted(text_string(&text), out);
    text_free(&text);
}

void csv_field(const char *text, FILE *out)
{
    if (strpbrk(text, ",\"\n\r") != NULL)
        csv_quoted(text, out);
    else
        (void)fputs(text, out);
}
