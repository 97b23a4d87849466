/* SPDX-License-Identifier: MIT */
/* An exploration's question as the store keeps it: "explore", the name of its table, and what else was asked.
 */
#ifndef STORE_QUESTION_H
#define STORE_QUESTION_H

#include "explore/explore.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the part that names the table: "explore slide:3x4 root=0,1,…". */
size_t question_table_length(const char *question);

/* Returns true if the question asks for the table of this name. */
bool question_asks_table(const char *question, const char *table);

/* Returns what distances the question, or a table's name, is about. */
enum explore_from question_from(const char *question);

#endif
