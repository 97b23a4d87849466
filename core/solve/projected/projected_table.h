/* SPDX-License-Identifier: MIT */
/* Makes the database of an abstraction. */
#ifndef PROJECTED_TABLE_H
#define PROJECTED_TABLE_H

#include "base/budget.h"
#include "explore/control.h"
#include "space/text/project/projection.h"

enum {
    TABLE_FARTHEST = 254, /* distances beyond are cut */
    TABLE_DEAD = 255      /* no goal can be reached */
};

/* Fills a byte for each key. PZ_OK, PZ_TOO_LARGE if the budget is too small, PZ_MEMORY, PZ_CANCELLED,
 * PZ_LIMIT (deadline). */
enum pz_status projected_table_fill(const struct projection *projection, unsigned threads,
                                    struct budget *budget, struct control *control, uint8_t *bytes,
                                    struct pz_error *error);

#endif
