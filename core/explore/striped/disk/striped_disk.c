/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/striped_disk.h"

#include "explore/striped/disk/bin_search.h"
#include "explore/striped/search/search.h"

#include <inttypes.h>
#include <stdlib.h>

struct striped_disk {
    struct explorer base;
    struct explorer_setup setup;
    struct crew crew;
    struct bin_search *search;
    struct bottom_k sample;
};

static struct striped_disk *of(struct explorer *explorer)
{
    return (struct striped_disk *)explorer;
}

/* ---- what it takes ---- */

enum pz_status striped_disk_check(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error)
{
    const uint64_t need = bin_search_least(request->space, request->threads);
    if (request->scratch == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "planes=disk: there is no scratch space");
    if (request->exchange != NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "several ranks explore with engine=striped in memory only");
    if (request->from == FROM_GOALS)
        return pz_fail(error, PZ_UNSUPPORTED, "from=goals is explored by engine=striped in memory only");
    if (request->keep == KEEP_TABLE || request->edges)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "planes=disk keeps no table and counts no edges of this puzzle: use keep=levels");
    if (need > limit)
        return pz_fail(error, PZ_TOO_LARGE,
                       "threads=%u needs %" PRIu64 "K to begin with on disk, limit %" PRIu64 "K",
                       request->threads, (need >> 10) + 1, limit >> 10);
    return PZ_OK;
}

/* Measured, see docs/notebook/striped.md: a successor a new state and a half, and each state once, both
 * written and read. At the peak two levels, of which none has more than a fifth of all, and the successors.
 */
void striped_disk_estimate(const struct explore_request *request, struct explore_estimate *estimate)
{
    const double bytes = (double)estimate->states * request->space->state_bytes;
    const uint64_t least = bin_search_least(request->space, request->threads);
    const bool fits = bytes < 0x1p60;
    estimate->bytes = estimate->bytes_levels_only = least;
    estimate->cost[PLANES_DISK] = (struct explore_cost){.memory = least,
                                                        .disk = fits ? (uint64_t)(bytes * 0.7) : INT64_MAX,
                                                        .written = fits ? (uint64_t)(bytes * 2.5) : INT64_MAX,
                                                        .read = fits ? (uint64_t)(bytes * 2.5) : INT64_MAX};
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
    const enum pz_status status = bin_search_begin(own->search, own->setup.request->root, error);
    if (status == PZ_OK)
        take_level(own);
    return status;
}

static enum pz_status next(struct explorer *explorer, level_tick *tick, void *context, struct pz_error *error)
{
    struct striped_disk *own = of(explorer);
    const struct explore_request *request = own->setup.request;
    if (request->keep == KEEP_TABLE && explorer->level == EXPLORE_LEVEL_MAX) {
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
    const uint32_t size = own->setup.request->space->state_bytes;
    struct bottom_k *sample = &own->sample;
    enum pz_status status = PZ_OK;
    bottom_k_empty(sample);
    sample->limit = most;
    if (most > EXPLORE_EXAMPLES)
        status = bin_search_look(own->search, level, sample, error);
    else
        crew_examples(&own->crew, sample);
    bottom_k_sort(sample);
    for (unsigned i = 0; i < sample->count; i++)
        unmix_bytes(sample->entries[i].key, size, states + (size_t)i * size);
    *count = sample->count;
    return status;
}

static void figures(const struct explorer *explorer, struct explorer_figures *out)
{
    bin_search_figures(((const struct striped_disk *)explorer)->search, out);
    out->planes = PLANES_DISK;
}

/* ---- life ---- */

static void striped_disk_free(struct explorer *explorer)
{
    struct striped_disk *own = of(explorer);
    bin_search_free(own->search, false);
    crew_clear(&own->crew);
    bottom_k_clear(&own->sample);
    free(own);
}

static const struct explorer_ops ops = {.begin = begin,
                                        .next = next,
                                        .choose = choose,
                                        .exhausted = exhausted,
                                        .figures = figures,
                                        .free = striped_disk_free};

static enum pz_status make(struct striped_disk *own, struct pz_error *error)
{
    const struct explore_request *request = own->setup.request;
    const bool examples = own->setup.examples;
    const struct bin_search_options options = {.directory = request->scratch,
                                               .disk = request->disk,
                                               .keep_all = request->keep == KEEP_TABLE || request->edges,
                                               .syncs = request->checkpoint != NULL,
                                               .examples = examples,
                                               .seed = request->seed};
    enum pz_status status = crew_init(&own->crew, request->space, request->threads, request->budget,
                                      search_chunk_bytes(request->space), error);
    if (status == PZ_OK && examples &&
        (!crew_keep_examples(&own->crew, EXPLORE_EXAMPLES) ||
         !bottom_k_init(&own->sample, EXPLORE_DEEPEST_MAX)))
        status = pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    return status == PZ_OK ? bin_search_new(&own->crew, own->setup.monitor, &options, &own->search, error)
                           : status;
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
