/* SPDX-License-Identifier: MIT */
#include "explore/striped/striped.h"

#include "explore/striped/disk/disk_search.h"
#include "explore/striped/striped_own.h"

#include <stdlib.h>

/* ---- examples ---- */

struct bottom_k *striped_begin_sample(struct striped *striped, unsigned most)
{
    bottom_k_empty(&striped->sample);
    striped->sample.limit = most;
    return &striped->sample;
}

/* ---- after the last level ---- */

static enum pz_status striped_walked(struct striped *striped, struct walked *walked, struct pz_error *error)
{
    const struct explore_result *result = striped->setup.result;
    *walked = (struct walked){.search = striped->search,
                              .graph = striped->graph,
                              .disk = striped->disk,
                              .words = striped->searchers.words,
                              .depth = result->depth,
                              .complete = result->complete};
    return numbered_walk(&striped->numbered, striped->setup.request, striped->setup.monitor, walked, error);
}

enum pz_status striped_edges(struct explorer *explorer, const struct explore_sink *sink,
                             struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    struct walked walked;
    const enum pz_status status = striped_walked(striped, &walked, error);
    return status == PZ_OK ? edges_count(&walked, &striped->searchers, striped->setup.result->states,
                                         striped->setup.monitor, sink, error)
                           : status;
}

enum pz_status striped_run(struct explorer *explorer, struct explore_run *out, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    struct walked walked;
    const enum pz_status status = striped_walked(striped, &walked, error);
    striped->runs.words = walked.words;
    return status == PZ_OK ? table_runs_next(&striped->runs, &walked, out, error) : status;
}

/* ---- life ---- */

void striped_free(struct explorer *explorer)
{
    struct striped *striped = striped_of(explorer);
    table_runs_clear(&striped->runs);
    numbered_clear(&striped->numbered, striped->setup.request->budget);
    search_free(striped->search);
    move_graph_free(striped->graph);
    disk_search_free(striped->disk, striped->setup.request->checkpoint != NULL);
    searchers_clear(&striped->searchers);
    bottom_k_clear(&striped->sample);
    free(striped->part);
    free(striped);
}

enum pz_status striped_make_searchers(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    enum pz_status status = searchers_init(&striped->searchers, request->space, request->threads,
                                           request->budget, search_chunk_bytes(request->space), error);
    if (status == PZ_OK && striped->setup.examples &&
        !searchers_keep_examples(&striped->searchers, EXPLORE_EXAMPLES))
        status = pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    return status;
}

/* Makes the workers and what the examples need; in scratch space the search, too. */
static enum pz_status striped_make(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    enum pz_status status = striped_make_searchers(striped, error);
    if (status == PZ_OK && striped->setup.examples && !bottom_k_init(&striped->sample, EXPLORE_DEEPEST_MAX))
        status = pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    if (status == PZ_OK && request->planes == PLANES_DISK)
        return striped_make_disk(striped, false, error);
    if (status != PZ_OK || request->exchange == NULL)
        return status;
    striped->part = agree_part_new(EXPLORE_DEEPEST_MAX);
    return striped->part != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for the ranks' examples");
}

enum pz_status striped_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    enum pz_status status = striped_check(setup->request, UINT64_MAX, error);
    struct striped *striped = status == PZ_OK ? calloc(1, sizeof *striped) : NULL;
    if (striped == NULL)
        return status != PZ_OK ? status : pz_fail(error, PZ_MEMORY, "no memory for a search");
    striped->setup = *setup;
    striped->base.ops = setup->request->planes == PLANES_DISK ? &striped_disk_ops
                        : striped_has_costs(striped)          ? &striped_graph_ops
                                                              : &striped_memory_ops;
    striped->memory = budget_free(setup->request->budget);
    striped->base.plan.table = setup->request->keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE;
    status = striped_make(striped, error);
    if (status != PZ_OK) {
        striped_free(&striped->base);
        return status;
    }
    *out = &striped->base;
    return PZ_OK;
}
