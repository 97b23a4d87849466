/* SPDX-License-Identifier: MIT */
/* What the sink of a run is told. */
#include "base/clock.h"
#include "explore/run/exploration.h"

#include <assert.h>
#include <stdlib.h>

enum pz_status tell_plan(struct exploration *run)
{
    const struct explore_sink *sink = run->sink;
    struct explore_plan *plan = &run->explorer->plan;
    plan->engine = run->result->engine;
    plan->state_bytes = run->request->space->state_bytes;
    assert(!table_has_chunks(plan->table) || (plan->table_bytes > 0 && plan->chunk_bytes > 0));
    if (run->begun || sink->begin == NULL)
        return PZ_OK;
    run->begun = true;
    return sink->begin(sink->context, plan, run->error);
}

/* ---- levels ---- */

/* Examples are chosen first: where that fails, the sink knows nothing of the level yet. */
static enum pz_status give_level(struct exploration *run, unsigned most, uint8_t *states)
{
    const struct explore_sink *sink = run->sink;
    struct explorer *explorer = run->explorer;
    enum pz_status status = PZ_OK;
    unsigned count = 0;
    assert(run->level == explorer->level || run->level + 1 == explorer->level);
    if (sink->examples != NULL)
        status = states != NULL
                     ? explorer->ops->choose(explorer, run->level, most, states, &count, run->error)
                     : pz_fail(run->error, PZ_MEMORY, "no memory for the examples of a level");
    status = all_agree(run, status);
    run->damaged = status == PZ_STORAGE;
    if (status != PZ_OK)
        return status;
    assert(count <= most && count <= run->width);
    if (sink->level != NULL)
        status = sink->level(sink->context, run->level, run->width, run->error);
    if (status == PZ_OK && count > 0)
        status = sink->examples(sink->context, run->level, states, count, run->error);
    run->told = run->level + 1;
    return all_agree(run, status);
}

enum pz_status tell_level(struct exploration *run, bool last)
{
    const unsigned most = last ? EXPLORE_DEEPEST_MAX : EXPLORE_EXAMPLES;
    enum pz_status status = PZ_OK;
    if (run->level >= run->told) {
        uint8_t *states = malloc((size_t)most * run->request->space->state_bytes);
        status = give_level(run, most, states);
        free(states);
    }
    if (status == PZ_OK) {
        run->result->depth = run->level;
        run->result->states += run->width;
    }
    return status;
}

enum pz_status tell_edges(struct exploration *run)
{
    const struct explorer_ops *ops = run->explorer->ops;
    if (!run->request->edges || run->sink->edges == NULL)
        return PZ_OK;
    assert(ops->edges != NULL);
    return ops->edges(run->explorer, run->sink, run->error);
}

/* ---- the table ---- */

static enum pz_status check_stop(const struct exploration *run)
{
    const struct control *control = run->monitor.control;
    return control != NULL && control_stopped(control)
               ? pz_fail(run->error, PZ_CANCELLED, "cancelled while the table was stored")
               : PZ_OK;
}

static enum pz_status give_chunk(struct exploration *run, uint8_t *chunk)
{
    const struct explore_sink *sink = run->sink;
    struct explorer *explorer = run->explorer;
    size_t length = 0;
    enum pz_status status = explorer->ops->chunk(explorer, run->chunks, chunk, &length, run->error);
    run->damaged = status == PZ_STORAGE;
    if (status != PZ_OK)
        return status;
    assert(length > 0 && length <= explorer->plan.chunk_bytes);
    return sink->chunk(sink->context, run->chunks, chunk, length, run->error);
}

static enum pz_status give_chunks(struct exploration *run)
{
    const struct explore_plan *plan = &run->explorer->plan;
    const uint64_t chunks = (plan->table_bytes + plan->chunk_bytes - 1) / plan->chunk_bytes;
    uint8_t *chunk = malloc(plan->chunk_bytes);
    if (chunk == NULL)
        return pz_fail(run->error, PZ_MEMORY, "no memory to write the table");
    enum pz_status status = PZ_OK;
    while (status == PZ_OK && run->chunks < chunks) {
        status = check_stop(run);
        if (status == PZ_OK)
            status = give_chunk(run, chunk);
        run->chunks += status == PZ_OK;
        monitor_tell(&run->monitor, "store", (double)run->chunks / (double)chunks);
    }
    free(chunk);
    return status;
}

static enum pz_status give_runs(struct exploration *run)
{
    const struct explore_sink *sink = run->sink;
    struct explorer *explorer = run->explorer;
    struct explore_run keys = {0};
    uint64_t given = 0;
    enum pz_status status;
    for (;;) {
        status = explorer->ops->run(explorer, &keys, run->error);
        if (status == PZ_OK && keys.count > 0)
            status = check_stop(run);
        if (status != PZ_OK || keys.count == 0)
            return status;
        status = sink->run(sink->context, &keys, run->error);
        given += keys.count;
        monitor_tell(&run->monitor, "store", (double)given / (double)run->result->states);
        if (status != PZ_OK)
            return status;
    }
}

enum pz_status tell_table(struct exploration *run)
{
    const double began = clock_seconds();
    enum pz_status status = PZ_OK;
    if (run->explorer->plan.table == TABLE_RUNS && run->sink->run != NULL)
        status = give_runs(run);
    if (table_has_chunks(run->explorer->plan.table) && run->sink->chunk != NULL && run->result->complete)
        status = give_chunks(run);
    run->result->store_seconds += clock_seconds() - began;
    return status;
}
