/* SPDX-License-Identifier: MIT */
/* Hands the results of a run to its sink, and its figures to the monitor and the result. */
#include "explore/run/report.h"

#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>

enum pz_status report_plan(struct exploration *run)
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

static enum pz_status give_examples(struct exploration *run, unsigned most)
{
    const struct explore_sink *sink = run->sink;
    struct explorer *explorer = run->explorer;
    uint8_t *states = malloc((size_t)most * run->request->space->state_bytes);
    enum pz_status status = PZ_OK;
    unsigned count = 0;
    if (states == NULL)
        status = pz_fail(run->error, PZ_MEMORY, "no memory for the examples of a level");
    status = all_agree(run, status);
    if (status == PZ_OK)
        status =
            all_agree(run, explorer->ops->choose(explorer, run->level, most, states, &count, run->error));
    run->damaged = status == PZ_STORAGE;
    assert(count <= most && count <= run->width);
    if (status == PZ_OK && count > 0)
        checkpointer_note_examples(run->checkpointer, states, count);
    if (status == PZ_OK && count > 0)
        status = all_agree(run, sink->examples(sink->context, run->level, states, count, run->error));
    free(states);
    return status;
}

/* If damaged data prevents the choice of examples, the restarted search chooses them. */
static enum pz_status give_level(struct exploration *run, unsigned most)
{
    const struct explore_sink *sink = run->sink;
    enum pz_status status = PZ_OK;
    assert(run->level <= run->explorer->level); /* the newest, or the one before it */
    if (run->level >= run->counted) {
        run->sum += run->width;
        checkpointer_note_level(run->checkpointer, run->level, run->width);
        if (sink->level != NULL)
            status = sink->level(sink->context, run->level, run->width, run->error);
    }
    run->counted = run->level + 1;
    status = all_agree(run, status);
    if (status == PZ_OK && sink->examples != NULL)
        status = give_examples(run, most);
    if (status == PZ_OK)
        run->sink_levels = run->level + 1;
    return status;
}

enum pz_status report_level(struct exploration *run, bool last)
{
    enum pz_status status = PZ_OK;
    if (run->level >= run->sink_levels)
        status = give_level(run, last ? EXPLORE_DEEPEST_MAX : EXPLORE_EXAMPLES);
    if (status == PZ_OK) {
        run->result->depth = run->level;
        run->result->states += run->width;
    }
    return status;
}

/* Hands over the numbers of moves, if they are asked for. */
static enum pz_status report_edges(struct exploration *run)
{
    assert(run->explorer->level >= run->level);
    const struct explorer_ops *ops = run->explorer->ops;
    if (!run->request->striped.edges || run->sink->edges == NULL || run->edges_given)
        return PZ_OK;
    assert(ops->edges != NULL);
    const enum pz_status status = ops->edges(run->explorer, run->sink, run->error);
    run->damaged = status == PZ_STORAGE;
    run->edges_given = status == PZ_OK;
    return status;
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
        run->damaged = status == PZ_STORAGE;
        if (status == PZ_OK && keys.count > 0)
            status = check_stop(run);
        if (status != PZ_OK || keys.count == 0)
            return status;
        given += keys.count;
        if (given <= run->given) /* the sink got it before the restart; the order is the same */
            continue;
        assert(given - keys.count == run->given);
        run->given = given;
        status = sink->run(sink->context, &keys, run->error);
        monitor_tell(&run->monitor, "store", (double)given / (double)run->result->states);
        if (status != PZ_OK)
            return status;
    }
}

/* Hands over the rest of the table, from where the sink has it. */
static enum pz_status report_table(struct exploration *run)
{
    assert(run->chunks == 0 || table_has_chunks(run->explorer->plan.table));
    const double began = clock_seconds();
    enum pz_status status = PZ_OK;
    if (run->explorer->plan.table == TABLE_RUNS && run->sink->run != NULL)
        status = give_runs(run);
    if (table_has_chunks(run->explorer->plan.table) && run->sink->chunk != NULL && run->result->complete)
        status = give_chunks(run);
    run->result->store_seconds += clock_seconds() - began;
    return status;
}

enum pz_status report_found(struct exploration *run)
{
    enum pz_status status = report_edges(run);
    if (status == PZ_OK)
        status = report_table(run);
    /* The disk is full for the table, too: without it the search can go on where the disk stopped it. */
    run->result->levels_only = status == PZ_STORAGE_FULL && run->result->reason == STOP_DISK;
    return run->result->levels_only ? PZ_OK : status;
}

/* ---- figures ---- */

void report_progress(struct exploration *run, double done)
{
    struct progress *progress = &run->monitor.progress;
    struct explorer_figures figures = {0};
    if (!monitor_due(&run->monitor))
        return;
    run->explorer->ops->figures(run->explorer, &figures);
    progress->states =
        figures.states > 0 ? figures.states : run->result->states + (uint64_t)(done * (double)run->width);
    progress->disk = figures.disk_bytes;
    progress->written = figures.written;
    progress->read = figures.read;
    progress->group = figures.group;
    progress->groups = figures.groups;
    run->monitor.waited = figures.waited;
    monitor_tell(&run->monitor, "search", done);
}

void report_figures(const struct exploration *run)
{
    struct explore_result *result = run->result;
    struct explorer_figures figures = {0};
    if (run->explorer == NULL)
        return;
    run->explorer->ops->figures(run->explorer, &figures);
    result->generated = figures.generated;
    result->dead = figures.dead;
    result->parts = figures.parts;
    result->planes = figures.planes;
    result->disk_bytes = figures.disk_peak;
    result->disk_written_bytes = figures.written;
    result->disk_read_bytes = figures.read;
}
