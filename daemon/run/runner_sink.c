/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner_sink.h"

#include "answer/answer_table.h"
#include "base/clock.h"
#include "base/log.h"
#include "daemon/run/room.h"
#include "daemon/run/runner_answer.h"
#include "space/text/tws/tws.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

struct runner_sink {
    struct explore_sink calls;
    const struct runner_options *options;
    struct budget *budget;
    struct table_writer *writer; /* NULL when no table is kept */
    struct table_record table;
    uint64_t due;       /* bytes of the table that are still to come, as far as known */
    uint64_t unchecked; /* bytes written since the last look at the room that is left */
    uint64_t pieces;    /* runs or chunks written */
    struct runner_sink_found found;
    uint64_t *all; /* of classes: how many states those of each level stand for; NULL before the first run */
};

enum { ROOM_AT_ONCE = 64 << 20 };

/* Returns true if the store has a table of this name that is complete or as deep, and that has the parts if
 * the new one has them (it then has more bytes). No table is written in that case. */
static bool has_better(struct runner_sink *sink, uint32_t depth, uint64_t table_bytes)
{
    struct table_record *stored = malloc(sizeof *stored);
    if (stored == NULL)
        return false;
    bool found = store_table_find(sink->options->store, sink->options->task->table, stored, NULL) == PZ_OK;
    bool better = found && stored->table_bytes >= table_bytes && (stored->complete || stored->depth >= depth);
    free(stored);
    return better;
}

/* Makes room for the whole table before its first piece, so that an exploration without a table evicts none.
 * In a table of runs a state takes its key and a distance, and about 1% less in the database. */
static enum pz_status make_room_for_all(struct runner_sink *sink, struct pz_error *error)
{
    if (sink->pieces++ > 0)
        return PZ_OK;
    const bool runs = sink->table.kind == TABLE_RUNS;
    sink->due = runs ? sink->found.states * (sink->table.state_bytes + 1) : sink->table.table_bytes;
    return room_for_all(sink->options, sink->due, error);
}

/* Makes room again now and then, since other jobs may have used it. If no table is left to evict, the writer
 * will say that the database is full. */
static void keep_room(struct runner_sink *sink, size_t bytes)
{
    sink->due -= bytes < sink->due ? bytes : sink->due;
    sink->unchecked += bytes;
    if (sink->unchecked < ROOM_AT_ONCE / 2)
        return;
    sink->unchecked = 0;
    (void)room_make(sink->options, sink->due < ROOM_AT_ONCE ? sink->due : ROOM_AT_ONCE, 0, NULL);
}

static enum pz_status sink_on_begin(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    struct runner_sink *sink = context;
    assert(sink->writer == NULL && sink->found.levels == 0); /* before anything else, once */
    if (plan->table == TABLE_NONE)
        return PZ_OK;
    sink->found.has_table = has_better(sink, sink->options->task->plan.request.depth, plan->table_bytes);
    if (sink->found.has_table)
        return PZ_OK;
    enum pz_status status = room_check(sink->options, plan->table_bytes, error);
    if (status != PZ_OK)
        return status;
    sink->table.kind = plan->table;
    sink->table.state_bytes = plan->state_bytes;
    sink->table.table_bytes = plan->table_bytes;
    sink->table.chunk_bytes = plan->chunk_bytes;
    return table_writer_new(sink->options->store, &sink->table, &sink->writer, error);
}

static enum pz_status on_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct runner_sink *sink = context;
    /* Each level comes once, in order, of costs those that have a state; the first one is empty if no goal
     * can be reached. */
    assert(level >= sink->found.levels && (states > 0 || level == 0));
    sink->found.levels = level + 1;
    sink->found.states += states;
    return store_level_put(sink->options->store, sink->options->job, level, states, error);
}

static enum pz_status on_examples(void *context, uint32_t level, const void *states, unsigned count,
                                  struct pz_error *error)
{
    struct runner_sink *sink = context;
    assert(level < sink->found.levels);
    return store_examples_put(sink->options->store, sink->options->job, level, states, count,
                              task_space(sink->options->task)->state_bytes, error);
}

static void add_numbers(struct text *out, const char *key, const uint64_t *numbers, uint32_t count)
{
    text_format(out, " %s=\"", key);
    for (uint32_t i = 0; i < count; i++)
        text_format(out, "%s%" PRIu64, i > 0 ? " " : "", numbers[i]);
    text_char(out, '"');
}

static enum pz_status on_edges(void *context, const struct explore_edges *edges, struct pz_error *error)
{
    struct runner_sink *sink = context;
    text_format(&sink->found.edges, " edges=%" PRIu64, edges->count);
    add_numbers(&sink->found.edges, "edges_by_level", edges->of_level, edges->levels);
    add_numbers(&sink->found.edges, "states_by_moves", edges->states, edges->most + 1);
    return sink->found.edges.failed ? pz_fail(error, PZ_MEMORY, "no memory to report the edges") : PZ_OK;
}

/* Counts the states that classes stand for. All levels were told before the first run. */
static enum pz_status sink_count_all(struct runner_sink *sink, const struct explore_run *run,
                                     struct pz_error *error)
{
    if (sink->all == NULL)
        sink->all = calloc(sink->found.levels, sizeof *sink->all);
    if (sink->all == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to count states of classes");
    count_classes(task_space(sink->options->task), run, sink->all, sink->found.levels);
    return PZ_OK;
}

static enum pz_status on_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct runner_sink *sink = context;
    enum pz_status status =
        tws_has_classes(task_space(sink->options->task)) ? sink_count_all(sink, run, error) : PZ_OK;
    if (sink->writer == NULL || status != PZ_OK)
        return status;
    status = make_room_for_all(sink, error);
    if (status != PZ_OK)
        return status;
    keep_room(sink, run->count * (run->key_words * sizeof *run->keys + 1));
    status = table_writer_run(sink->writer, run, error);
    budget_note_beside(sink->budget, table_writer_memory(sink->writer));
    return status;
}

static enum pz_status on_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                               struct pz_error *error)
{
    struct runner_sink *sink = context;
    if (sink->writer == NULL)
        return PZ_OK;
    enum pz_status status = make_room_for_all(sink, error);
    if (status != PZ_OK)
        return status;
    keep_room(sink, length);
    status = table_writer_chunk(sink->writer, number, bytes, length, error);
    budget_note_beside(sink->budget, table_writer_memory(sink->writer));
    return status;
}

struct runner_sink *runner_sink_new(const struct runner_options *options, struct budget *budget)
{
    struct runner_sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL)
        return NULL;
    sink->options = options;
    sink->budget = budget;
    sink->calls = (struct explore_sink){.context = sink,
                                        .begin = sink_on_begin,
                                        .level = on_level,
                                        .examples = on_examples,
                                        .edges = on_edges,
                                        .run = on_run,
                                        .chunk = on_chunk};
    sink->table.job = options->job;
    (void)snprintf(sink->table.name, sizeof sink->table.name, "%s", options->task->table);
    return sink;
}

const struct explore_sink *runner_sink_calls(struct runner_sink *sink)
{
    return &sink->calls;
}

/* Levels are written behind, and given up after a while if the disk stays full: a job without some has
 * failed. */
static enum pz_status check_levels(const struct runner_sink *sink, struct pz_error *error)
{
    struct store *store = sink->options->store;
    const uint64_t job = sink->options->job;
    struct pz_error why;
    if (sink->found.levels == 0)
        return PZ_OK;
    const enum pz_status status = store_flush(store, error);
    if (status != PZ_OK)
        return status;
    if (!store_levels_wait(store, job) &&
        runner_levels_agree(store, job, sink->found.levels - 1, sink->found.states))
        return PZ_OK;
    if (store_last_failure(store, &why) == PZ_OK)
        (void)pz_fail(&why, PZ_STORAGE, "they are not there");
    return pz_fail(error, why.code, "the database could not take some of the levels: %s", why.text);
}

enum pz_status runner_sink_finish(struct runner_sink *sink, enum pz_status status,
                                  const struct explore_result *result, struct pz_error *error)
{
    struct table_writer *writer = sink->writer;
    if (sink->all != NULL)
        add_numbers(&sink->found.edges, "all_by_level", sink->all, sink->found.levels);
    sink->writer = NULL;
    if (status == PZ_OK)
        status = check_levels(sink, error);
    if (writer == NULL)
        return status;
    /* Lookups in a table of chunks walk through every level down to the root, so an incomplete one is
     * useless.
     */
    bool useless = result->levels_only || (table_has_chunks(sink->table.kind) && !result->complete);
    if (status != PZ_OK || useless) {
        table_writer_abort(writer);
        return status;
    }
    sink->table.depth = result->depth;
    sink->table.complete = result->complete;
    sink->table.states = result->states;
    sink->table.created_ms = clock_wall_ms();
    sink->table.used_ms = sink->table.created_ms;
    assert(!sink->found.has_table); /* a writer was made as there was none */
    status = table_writer_finish_if_better(writer, &sink->table, error);
    sink->found.has_table = status == PZ_OK;
    return status;
}

uint64_t runner_sink_table_bytes(const struct runner_sink *sink, uint64_t unknown)
{
    if (sink->writer == NULL)
        return 0;
    return sink->table.table_bytes > 0 ? sink->table.table_bytes : unknown;
}

const struct runner_sink_found *runner_sink_found(const struct runner_sink *sink)
{
    static const struct runner_sink_found nothing;
    return sink != NULL ? &sink->found : &nothing;
}

void runner_sink_free(struct runner_sink *sink)
{
    if (sink == NULL)
        return;
    text_free(&sink->found.edges);
    free(sink->all);
    free(sink);
}
