/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner_stored.h"

#include "base/log.h"

#include <inttypes.h>
#include <stdlib.h>

/* Only a search finds parts, numbers of moves and dead positions. */
static bool needs_search(const struct task *task)
{
    return task->plan.request.cluster || task->plan.request.keep != KEEP_TABLE ||
           task->plan.request.striped.edges || task->plan.request.ranked.parts ||
           task->plan.request.from != FROM_ROOT;
}

static bool levels_agree(struct store *store, const struct table_record *table)
{
    struct pz_error error;
    struct store_level *levels = NULL;
    uint64_t sum = 0;
    uint32_t count = 0;
    if (store_levels(store, table->job, &levels, &count, &error) != PZ_OK)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sum += levels[i].states;
    const bool same = count > 0 && levels[count - 1].level == table->depth && sum == table->states;
    free(levels);
    return same;
}

static bool find_own(const struct runner_options *options, struct table_record *table)
{
    struct pz_error error;
    const struct task *task = options->task;
    return store_table_find(options->store, task->table, table, &error) == PZ_OK &&
           table->job == options->job && (table->complete || table->depth == task->plan.request.depth) &&
           levels_agree(options->store, table);
}

bool runner_stored(const struct runner_options *options, struct explore_result *found)
{
    static const char *const engines[TABLE_KINDS] = {
        [TABLE_RUNS] = "striped", [TABLE_DENSE] = "dense", [TABLE_RANKED] = "ranked"};
    struct table_record *table = needs_search(options->task) ? NULL : malloc(sizeof *table);
    const bool has = table != NULL && find_own(options, table) && engines[table->kind] != NULL;
    if (has) {
        found->engine = engines[table->kind];
        found->states = table->states;
        found->depth = table->depth;
        found->complete = table->complete;
        found->reason = STOP_DEPTH;
        log_event(LOG_LEVEL_INFO, options->job, "event=table-found states=%" PRIu64 " depth=%" PRIu32,
                  found->states, found->depth);
    }
    free(table);
    return has;
}
