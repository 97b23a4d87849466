/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/striped_disk.h"

#include "explore/striped/disk/bin_search.h"
#include "explore/striped/goals.h"
#include "explore/striped/search/search.h"
#include "explore/striped/state_walk.h"

#include <inttypes.h>
#include <stdlib.h>

struct striped_disk {
    struct explorer base;
    struct explorer_setup setup;
    struct searchers searchers;
    struct bin_search *search;
    struct explorer_figures before; /* of the search that found the goals */
    struct bottom_k sample;
    struct table_runs runs;
    struct numbered numbered;
};

static struct striped_disk *of(struct explorer *explorer)
{
    return (struct striped_disk *)explorer;
}

/* ---- what it takes ---- */

uint64_t striped_disk_least(const struct explore_request *request)
{
    return bin_search_least(request->space, request->threads);
}

enum pz_status striped_disk_check(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error)
{
    const uint64_t need = striped_disk_least(request);
    if (request->scratch == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "planes=disk: there is no scratch space");
    if (request->exchange != NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "several ranks explore with engine=striped in memory only");
    if (request->from == FROM_GOALS && (request->space->flags & PZ_REVERSIBLE) == 0)
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "from=goals is explored in memory only where moves cannot be undone: use planes=memory");
    if (need > limit)
        return pz_fail(error, PZ_TOO_LARGE,
                       "threads=%u needs %" PRIu64 "K to begin with on disk, limit %" PRIu64 "K",
                       request->threads, (need >> 10) + 1, limit >> 10);
    return PZ_OK;
}

bool striped_disk_follows(const struct explore_request *request, uint64_t memory)
{
    return request->planes == PLANES_AUTO && !request->cluster &&
           striped_disk_check(request, memory, NULL) == PZ_OK;
}

static bool keeps_all(const struct explore_request *request)
{
    return request->keep == KEEP_TABLE || request->striped.edges ||
           (request->space->flags & PZ_REVERSIBLE) == 0;
}

double striped_disk_state_bytes(const struct explore_request *request)
{
    return request->space->state_bytes * (keeps_all(request) ? 1.6 : 0.9);
}

/*
 * Measured, see docs/notebook/striped.md, on whole sliding puzzles with memory that divides no partition:
 * each state is written as 1.2 successors and once in its level, and both are read. A table is read twice
 * more. At the peak there are three levels and successors, or all levels.
 */
void striped_disk_estimate(const struct explore_request *request, struct explore_estimate *estimate)
{
    const double bytes = (double)estimate->states * request->space->state_bytes;
    const bool all = keeps_all(request);
    estimate->cost[PLANES_DISK] = (struct explore_cost){.memory = striped_disk_least(request),
                                                        .disk = told_bytes(bytes * (all ? 1.1 : 0.35)),
                                                        .written = told_bytes(bytes * 2.3),
                                                        .read = told_bytes(bytes * (all ? 4.3 : 2.3))};
}

/* ---- the search, or two: from goals ---- */

static enum pz_status make_search(struct striped_disk *own, bool looks_for_goals, struct pz_error *error)
{
    const struct explore_request *request = own->setup.request;
    const struct bin_search_options options = {
        .directory = request->scratch,
        .disk = request->disk,
        .keep_all = (request->keep == KEEP_TABLE || request->striped.edges) && !looks_for_goals,
        .syncs = request->checkpoint != NULL && !looks_for_goals,
        .goals = looks_for_goals,
        .spread = request->from == FROM_GOALS && !looks_for_goals,
        .examples = own->setup.examples,
        .seed = request->seed};
    if (own->search != NULL)
        bin_search_figures(own->search, &own->before);
    bin_search_free(own->search, false);
    own->search = NULL;
    return bin_search_new(&own->searchers, own->setup.monitor, &options, &own->search, error);
}

static bool tell_visit(void *context, double done)
{
    monitor_tell(context, "search", done);
    return false;
}

static enum pz_status begin_at_root(struct striped_disk *own, struct pz_error *error)
{
    const struct explore_request *request = own->setup.request;
    uint64_t key[1][KEY_WORDS_MAX] = {0};
    mix_bytes(request->root, request->space->state_bytes, key[0]);
    return bin_search_begin(own->search, &(struct key_list){.keys = key, .count = 1}, error);
}

/* Visits all states that the root reaches, keeps no levels, and collects the goals among them. */
static enum pz_status find_goals(struct striped_disk *own, struct key_list *goals, struct pz_error *error)
{
    struct monitor *monitor = own->setup.monitor;
    enum pz_status status = make_search(own, true, error);
    if (status == PZ_OK)
        status = begin_at_root(own, error);
    while (status == PZ_OK && own->search->frontier_states > 0) {
        monitor->progress.level = own->search->level;
        monitor->progress.frontier = own->search->frontier_states;
        status = bin_search_advance(own->search, false, tell_visit, monitor, error);
    }
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "cancelled before the goals were known");
    for (unsigned i = 0; status == PZ_OK && i < own->searchers.threads; i++)
        if (!key_list_join(goals, own->searchers.budget, &own->search->members[i].goals))
            status = pz_fail(error, PZ_MEMORY, "no memory for the goals");
    key_list_sort(goals);
    return status;
}

static enum pz_status begin_at_goals(struct striped_disk *own, struct pz_error *error)
{
    const struct explore_request *request = own->setup.request;
    struct key_list goals = {0};
    enum pz_status status = numbered_suits(request)
                                ? numbered_goals(request, own->setup.monitor, &goals, error)
                                : find_goals(own, &goals, error);
    if (status == PZ_OK && goals.count == 0)
        status = pz_fail(error, PZ_UNSUPPORTED,
                         "from=goals: the root reaches none; planes=memory says how many states these are");
    if (status == PZ_OK)
        status = make_search(own, false, error);
    if (status == PZ_OK)
        status = bin_search_begin(own->search, &goals, error);
    key_list_clear(&goals, request->budget);
    own->base.limit = status == PZ_MEMORY         ? STOP_MEMORY
                      : status == PZ_STORAGE_FULL ? STOP_DISK
                      : status == PZ_LIMIT        ? STOP_TIME
                                                  : STOP_NONE;
    return own->base.limit != STOP_NONE ? PZ_LIMIT : status;
}

/* ---- levels ---- */

static void take_level(struct striped_disk *own)
{
    own->base.level = own->search->level;
    own->base.width = own->search->frontier_states;
}

static enum pz_status begin(struct explorer *explorer, struct pz_error *error)
{
    struct striped_disk *own = of(explorer);
    const bool goals = own->setup.request->from == FROM_GOALS;
    const enum pz_status status = goals ? begin_at_goals(own, error) : begin_at_root(own, error);
    if (status == PZ_OK)
        take_level(own);
    return status;
}

static enum pz_status next(struct explorer *explorer, level_tick *tick, void *context, struct pz_error *error)
{
    struct striped_disk *own = of(explorer);
    const struct explore_request *request = own->setup.request;
    if (own->search->keep_all && explorer->level == EXPLORE_LEVEL_MAX) {
        explorer->limit = STOP_LEVELS;
        return PZ_LIMIT;
    }
    const enum pz_status status =
        bin_search_advance(own->search, explorer->level + 1 == request->depth, tick, context, error);
    if (status == PZ_OK)
        take_level(own);
    return status;
}

static bool exhausted(struct explorer *explorer)
{
    return bin_search_exhausted(of(explorer)->search, NULL) == PZ_OK;
}

/* Examples of a level are kept while it is expanded, but not as many as of the last one. */
static enum pz_status choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                             unsigned *count, struct pz_error *error)
{
    struct striped_disk *own = of(explorer);
    struct bottom_k *sample = &own->sample;
    enum pz_status status = PZ_OK;
    bottom_k_empty(sample);
    sample->limit = most;
    if (most > EXPLORE_EXAMPLES)
        status = bin_search_look(own->search, level, sample, error);
    else
        searchers_examples(&own->searchers, sample);
    *count = bottom_k_states(sample, own->setup.request->space->state_bytes, states);
    return status;
}

/* ---- after the last level ---- */

static enum pz_status walked_of(struct striped_disk *own, struct walked *walked, struct pz_error *error)
{
    const struct explore_result *result = own->setup.result;
    *walked = (struct walked){.disk = own->search,
                              .words = own->searchers.words,
                              .depth = result->depth,
                              .complete = result->complete};
    return numbered_walk(&own->numbered, own->setup.request, own->setup.monitor, walked, error);
}

static enum pz_status edges(struct explorer *explorer, const struct explore_sink *sink,
                            struct pz_error *error)
{
    struct striped_disk *own = of(explorer);
    struct walked walked;
    const enum pz_status status = walked_of(own, &walked, error);
    return status == PZ_OK ? edges_count(&walked, &own->searchers, own->setup.result->states,
                                         own->setup.monitor, sink, error)
                           : status;
}

static enum pz_status run(struct explorer *explorer, struct explore_run *out, struct pz_error *error)
{
    struct striped_disk *own = of(explorer);
    struct walked walked;
    const enum pz_status status = walked_of(own, &walked, error);
    own->runs.words = walked.words;
    return status == PZ_OK ? table_runs_next(&own->runs, &walked, out, error) : status;
}

/* ---- checkpoints ---- */

/* The number of pieces is not known ahead. */
static uint64_t save_bytes(const struct explorer *explorer, uint64_t states)
{
    return states == UINT64_MAX ? 0 : bin_search_save_bytes(((const struct striped_disk *)explorer)->search);
}

static void save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    bin_search_save(of(explorer)->search, checkpointer);
}

static bool outdates(const struct explorer *explorer)
{
    return bin_search_outdates(((const struct striped_disk *)explorer)->search);
}

static bool load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct striped_disk *own = of(explorer);
    if (!bin_search_load(own->search, checkpointer))
        return false;
    take_level(own);
    return true;
}

static void figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct striped_disk *own = (const struct striped_disk *)explorer;
    const struct explorer_figures *before = &own->before;
    out->planes = PLANES_DISK;
    if (own->search == NULL)
        return;
    bin_search_figures(own->search, out);
    if (own->setup.result->complete)
        out->dead = numbered_dead(own->setup.request, own->search->states);
    out->generated += before->generated;
    out->written += before->written;
    out->read += before->read;
    if (out->disk_peak < before->disk_peak)
        out->disk_peak = before->disk_peak;
}

/* ---- life ---- */

static void striped_disk_free(struct explorer *explorer)
{
    struct striped_disk *own = of(explorer);
    table_runs_clear(&own->runs);
    numbered_clear(&own->numbered, own->setup.request->budget);
    bin_search_free(own->search, own->setup.request->checkpoint != NULL);
    searchers_clear(&own->searchers);
    bottom_k_clear(&own->sample);
    free(own);
}

static const struct explorer_ops ops = {.begin = begin,
                                        .next = next,
                                        .choose = choose,
                                        .exhausted = exhausted,
                                        .edges = edges,
                                        .run = run,
                                        .every_level = true,
                                        .outdates = outdates,
                                        .save_bytes = save_bytes,
                                        .save = save,
                                        .load = load,
                                        .figures = figures,
                                        .free = striped_disk_free};

static enum pz_status make(struct striped_disk *own, struct pz_error *error)
{
    const struct explore_request *request = own->setup.request;
    const bool examples = own->setup.examples;
    enum pz_status status = searchers_init(&own->searchers, request->space, request->threads, request->budget,
                                           search_chunk_bytes(request->space), error);
    if (status == PZ_OK && examples &&
        (!searchers_keep_examples(&own->searchers, EXPLORE_EXAMPLES) ||
         !bottom_k_init(&own->sample, EXPLORE_DEEPEST_MAX)))
        status = pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    return status == PZ_OK ? make_search(own, false, error) : status;
}

enum pz_status striped_disk_open(const struct explorer_setup *setup, struct explorer **out,
                                 struct pz_error *error)
{
    enum pz_status status = striped_disk_check(setup->request, UINT64_MAX, error);
    struct striped_disk *own = status == PZ_OK ? calloc(1, sizeof *own) : NULL;
    if (own == NULL)
        return status != PZ_OK ? status : pz_fail(error, PZ_MEMORY, "no memory for a search");
    own->setup = *setup;
    own->base.ops = &ops;
    own->base.plan.table = setup->request->keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE;
    status = make(own, error);
    if (status != PZ_OK) {
        striped_disk_free(&own->base);
        return status;
    }
    *out = &own->base;
    return PZ_OK;
}
