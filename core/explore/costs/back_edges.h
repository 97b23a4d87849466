/* SPDX-License-Identifier: MIT */
/* The moves between all states of a table, grouped by target state. */
#ifndef COSTS_BACK_EDGES_H
#define COSTS_BACK_EDGES_H

#include "base/table/state_table.h"
#include "explore/costs/brood.h"
#include "explore/run/monitor.h"

struct back_edges {
    struct budget *budget;
    uint64_t taken;    /* bytes of the budget */
    uint64_t *first;   /* of each state; one more for the end */
    uint32_t *sources; /* of each edge the state that it comes from */
    uint32_t *costs;   /* of each edge */
};

/* The table holds every successor of its states. Returns PZ_MEMORY if the budget does not hold the edges,
 * PZ_CANCELLED, PZ_LIMIT at the deadline. The caller clears them in any case. */
enum pz_status back_edges_make(struct back_edges *edges, const struct state_table *table, struct brood *brood,
                               struct monitor *monitor);
void back_edges_clear(struct back_edges *edges); /* a zeroed one is fine */

#endif
