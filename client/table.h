/* SPDX-License-Identifier: MIT */
/* Records as columns, and one reply as a block of "name  value" lines. */
#ifndef TABLE_H
#define TABLE_H

#include "protocol/reply.h"
#include "protocol/text.h"

/* NUMBER stands right and is left as it is (a job's number is a name), COUNT gets commas. */
enum table_form { FORM_TEXT, FORM_NUMBER, FORM_COUNT, FORM_BYTES, FORM_SECONDS, FORM_RATE, FORM_TIME };

struct table_column {
    const char *key; /* NULL ends a list of columns */
    const char *title;
    enum table_form form;
};

/* The value of a key in the form of its column; "" when the reply has none. */
void table_value(const struct reply *reply, const struct table_column *column, struct text *out);
/* A title line and a line a record; numbers stand right. Columns that no record has are left out. */
void table_draw(const struct reply *records, size_t count, const struct table_column *columns,
                struct text *out);
/* One line for each column that the reply has, counts and bytes of 0 left out; the values begin behind the
 * longest title, or behind least columns. */
void table_block(const struct reply *reply, const struct table_column *columns, unsigned least,
                 struct text *out);

#endif
