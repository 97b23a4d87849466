/* SPDX-License-Identifier: MIT */
/* The striped engine's explorer in memory: a search, or from=goals the graph that a search may become. */
#include "explore/exchange/frame.h"
#include "explore/striped/striped.h"
#include "explore/striped/striped_own.h"

#include <assert.h>

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
    (void)striped_begin_sample(striped, most);
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
        agree_sample(exchange, &striped->sample, &entries, striped->part);
    *count = bottom_k_states(&striped->sample, striped->setup.request->space->state_bytes, states);
    return PZ_OK;
}

static enum pz_status graph_choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                                   unsigned *count, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    (void)error;
    (void)striped_begin_sample(striped, most);
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

/* ---- checkpoints ---- */

/* After a level that ended early, states that are needed may be gone. */
static uint64_t striped_memory_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct striped *striped = (const struct striped *)explorer;
    if (states == UINT64_MAX)
        return striped_expected_bytes(striped->setup.request);
    const bool whole = striped->setup.request->exchange == NULL && search_is_whole(striped->search);
    return whole ? striped_resume_bytes(striped->search) : 0;
}

static void striped_memory_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    striped_save(striped_of(explorer)->search, checkpointer);
}

static bool striped_memory_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct striped *striped = striped_of(explorer);
    const struct search_options options = search_options_of(striped);
    if (options.exchange != NULL)
        return false;
    striped_load(&striped->searchers, &options, checkpointer, &striped->search, &explorer->kept_disk);
    if (striped->search != NULL)
        striped_memory_take_level(striped);
    return striped->search != NULL;
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
