/* SPDX-License-Identifier: MIT */
/* The striped engine's explorer with its levels in scratch space (disk_search.h). From goals it searches
 * twice, unless their ranks tell them. */
#include "explore/striped/disk/disk_search.h"
#include "explore/striped/striped_own.h"

#include <assert.h>

/* ---- level 0 ---- */

enum pz_status striped_make_disk(struct striped *striped, bool looks_for_goals, struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    const struct disk_search_options options = {
        .directory = request->scratch,
        .disk = request->disk,
        .keep_all = (request->keep == KEEP_TABLE || request->striped.edges) && !looks_for_goals,
        .syncs = request->checkpoint != NULL && !looks_for_goals,
        .goals = looks_for_goals,
        .spread = (request->from == FROM_GOALS && !looks_for_goals) || request->roots > 1,
        .examples = striped->setup.examples,
        .seed = request->seed};
    if (striped->disk != NULL)
        disk_search_figures(striped->disk, &striped->before);
    disk_search_free(striped->disk, false);
    striped->disk = NULL;
    return disk_search_new(&striped->searchers, striped->setup.monitor, &options, &striped->disk, error);
}

static bool report_visit(void *context, double done)
{
    monitor_tell(context, "search", done);
    return false;
}

static enum pz_status striped_disk_begin_at_root(struct striped *striped, struct pz_error *error)
{
    struct key_list roots = {0};
    enum pz_status status = striped_roots(striped->setup.request, &roots, error);
    if (status == PZ_OK)
        status = disk_search_begin(striped->disk, &roots, error);
    key_list_clear(&roots, striped->setup.request->budget);
    return status;
}

/* Visits all states that the root reaches, keeps no levels, and collects the goals among them. */
static enum pz_status striped_disk_find_goals(struct striped *striped, struct key_list *goals,
                                              struct pz_error *error)
{
    struct monitor *monitor = striped->setup.monitor;
    enum pz_status status = striped_make_disk(striped, true, error);
    if (status == PZ_OK)
        status = striped_disk_begin_at_root(striped, error);
    while (status == PZ_OK && striped->disk->frontier_states > 0) {
        monitor->progress.level = striped->disk->level;
        monitor->progress.frontier = striped->disk->frontier_states;
        status = disk_search_advance(striped->disk, false, report_visit, monitor, error);
    }
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "cancelled before the goals were known");
    for (unsigned i = 0; status == PZ_OK && i < striped->searchers.threads; i++)
        if (!key_list_join(goals, striped->searchers.budget, &striped->disk->workers[i].goals))
            status = pz_fail(error, PZ_MEMORY, "no memory for the goals");
    key_list_sort(goals);
    return status;
}

static enum pz_status striped_disk_begin_at_goals(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    struct key_list goals = {0};
    enum pz_status status = numbered_suits(request)
                                ? numbered_goals(request, striped->setup.monitor, &goals, error)
                                : striped_disk_find_goals(striped, &goals, error);
    if (status == PZ_OK && goals.count == 0)
        status = pz_fail(error, PZ_UNSUPPORTED,
                         "from=goals: the root reaches none; planes=memory says how many states these are");
    if (status == PZ_OK)
        status = striped_make_disk(striped, false, error);
    if (status == PZ_OK)
        status = disk_search_begin(striped->disk, &goals, error);
    key_list_clear(&goals, request->budget);
    striped->base.limit = status == PZ_MEMORY         ? STOP_MEMORY
                          : status == PZ_STORAGE_FULL ? STOP_DISK
                          : status == PZ_LIMIT        ? STOP_TIME
                                                      : STOP_NONE;
    return striped->base.limit != STOP_NONE ? PZ_LIMIT : status;
}

/* ---- levels ---- */

static void striped_disk_take_level(struct striped *striped)
{
    assert(striped->search == NULL && striped->graph == NULL);
    striped->base.level = striped->disk->level;
    striped->base.width = striped->disk->frontier_states;
}

static enum pz_status striped_disk_begin(struct explorer *explorer, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    const bool goals = striped->setup.request->from == FROM_GOALS;
    const enum pz_status status =
        goals ? striped_disk_begin_at_goals(striped, error) : striped_disk_begin_at_root(striped, error);
    if (status == PZ_OK)
        striped_disk_take_level(striped);
    return status;
}

static enum pz_status striped_disk_next(struct explorer *explorer, level_tick *tick, void *context,
                                        struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    const struct explore_request *request = striped->setup.request;
    if (striped->disk->keep_all && explorer->level == EXPLORE_LEVEL_MAX) {
        explorer->limit = STOP_LEVELS;
        return PZ_LIMIT;
    }
    const enum pz_status status =
        disk_search_advance(striped->disk, explorer->level + 1 == request->depth, tick, context, error);
    if (status == PZ_OK)
        striped_disk_take_level(striped);
    return status;
}

static bool striped_disk_exhausted(struct explorer *explorer)
{
    return disk_search_exhausted(striped_of(explorer)->disk, NULL) == PZ_OK;
}

/* Examples of a level are kept while it is expanded, but not as many as of the last one. */
static enum pz_status striped_disk_choose(struct explorer *explorer, uint32_t level, unsigned most,
                                          uint8_t *states, unsigned *count, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    struct bottom_k *sample = striped_begin_sample(striped, most);
    enum pz_status status = PZ_OK;
    if (most > EXPLORE_EXAMPLES)
        status = disk_search_look(striped->disk, level, sample, error);
    else
        searchers_examples(&striped->searchers, sample);
    *count = bottom_k_states(&striped->sample, striped->setup.request->space->state_bytes, states);
    return status;
}

/* ---- checkpoints ---- */

/* The number of pieces is not known ahead. */
static uint64_t striped_disk_save_bytes(const struct explorer *explorer, uint64_t states)
{
    return states == UINT64_MAX ? 0 : disk_search_save_bytes(((const struct striped *)explorer)->disk);
}

static void striped_disk_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    disk_search_save(striped_of(explorer)->disk, checkpointer);
}

static bool striped_disk_outdates(const struct explorer *explorer)
{
    return disk_search_outdates(((const struct striped *)explorer)->disk);
}

static bool striped_disk_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct striped *striped = striped_of(explorer);
    if (!disk_search_load(striped->disk, checkpointer))
        return false;
    striped_disk_take_level(striped);
    return true;
}

static void striped_disk_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct striped *striped = (const struct striped *)explorer;
    const struct explorer_figures *before = &striped->before;
    out->planes = PLANES_DISK;
    if (striped->disk == NULL)
        return;
    disk_search_figures(striped->disk, out);
    if (striped->setup.result->complete)
        out->dead = numbered_dead(striped->setup.request, striped->disk->states);
    out->generated += before->generated;
    out->written += before->written;
    out->read += before->read;
    if (out->disk_peak < before->disk_peak)
        out->disk_peak = before->disk_peak;
}

const struct explorer_ops striped_disk_ops = {.begin = striped_disk_begin,
                                              .next = striped_disk_next,
                                              .choose = striped_disk_choose,
                                              .exhausted = striped_disk_exhausted,
                                              .edges = striped_edges,
                                              .run = striped_run,
                                              .every_level = true,
                                              .outdates = striped_disk_outdates,
                                              .save_bytes = striped_disk_save_bytes,
                                              .save = striped_disk_save,
                                              .load = striped_disk_load,
                                              .figures = striped_disk_figures,
                                              .free = striped_free};
