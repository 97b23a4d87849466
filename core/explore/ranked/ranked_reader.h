/* SPDX-License-Identifier: MIT */
/* Reads the tables that ranked_table.h lays out. */
#ifndef EXPLORE_RANKED_READER_H
#define EXPLORE_RANKED_READER_H

#include "explore/table/table_reader.h"

extern const struct table_format ranked_format;
extern const struct table_format product_format; /* of a space with runs */

#endif
