/* SPDX-License-Identifier: MIT */
/* The states of a table with their costs, as sorted runs of keys. */
#ifndef COSTS_SORTED_TABLE_H
#define COSTS_SORTED_TABLE_H

#include "base/table/state_table.h"
#include "explore/explore.h"
#include "explore/key/radix.h"

/* One state's entry in the table. */
struct costs_own {
    uint32_t cost;
    uint32_t order; /* the state with this place in the order of the levels */
};
static inline struct costs_own *costs_own_at(const struct state_table *table, uint32_t number)
{
    return (struct costs_own *)(void *)table->own + number;
}

enum { KEY_GROUPS = 256 /* by the top byte of a key */, SORTED_RUN_KEYS = 4096 };

struct sorted_table {
    const struct state_table *table;
    uint32_t *numbers; /* of the states, group by group */
    uint32_t first[KEY_GROUPS + 1];
    unsigned group;     /* that comes next */
    struct radix radix; /* the group before it, sorted */
    uint32_t at, count; /* entries of that group: given, all */
    uint64_t *keys;     /* of a run */
    uint32_t distances[SORTED_RUN_KEYS];
};

/* Takes the states that are no farther than `most`. Returns false without memory. The caller clears it in any
 * case. */
bool sorted_table_init(struct sorted_table *sorted, const struct state_table *table, uint32_t most);
void sorted_table_clear(struct sorted_table *sorted); /* a zeroed one is fine */
/* Makes the next run, which is valid until the next call; count 0 after the last. Returns false without
 * memory. */
bool sorted_table_next(struct sorted_table *sorted, struct explore_run *out);

#endif
