/* SPDX-License-Identifier: MIT */
/*
 * An abstraction is a puzzle, explored from its goal by the engine that its kind of moves asks for; the
 * distances of the table that it would store come here. Spaces of runs are explored here, a byte a number:
 * the ranked engine keeps distances modulo 3 only.
 */
#include "solve/abstraction/abstractions.h"

#include "explore/explore.h"
#include "explore/key/mix.h"
#include "explore/run/monitor.h"
#include "space/registry.h"

#include <stdlib.h>
#include <string.h>

/* ---- by an engine ---- */

struct filling {
    const struct abstraction *abstraction;
    uint8_t *bytes;
};

static enum pz_status take_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    const struct filling *filling = context;
    const struct abstraction *abstraction = filling->abstraction;
    (void)error;
    for (size_t i = 0; i < run->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        unmix_bytes(run->keys + i * run->key_words, abstraction->space->state_bytes, state);
        const uint64_t key = abstraction_own_key(abstraction, state);
        const unsigned distance = run->distances[i] - abstraction->more;
        if (key < abstraction->keys)
            filling->bytes[key] = (uint8_t)(distance < TABLE_FARTHEST ? distance : TABLE_FARTHEST);
    }
    return PZ_OK;
}

/* NOLINTBEGIN(readability-non-const-parameter): take_run writes the bytes */
static enum pz_status fill_by_engine(const struct abstraction *abstraction, unsigned threads,
                                     struct budget *budget, struct control *control, uint8_t *bytes,
                                     struct pz_error *error)
{
    struct filling filling = {abstraction, bytes};
    struct explore_result result;
    const bool has_costs = (abstraction->space->flags & PZ_COSTS) != 0;
    const struct explore_request request = {.space = abstraction->space,
                                            .root = abstraction->root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = threads,
                                            .budget = budget,
                                            .engine = has_costs ? ENGINE_COSTS : ENGINE_STRIPED,
                                            .keep = KEEP_TABLE};
    const struct explore_sink sink = {.context = &filling, .run = take_run};
    enum pz_status status = explore_run(&request, control, &sink, &result, error);
    if (status != PZ_OK || result.outcome == OUTCOME_DONE)
        return status;
    if (result.reason == STOP_TIME)
        return pz_fail(error, PZ_LIMIT, "the time ended while a pattern database was built");
    if (result.reason == STOP_LEVELS)
        return pz_fail(error, PZ_TOO_LARGE, "costs beyond %u: no pattern database is made of a part",
                       EXPLORE_COST_MAX);
    return pz_fail(error, PZ_TOO_LARGE, "no memory to build a pattern database of %llu states",
                   (unsigned long long)abstraction->keys);
}

/* NOLINTEND(readability-non-const-parameter) */

/* ---- by runs ---- */

struct flood {
    struct pz_runs *runs;
    uint8_t *bytes;
    uint8_t *newest; /* of each run: bit (level mod 2) is set if it may have states of that level */
    uint32_t *found; /* positions of a level within a run: row, column */
    uint64_t reached;
    struct monitor monitor;
};

static uint64_t run_size(const struct pz_runs *runs)
{
    return (uint64_t)runs->rows * runs->columns;
}

/* Notes where a run has states of a level; returns how many. */
static uint32_t find_level(const struct flood *flood, uint64_t outer, uint8_t level)
{
    const uint8_t *bytes = flood->bytes + outer * run_size(flood->runs);
    const uint32_t size = (uint32_t)run_size(flood->runs);
    uint32_t count = 0;
    for (const uint8_t *at = bytes; (at = memchr(at, level, (size_t)(bytes + size - at))) != NULL; at++)
        flood->found[count++] = (uint32_t)(at - bytes);
    return count;
}

/* Carries the states of a level in a run along a move. */
static void carry_level(struct flood *flood, const struct pz_edge *edge, uint32_t count, uint8_t next)
{
    const struct pz_runs *runs = flood->runs;
    const uint32_t columns = runs->columns, positions = pz_row_positions(columns);
    uint8_t *to = flood->bytes + edge->outer * run_size(runs);
    uint64_t reached = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = flood->found[i] / columns, column = flood->found[i] % columns;
        if (edge->rows != NULL)
            row = edge->rows[row] / positions;
        if (edge->columns != NULL)
            column = edge->columns[column];
        if (column == columns || to[(size_t)row * columns + column] != TABLE_DEAD)
            continue;
        to[(size_t)row * columns + column] = next;
        reached++;
    }
    if (reached > 0)
        flood->newest[edge->outer] |= (uint8_t)(1 << (next & 1));
    flood->reached += reached;
}

static void carry_run(struct flood *flood, uint64_t outer, uint8_t level)
{
    const struct pz_runs *runs = flood->runs;
    const uint32_t count = find_level(flood, outer, level);
    const uint8_t next = level < TABLE_FARTHEST ? (uint8_t)(level + 1) : TABLE_FARTHEST;
    for (unsigned move = 0; move < runs->moves && count > 0; move++) {
        struct pz_edge edge;
        runs->edge(runs, move, outer, &edge);
        if (edge.outer != PZ_NO_RUN)
            carry_level(flood, &edge, count, next);
    }
}

static enum pz_status flood_levels(struct flood *flood)
{
    for (uint8_t level = 0; flood->reached > 0; level++) {
        flood->reached = 0;
        for (uint64_t outer = 0; outer < flood->runs->outers; outer++) {
            if ((flood->newest[outer] & 1 << (level & 1)) == 0)
                continue;
            flood->newest[outer] &= (uint8_t) ~(1 << (level & 1));
            carry_run(flood, outer, level);
            const enum pz_status status = monitor_poll(&flood->monitor);
            if (status != PZ_OK)
                return status;
        }
        if (level == TABLE_FARTHEST)
            return PZ_TOO_LARGE;
    }
    return PZ_OK;
}

static enum pz_status fill_by_runs(const struct abstraction *abstraction, struct budget *budget,
                                   struct control *control, uint8_t *bytes, struct pz_error *error)
{
    struct flood flood = {.runs = space_runs(abstraction->space), .bytes = bytes, .reached = 1};
    enum pz_status status = PZ_MEMORY;
    if (flood.runs == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the blocks of an abstraction");
    const uint64_t beside = flood.runs->bytes + flood.runs->outers * sizeof *flood.newest +
                            run_size(flood.runs) * sizeof *flood.found;
    if (!budget_take(budget, beside)) {
        flood.runs->close(flood.runs);
        return pz_fail(error, PZ_TOO_LARGE, "the budget has no %llu bytes to build a pattern database",
                       (unsigned long long)beside);
    }
    flood.newest = calloc(flood.runs->outers, sizeof *flood.newest);
    flood.found = malloc(run_size(flood.runs) * sizeof *flood.found);
    monitor_init(&flood.monitor, control, budget, "pdb");
    if (flood.newest != NULL && flood.found != NULL && flood.runs->prepare(flood.runs)) {
        const uint64_t root = abstraction_own_key(abstraction, abstraction->root);
        bytes[root] = 0;
        flood.newest[root / run_size(flood.runs)] = 1;
        status = flood_levels(&flood);
    }
    flood.runs->close(flood.runs);
    free(flood.newest);
    free(flood.found);
    budget_give(budget, beside);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "a pattern database was not built");
}

enum pz_status abstraction_table_fill(const struct abstraction *abstraction, unsigned threads,
                                      struct budget *budget, struct control *control, uint8_t *bytes,
                                      struct pz_error *error)
{
    memset(bytes, TABLE_DEAD, abstraction->keys);
    return space_has_runs(abstraction->space)
               ? fill_by_runs(abstraction, budget, control, bytes, error)
               : fill_by_engine(abstraction, threads, budget, control, bytes, error);
}
