/* SPDX-License-Identifier: MIT */
/* Records as columns, and one reply as a block of "name  value" lines. */
#ifndef TABLE_H
#define TABLE_H

#include "protocol/reply.h"
#include "protocol/text.h"
#include "terminal.h"

/* A value is written as its key's type asks (protocol/vocabulary.h): counts with commas, bytes as 6.2G. */
struct table_column {
    const char *key; /* NULL ends a list of columns */
    const char *title;
};

/* The value of a key as a person reads it; "" when the reply has none. */
void table_value(const struct reply *reply, const char *key, struct text *out);
/* A title line and a line a record; numbers stand right. Columns that no record
 * has are left out. On a terminal too narrow for all of it the widest texts are
 * cut, then the last columns are left out. */
void table_draw(const struct reply *records, size_t count, const struct table_column *columns,
                const struct terminal *terminal, struct text *out);
/* One line for each column that the reply has, counts and bytes of 0 left out;
 * the values begin behind the longest title, or behind least columns. */
void table_block(const struct reply *reply, const struct table_column *columns, unsigned least,
                 struct text *out);

#endif
