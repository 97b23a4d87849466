/* SPDX-License-Identifier: MIT */
/* The engines, and which of them takes a request. */
#include "explore/explore.h"

#include "base/team.h"
#include "explore/costs/costs.h"
#include "explore/dense/dense.h"
#include "explore/dense/kernel/kernel.h"
#include "explore/ranked/ranked.h"
#include "explore/run/explorer.h"
#include "explore/striped/striped.h"
#include "space/guard.h"
#include "space/slide/slide.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* An engine. check and estimate have the contracts of explore_check_memory and explore_plan_ahead in
 * explore.h. */
struct engine_row {
    enum engine engine;
    /* Returns true if engine=auto means it; NULL: it takes what no other does. */
    bool (*takes)(const struct explore_request *request);
    enum pz_status (*check)(const struct explore_request *request, uint64_t limit, struct pz_error *error);
    explorer_open *open;
    enum pz_status (*estimate)(const struct explore_request *request, struct explore_estimate *estimate,
                               struct pz_error *error);
};

/* From all goals the graph of the striped engine knows costs. */
static enum pz_status check_costs(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error)
{
    const enum pz_status status = costs_check_memory(request, limit, error);
    return status == PZ_OK && request->from == FROM_GOALS ? striped_check(request, limit, error) : status;
}

static enum pz_status open_costs(const struct explorer_setup *setup, struct explorer **out,
                                 struct pz_error *error)
{
    return (setup->request->from == FROM_GOALS ? striped_open : costs_open)(setup, out, error);
}

/* engine=auto asks them in this order. A new engine is a row here, a word in explore_words.h and a folder. */
static const struct engine_row engines[] = {
    {ENGINE_COSTS, costs_takes, check_costs, open_costs, costs_estimate},
    {ENGINE_DENSE, dense_takes, dense_check_memory, dense_open, dense_estimate},
    {ENGINE_RANKED, ranked_takes, ranked_check_memory, ranked_open, ranked_estimate},
    {ENGINE_STRIPED, NULL, striped_check, striped_open, striped_estimate},
};
enum { ENGINES = sizeof engines / sizeof engines[0] };
_Static_assert(ENGINES + 1 == ENGINE_COUNT, "every engine has a row, but for auto");

const char *explore_engine_name(enum engine engine)
{
    static const char *const words[ENGINE_COUNT] = {ENGINE_WORDS};
    return words[engine];
}

/* Returns the part of a request that only the striped engine offers; NULL if there is none. */
static const char *only_striped(const struct explore_request *request)
{
    if (request->from == FROM_GOALS && !ranked_takes(request) && request->engine != ENGINE_COSTS)
        return "from=goals";
    return request->striped.edges ? "edges=yes" : NULL;
}

/* Returns true if auto skips an engine because the request names scratch space and the engine cannot use
 * it. */
static bool has_no_disk(const struct explore_request *request, enum engine engine)
{
    return request->planes == PLANES_DISK && request->engine == ENGINE_AUTO && engine == ENGINE_RANKED &&
           !request->ranked.parts && !ranked_has_disk(request);
}

/* Returns PZ_UNSUPPORTED unless the ranked engine may take the request: it is the only one that finds
 * parts. */
static enum pz_status check_parts(const struct explore_request *request, const char *only,
                                  struct pz_error *error)
{
    if (!ranked_takes(request))
        return pz_fail(error, PZ_UNSUPPORTED,
                       "parts=yes needs the whole of a space that has a ranking function");
    if (only != NULL)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "%s is for engine=striped and parts=yes for engine=ranked: ask for one of them", only);
    if (request->engine != ENGINE_AUTO && request->engine != ENGINE_RANKED)
        return pz_fail(error, PZ_UNSUPPORTED, "parts=yes is for engine=ranked");
    return PZ_OK;
}

/* Chooses the engine for moves that have costs. Refuses whatever needs moves of cost one. */
static enum pz_status choose_costs(const struct explore_request *request, const struct engine_row **out,
                                   struct pz_error *error)
{
    const char *other = request->striped.edges                                              ? "edges=yes"
                        : request->ranked.parts                                             ? "parts=yes"
                        : request->planes == PLANES_DISK                                    ? "planes=disk"
                        : request->cluster                                                  ? "cluster=yes"
                        : request->engine != ENGINE_AUTO && request->engine != ENGINE_COSTS ? "this engine"
                                                                                            : NULL;
    if (other != NULL)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "%s is for puzzles whose moves all cost one: a daemon explores this without it, "
                       "by engine=costs",
                       other);
    *out = &engines[0];
    assert((*out)->engine == ENGINE_COSTS);
    return PZ_OK;
}

/* Finds the engine for a request. An engine named in the request is taken without calling its takes(): its
 * check and run say why it cannot do it. */
static enum pz_status choose_engine(const struct explore_request *request, const struct engine_row **out,
                                    struct pz_error *error)
{
    if (request->threads < 1 || request->threads > TEAM_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "threads=%u is out of range (1 to %d)", request->threads,
                       TEAM_MAX);
    if (request->space->puzzle->expand == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "%s has no states to explore: it answers SOLVE",
                       request->space->puzzle->name);
    if (request->from == FROM_GOALS && (request->space->flags & PZ_NO_GOAL) != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "from=goals: %s has no goal of its own, and goal= gives none",
                       request->space->puzzle->name);
    if (request->roots > 1 && (request->cluster || request->exchange != NULL))
        return pz_fail(error, PZ_UNSUPPORTED, "several ranks explore from one board, not from %u",
                       request->roots);
    if (costs_takes(request))
        return choose_costs(request, out, error);
    const char *only = only_striped(request);
    if (only != NULL && request->engine != ENGINE_AUTO && request->engine != ENGINE_STRIPED)
        return pz_fail(error, PZ_UNSUPPORTED, "%s is for engine=striped%s", only,
                       request->striped.edges ? "" : " or engine=costs");
    if (request->ranked.parts && check_parts(request, only, error) != PZ_OK)
        return PZ_UNSUPPORTED;
    for (unsigned i = 0; i < ENGINES; i++) {
        *out = &engines[i];
        if (request->ranked.parts && engines[i].engine != ENGINE_RANKED)
            continue;
        if (only != NULL && engines[i].engine != ENGINE_STRIPED)
            continue;
        if (has_no_disk(request, engines[i].engine))
            continue;
        if (request->engine == ENGINE_AUTO ? engines[i].takes == NULL || engines[i].takes(request)
                                           : request->engine == engines[i].engine)
            return PZ_OK;
    }
    return pz_fail(error, PZ_INTERNAL, "no engine %d", (int)request->engine);
}

enum pz_status explore_check_kernel(const char *name, struct pz_error *error)
{
    const struct kernel *kernel = NULL;
    return kernel_find(name, &kernel, error);
}

enum pz_status explore_check_memory(const struct explore_request *request, uint64_t limit,
                                    struct pz_error *error)
{
    const struct engine_row *engine = engines;
    enum pz_status status = choose_engine(request, &engine, error);
    return status == PZ_OK ? engine->check(request, limit, error) : status;
}

/* Compares the result with a total that is known without a search. */
static enum pz_status check_known_total(const struct explore_request *request,
                                        const struct explore_result *result, struct pz_error *error)
{
    const bool one = request->from == FROM_ROOT && request->roots <= 1;
    const uint64_t all = one ? slide_states(request->space) : 0;
    if (!result->complete || all == 0 || result->states == all)
        return PZ_OK;
    return pz_fail(error, PZ_INTERNAL, "%" PRIu64 " states were found as all, and there are %" PRIu64,
                   result->states, all);
}

enum pz_status explore_run(const struct explore_request *request, struct control *control,
                           const struct explore_sink *sink, struct explore_result *result,
                           struct pz_error *error)
{
    const struct engine_row *engine = engines;
    memset(result, 0, sizeof *result);
    enum pz_status status = choose_engine(request, &engine, error);
    if (status != PZ_OK)
        return status;
    result->engine = explore_engine_name(engine->engine);
    status = exploration_run(engine->open, request, control, sink, result, error);
    if (status == PZ_OK)
        status = check_known_total(request, result, error);
    const enum pz_status verdict = guard_verdict(request->space, result->states, error);
    return verdict != PZ_OK ? verdict : status;
}

enum pz_status explore_plan_ahead(const struct explore_request *request, struct explore_estimate *estimate,
                                  struct pz_error *error)
{
    const struct engine_row *engine = engines;
    memset(estimate, 0, sizeof *estimate);
    enum pz_status status = choose_engine(request, &engine, error);
    return status == PZ_OK ? engine->estimate(request, estimate, error) : status;
}

enum explore_planes explore_planes_within(const struct explore_estimate *estimate, uint64_t memory,
                                          uint64_t disk)
{
    for (enum explore_planes planes = PLANES_MEMORY; planes < PLANES_COUNT; planes++) {
        const struct explore_cost *cost = &estimate->cost[planes];
        if (cost->memory > 0 && cost->memory - cost->movable <= memory &&
            explore_disk_within(cost, memory) <= disk)
            return planes;
    }
    return PLANES_AUTO;
}
