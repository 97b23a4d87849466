/* SPDX-License-Identifier: MIT */
/* Records as columns, and one reply as a block of "name  value" lines. */
#ifndef TEXT_TABLE_H
#define TEXT_TABLE_H

#include "client/session/session.h"

#include <stdio.h>

/* A value is written by the type of its key (protocol/vocabulary.h): counts with commas, bytes as 6.2G. */
struct table_column {
    const char *key; /* NULL ends a list of columns */
    const char *title;
};

/* Gives the value of a key in readable form; "" if the reply has none. */
void table_value(const struct reply *reply, const char *key, struct text *out);
/* Writes a line of titles and one line per record; numbers are aligned right. Leaves out columns that no
 * record has. If the terminal is too narrow, the widest texts are cut, then the last columns are left out;
 * what identifies a row (its puzzle, table, layout or name) is cut last. */
void table_draw(const struct reply *records, size_t count, const struct table_column *columns,
                const struct terminal *terminal, struct text *out);
/* Writes the line of titles between commas: the keys of values as the daemon reports them, so that programs
 * can read them. first stands before the others; NULL for none. */
void table_csv_titles(const struct table_column *columns, const char *first, FILE *out);
/* Prints records as columns, or between commas if the session's lists are. */
void table_print(const struct session *session, const struct reply *records, size_t count,
                 const struct table_column *columns);
/* Prints more records so, without titles between commas. What they are of, NULL for nothing, is the first
 * value of each line there, and with above stands over the columns. */
void table_print_of(const struct session *session, const char *of, bool above, const struct reply *records,
                    size_t count, const struct table_column *columns);
/* Prints a list so, or as JSON with its records under a name. */
enum exit_code table_print_list(struct session *session, const struct records *list, const char *name,
                                const struct table_column *columns);
/* Writes one line for each column that the reply has, except counts and bytes of 0. The values begin after
 * the longest title, or after least columns. */
void table_block(const struct reply *reply, const struct table_column *columns, unsigned least,
                 struct text *out);
void table_print_block(const struct reply *reply, const struct table_column *columns, FILE *out);

/* Prints a field, in quotes where it needs them. */
void csv_field(const char *text, FILE *out);
/* Prints a field in quotes, as RFC 4180 defines them. */
void csv_quoted(const char *text, FILE *out);
/* Prints an ERR as a field in quotes: "error CODE: TEXT". */
void csv_refusal(const struct reply *refusal, FILE *out);

#endif
