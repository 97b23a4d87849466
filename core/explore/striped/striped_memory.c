/* SPDX-License-Identifier: MIT */
/* The striped engine's explorer in memory: a search, or from=goals the graph that a search may become. */
#include "explore/exchange/frame.h"
#include "explore/striped/disk/disk_search.h"
#include "explore/striped/striped.h"
#include "explore/striped/striped_own.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct search_options search_options_of(const struct striped *striped)
{
    const struct explore_request *request = striped->setup.request;
    return (struct search_options){.root = request->root,
                                   .spread = request->roots > 1 || request->from == FROM_GOALS,
                                   .keep_all = striped_keeps_all(request),
                                   .partitions = request->striped.stripes,
                                   .seed = request->seed,
                                   .exchange = request->exchange};
}

/* Records which limit a search met. */
static enum pz_status striped_memory_halted(struct striped *striped, enum halt halt)
{
    static const enum stop_reason limits[] = {
        [HALT_TIME] = STOP_TIME, [HALT_MEMORY] = STOP_MEMORY, [HALT_LEVELS] = STOP_LEVELS};
    if (halt == HALT_CANCELLED)
        return PZ_CANCELLED;
    assert(halt == HALT_TIME || halt == HALT_MEMORY || halt == HALT_LEVELS);
    striped->base.limit = limits[halt];
    return PZ_LIMIT;
}

/* ---- level 0 ---- */

/* Makes the search that begins at the root, or at all of them. */
static enum pz_status search_from_roots(struct striped *striped, const struct search_options *options,
                                        struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    struct key_list roots = {0};
    if (request->roots <= 1)
        return search_new(&striped->searchers, options, &striped->search, error);
    enum pz_status status = striped_roots(request, &roots, error);
    if (status == PZ_OK)
        status = goals_search(&roots, &striped->searchers, options, &striped->search, error);
    key_list_clear(&roots, request->budget);
    return status;
}

/* Visits all states that the root reaches. */
static enum pz_status visit_all_states(struct striped *striped, struct pz_error *error)
{
    struct search_options options = search_options_of(striped);
    const struct search_step step = {.visits = true};
    enum halt halt = HALT_NONE;
    options.keep_all = true;
    const enum pz_status status = search_from_roots(striped, &options, error);
    if (status != PZ_OK)
        return status;
    while (halt == HALT_NONE && search_frontier(striped->search) > 0)
        halt = search_advance(striped->search, striped->setup.monitor, &step, NULL);
    if (halt == HALT_CANCELLED)
        return pz_fail(error, PZ_CANCELLED, "cancelled before the goals were known");
    return halt == HALT_NONE ? PZ_OK : striped_memory_halted(striped, halt);
}

/* Turns the search into one that begins at the goals. */
static enum pz_status search_from_goals(struct striped *striped, const struct key_list *goals,
                                        struct pz_error *error)
{
    const struct search_options options = search_options_of(striped);
    striped->before.generated = striped->search != NULL ? search_generated(striped->search) : 0;
    search_free(striped->search);
    striped->search = NULL;
    searchers_clear(&striped->searchers); /* frees the chunks' memory for the other search */
    const enum pz_status status = striped_make_searchers(striped, error);
    return status == PZ_OK ? goals_search(goals, &striped->searchers, &options, &striped->search, error)
                           : status;
}

/* Turns the search into a graph, which has other levels. */
static enum pz_status become_graph(struct striped *striped, struct pz_error *error)
{
    const uint64_t generated = striped->search != NULL ? search_generated(striped->search) : 0;
    const enum pz_status status =
        move_graph_new(&striped->search, &striped->searchers, striped->setup.monitor, &striped->graph, error);
    striped->before.generated = striped->search == NULL ? generated : 0;
    if (status == PZ_OK && generated == 0)
        striped->before.generated = striped->graph->first[striped->graph->count];
    striped->base.ops = &striped_graph_ops;
    if (status == PZ_LIMIT || status == PZ_MEMORY)
        return striped_memory_halted(striped, status == PZ_LIMIT ? HALT_TIME : HALT_MEMORY);
    return status;
}

/* Finds the goals among all numbered states, or among all states that the root reaches; the latter are
 * visited for that. Where moves have costs, only the states are found. */
static enum pz_status striped_memory_find_goals(struct striped *striped, struct key_list *goals,
                                                struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    enum pz_status status = PZ_OK;
    if (numbered_suits(request) && striped_has_costs(striped))
        return PZ_OK;
    if (numbered_suits(request))
        status = numbered_goals(request, striped->setup.monitor, goals, error);
    if (status != PZ_OK || goals->count > 0)
        return status;
    status = visit_all_states(striped, error);
    if (status == PZ_OK && (request->space->flags & PZ_REVERSIBLE) != 0 && !striped_has_costs(striped))
        status = goals_collect(goals, striped->search, request->space, request->budget,
                               striped->setup.monitor->control, error);
    return status;
}

/*
 * Finds the goals. Then either the search stands at level 0, which is all goals (moves can be undone), or
 * there is a graph of all that the root reaches, to be searched against its edges.
 */
static enum pz_status striped_memory_begin_at_goals(struct striped *striped, struct pz_error *error)
{
    struct key_list goals = {0};
    enum pz_status status = striped_memory_find_goals(striped, &goals, error);
    if (status == PZ_LIMIT && striped->base.limit == STOP_NONE)
        status = striped_memory_halted(striped, HALT_TIME);
    if (status == PZ_OK)
        status = goals.count > 0 ? search_from_goals(striped, &goals, error) : become_graph(striped, error);
    key_list_clear(&goals, striped->setup.request->budget);
    return status;
}

/* All ranks have the same number of partitions. */
static enum pz_status striped_memory_begin_at_root(struct striped *striped, struct pz_error *error)
{
    struct search_options options = search_options_of(striped);
    enum pz_status status = PZ_OK;
    if (options.exchange != NULL) {
        uint64_t partitions = options.partitions > 0
                                  ? options.partitions
                                  : search_partitions(&striped->searchers, options.exchange->ranks);
        status = agree_status(options.exchange, PZ_OK, &partitions, error);
        if (partitions == 0 || partitions > SET_STRIPES_MAX || (partitions & (partitions - 1)) != 0)
            options.exchange->fail(options.exchange->context,
                                   "a rank asks for a number of stripes that can not be");
        if (status == PZ_OK && partitions < options.exchange->ranks) /* each has one at least */
            status =
                pz_fail(error, PZ_TOO_LARGE,
                        "memory= has room for %" PRIu64 " stripes of states, and there are %u ranks: more "
                        "memory for each, or fewer threads",
                        partitions, options.exchange->ranks);
        options.partitions = (unsigned)partitions;
    }
    return status == PZ_OK ? search_from_roots(striped, &options, error) : status;
}

static void striped_memory_take_level(struct striped *striped)
{
    striped->base.level = search_level(striped->search);
    striped->base.width = search_frontier(striped->search);
}

static enum pz_status striped_memory_begin(struct explorer *explorer, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    const enum pz_status status = striped->setup.request->from == FROM_GOALS
                                      ? striped_memory_begin_at_goals(striped, error)
                                      : striped_memory_begin_at_root(striped, error);
    if (status == PZ_OK && striped->graph != NULL)
        explorer->width = move_graph_width(striped->graph);
    else if (status == PZ_OK)
        striped_memory_take_level(striped);
    return status;
}

/* ---- levels ---- */

static enum pz_status striped_memory_next(struct explorer *explorer, level_tick *tick, void *context,
                                          struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    const struct search_step step = {.last = explorer->level + 1 == striped->setup.request->depth};
    (void)tick; /* the search reports to the monitor itself */
    (void)context;
    (void)error;
    const enum halt halt = search_advance(striped->search, striped->setup.monitor, &step, NULL);
    if (halt != HALT_NONE)
        return striped_memory_halted(striped, halt);
    striped_memory_take_level(striped);
    return PZ_OK;
}

static bool striped_memory_exhausted(struct explorer *explorer)
{
    const struct striped *striped = striped_of(explorer);
    return search_is_exhausted(striped->search, striped->setup.request->space,
                               striped->setup.monitor->control);
}

static bool striped_memory_moves(const struct explorer *explorer, uint64_t states)
{
    const struct striped *striped = (const struct striped *)explorer;
    const struct explore_request *request = striped->setup.request;
    struct explore_estimate estimate = {0};
    return striped_estimate(request, &estimate, NULL) == PZ_OK &&
           explore_moves_to_disk(&estimate, striped->memory) &&
           explore_disk_helps(&estimate, striped->memory, request->disk, states);
}

static enum pz_status graph_next(struct explorer *explorer, level_tick *tick, void *context,
                                 struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    (void)tick;
    (void)context;
    (void)error;
    const enum pz_status status =
        move_graph_next(striped->graph, striped->setup.request->depth, &explorer->limit);
    if (status != PZ_OK)
        return status;
    explorer->level = striped->graph->level;
    explorer->width = move_graph_width(striped->graph);
    striped->dead = explorer->width == 0 ? move_graph_dead(striped->graph) : 0;
    return PZ_OK;
}

/* The dead states are known when all other states have a level. */
static bool graph_exhausted(struct explorer *explorer)
{
    struct striped *striped = striped_of(explorer);
    const bool none = move_graph_exhausted(striped->graph);
    striped->dead = move_graph_dead(striped->graph);
    return none;
}

/* ---- examples ---- */

/* Examples of a level are kept while it is expanded, but not as many as of the last one. */
static enum pz_status striped_memory_choose(struct explorer *explorer, uint32_t level, unsigned most,
                                            uint8_t *states, unsigned *count, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    const struct exchange *exchange = striped->setup.request->exchange;
    enum pz_status status = PZ_OK;
    bottom_k_begin(&striped->sample, most);
    if (most > EXPLORE_EXAMPLES)
        status = walk_sample(striped->search, level, striped->setup.request->seed, striped->setup.monitor,
                             &striped->sample, error);
    else
        searchers_examples(&striped->searchers, &striped->sample);
    status = agree_status(exchange, status, NULL, error);
    if (status != PZ_OK)
        return status;
    const struct agree_entries entries = agree_states(striped->setup.request->space);
    if (exchange != NULL)
        agree_sample(exchange, &striped->sample, &entries);
    *count = bottom_k_states(&striped->sample, striped->setup.request->space->state_bytes, states);
    return PZ_OK;
}

static enum pz_status graph_choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                                   unsigned *count, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    (void)error;
    bottom_k_begin(&striped->sample, most);
    move_graph_offer(striped->graph, level, striped->setup.request->seed, &striped->sample);
    *count = bottom_k_states(&striped->sample, striped->setup.request->space->state_bytes, states);
    return PZ_OK;
}

static void striped_memory_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct striped *striped = (const struct striped *)explorer;
    const struct search *search = striped->search;
    out->states = search != NULL ? search_states(search) : 0;
    out->generated = striped->before.generated + (search != NULL ? search_generated(search) : 0);
    out->dead = striped->dead;
    if (search != NULL && striped->setup.result->complete)
        out->dead = numbered_dead(striped->setup.request, search_states(search));
}

/* ---- the checkpoint: a place, and the states that are needed to go on, in ascending key order: of all
 * complete levels, or of the last two if three levels are kept ---- */

enum { BATCH_KEYS = 4096 };

/* A batch of states: their number as 64 bits, then all keys, then all distances. An empty one is the end. */
struct key_batch {
    uint64_t count;
    unsigned words;
    uint16_t distances[BATCH_KEYS];
    uint64_t keys[]; /* BATCH_KEYS × words */
};

static struct key_batch *key_batch_new(unsigned words)
{
    struct key_batch *batch = malloc(sizeof *batch + (size_t)BATCH_KEYS * words * sizeof *batch->keys);
    if (batch != NULL) {
        batch->count = 0;
        batch->words = words;
    }
    return batch;
}

static bool key_batch_put(struct key_batch *batch, struct checkpointer *checkpointer)
{
    assert(batch->count <= BATCH_KEYS);
    bool put =
        checkpointer_put(checkpointer, &batch->count, sizeof batch->count) &&
        checkpointer_put(checkpointer, batch->keys, batch->count * batch->words * sizeof *batch->keys) &&
        checkpointer_put(checkpointer, batch->distances, batch->count * sizeof *batch->distances);
    batch->count = 0;
    return put;
}

static bool key_batch_get(struct key_batch *batch, struct checkpointer *checkpointer)
{
    return checkpointer_get(checkpointer, &batch->count, sizeof batch->count) && batch->count <= BATCH_KEYS &&
           checkpointer_get(checkpointer, batch->keys, batch->count * batch->words * sizeof *batch->keys) &&
           checkpointer_get(checkpointer, batch->distances, batch->count * sizeof *batch->distances);
}

/* After a level that ended early, states that are needed may be gone. */
static uint64_t striped_memory_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct striped *striped = (const struct striped *)explorer;
    const struct search *search = striped->search;
    if (states == UINT64_MAX)
        return striped_expected_bytes(striped->setup.request);
    if (striped->setup.request->exchange != NULL || !search_is_whole(search))
        return 0;
    const uint64_t count = search_held(search);
    const uint64_t state = search_words(search) * sizeof(uint64_t) + sizeof(uint16_t);
    return sizeof(struct search_place) + count * state + (count / BATCH_KEYS + 2) * sizeof(uint64_t);
}

static void save_states(const struct search *search, struct key_batch *batch,
                        struct checkpointer *checkpointer)
{
    struct search_cursor cursor;
    uint32_t level;
    bool put = true;
    cursor_begin(&cursor, search, search_lowest(search), search_level(search));
    while (put && cursor_next(&cursor, batch->keys + batch->count * batch->words, &level)) {
        batch->distances[batch->count] = (uint16_t)level;
        if (++batch->count == BATCH_KEYS)
            put = key_batch_put(batch, checkpointer);
    }
    if (cursor.failed)
        checkpointer_fail(checkpointer, "no memory for a checkpoint");
    if (batch->count > 0)
        (void)key_batch_put(batch, checkpointer);
    (void)key_batch_put(batch, checkpointer);
    cursor_end(&cursor);
}

static void striped_memory_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    const struct search *search = striped_of(explorer)->search;
    assert(search_is_whole(search));
    const struct search_place place = search_place(search);
    struct key_batch *batch = key_batch_new(search_words(search));
    if (batch == NULL)
        checkpointer_fail(checkpointer, "no memory for a checkpoint");
    else if (checkpointer_put(checkpointer, &place, sizeof place))
        save_states(search, batch, checkpointer);
    free(batch);
}

static bool load_states(struct search *search, const struct searchers *searchers, struct key_batch *batch,
                        struct checkpointer *checkpointer)
{
    do {
        if (!key_batch_get(batch, checkpointer))
            return false;
        for (uint64_t i = 0; i < batch->count; i++) {
            const uint64_t *key = batch->keys + i * batch->words;
            if (!searchers_know(searchers, key, i == 0) || !search_put_back(search, key, batch->distances[i]))
                return false;
        }
    } while (batch->count > 0);
    return search_reopen(search);
}

static bool get_search_place(struct checkpointer *checkpointer, struct search_place *place, bool *kept_disk)
{
    uint64_t first;
    if (!checkpointer_get(checkpointer, place, sizeof *place))
        return false;
    memcpy(&first, place, sizeof first);
    *kept_disk = first == DISK_CHECKPOINT_MAGIC;
    return place->level == checkpointer_levels(checkpointer);
}

static bool striped_memory_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct striped *striped = striped_of(explorer);
    struct search_options options = search_options_of(striped);
    struct search_place place;
    if (options.exchange != NULL)
        return false;
    struct search *search = NULL;
    struct key_batch *batch = key_batch_new(striped->searchers.words);
    options.place = &place;
    const bool loaded = batch != NULL && get_search_place(checkpointer, &place, &explorer->kept_disk) &&
                        search_new(&striped->searchers, &options, &search, NULL) == PZ_OK &&
                        load_states(search, &striped->searchers, batch, checkpointer);
    free(batch);
    if (!loaded) {
        search_free(search);
        return false;
    }
    striped->search = search;
    striped_memory_take_level(striped);
    return true;
}

const struct explorer_ops striped_memory_ops = {.begin = striped_memory_begin,
                                                .next = striped_memory_next,
                                                .choose = striped_memory_choose,
                                                .exhausted = striped_memory_exhausted,
                                                .moves = striped_memory_moves,
                                                .edges = striped_edges,
                                                .run = striped_run,
                                                .save_bytes = striped_memory_save_bytes,
                                                .save = striped_memory_save,
                                                .load = striped_memory_load,
                                                .figures = striped_memory_figures,
                                                .free = striped_free};
const struct explorer_ops striped_graph_ops = {.begin = striped_memory_begin,
                                               .next = graph_next,
                                               .choose = graph_choose,
                                               .exhausted = graph_exhausted,
                                               .edges = striped_edges,
                                               .run = striped_run,
                                               .figures = striped_memory_figures,
                                               .free = striped_free};
