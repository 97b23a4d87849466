/* SPDX-License-Identifier: MIT */
#include "explore/costs/back_edges.h"

enum { POLL_STATES = 4096 };

/* One more than count. */
static void *take(struct back_edges *edges, uint64_t count, size_t size)
{
    return budget_calloc(edges->budget, count + 1, size, &edges->taken);
}

/* Goes through all moves: counts those that lead to each state, or fills them in. */
static enum pz_status pass(struct back_edges *edges, const struct state_table *table, struct brood *brood,
                           struct monitor *monitor, bool fill)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const unsigned count = brood_make(brood, state_table_at(table, i));
        for (unsigned k = 0; k < count; k++) {
            uint64_t *first = &edges->first[state_table_find(table, brood_state(brood, k))];
            if (fill) {
                edges->sources[--*first] = i;
                edges->costs[*first] = brood->costs[k];
            } else {
                ++*first;
            }
        }
        if (i % POLL_STATES != 0)
            continue;
        monitor_tell(monitor, "edges", (fill ? 0.5 : 0) + i / (2.0 * table->count));
        const enum pz_status status = control_poll(monitor->control);
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

enum pz_status back_edges_make(struct back_edges *edges, const struct state_table *table, struct brood *brood,
                               struct monitor *monitor)
{
    uint64_t sum = 0;
    *edges = (struct back_edges){.budget = table->budget};
    edges->first = take(edges, table->count, sizeof *edges->first);
    if (edges->first == NULL)
        return PZ_MEMORY;
    enum pz_status status = pass(edges, table, brood, monitor, false);
    if (status != PZ_OK)
        return status;
    for (uint32_t i = 0; i <= table->count; i++) /* from ends, which filling in moves to the beginnings */
        edges->first[i] = sum += edges->first[i];
    edges->sources = take(edges, sum, sizeof *edges->sources);
    edges->costs = edges->sources != NULL ? take(edges, sum, sizeof *edges->costs) : NULL;
    return edges->costs != NULL ? pass(edges, table, brood, monitor, true) : PZ_MEMORY;
}

void back_edges_clear(struct back_edges *edges)
{
    free(edges->first);
    free(edges->sources);
    free(edges->costs);
    if (edges->taken > 0)
        budget_give(edges->budget, edges->taken);
}
