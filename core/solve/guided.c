/* SPDX-License-Identifier: MIT */
#include "solve/guided.h"

#include "base/clock.h"
#include "explore/run/monitor.h"
#include "space/guard.h"
#include "space/sokoban/sokoban.h"

#include <string.h>

/* Of a first search. It takes some seconds. */
#define TRIAL_BYTES (UINT64_C(64) << 20)

static bool takes_clusters(const struct solve_request *request, enum method method)
{
    return method == METHOD_ASTAR && request->bound == NULL && sokoban_clusters_help(request->space);
}

static bool takes_abstractions(const struct solve_request *request, enum method method)
{
    const bool guided = method == METHOD_ASTAR || method == METHOD_IDASTAR;
    if (request->bound != NULL || request->space->puzzle->heuristic != NULL ||
        (!guided && request->method != METHOD_AUTO) ||
        (request->partition != NULL && strcmp(request->partition, ABSTRACTIONS_NONE) == 0))
        return false;
    return abstractions_check(request->space, NULL, NULL) == PZ_OK;
}

bool guided_takes(const struct solve_request *request, enum method method)
{
    return named_bound_takes(request, method) || takes_clusters(request, method) ||
           takes_abstractions(request, method);
}

void guide_clear(struct guide *guide)
{
    named_bound_close(guide->named);
    sokoban_clusters_free(guide->clusters);
    abstractions_close(guide->abstractions);
    *guide = (struct guide){0};
}

/* ---- a first search ---- */

/* Returns true if a search in little memory decides the question, in one way or the other. */
static bool trial_decides(const struct solve_request *request, solver *run, struct control *control,
                          struct solve_result *result, enum pz_status *status, struct pz_error *error)
{
    struct budget budget;
    struct solve_request trial = *request;
    const uint64_t most = budget_most(request->budget) / 4;
    budget_init(&budget, request->budget, most < TRIAL_BYTES ? most : TRIAL_BYTES);
    trial.budget = &budget;
    *status = run(&trial, control, result, error);
    return *status != PZ_TOO_LARGE && *status != PZ_MEMORY &&
           (*status != PZ_OK || result->outcome != OUTCOME_STOPPED || result->reason != STOP_MEMORY);
}

/* Makes the result as it was before, but for the time since it began. */
static void forget_trial(struct solve_result *result, double began)
{
    *result = (struct solve_result){.method = result->method,
                                    .moves = -1,
                                    .solvable = PZ_UNKNOWN,
                                    .waited_seconds = clock_seconds() - began};
}

/* Raises at_least to what the first search has proven, if the second is cut off. */
static void keep_proven(enum pz_status status, int64_t at_least, struct solve_result *result)
{
    const bool is_open = status == PZ_CANCELLED || (status == PZ_OK && result->outcome == OUTCOME_STOPPED);
    if (is_open && result->at_least < at_least)
        result->at_least = at_least;
}

/* ---- the bounds that a request names ---- */

/* Opening them is waiting. */
static enum pz_status run_named(struct solve_request *request, solver *blind, struct guide *guide,
                                struct control *control, struct solve_result *result, struct pz_error *error)
{
    const double began = clock_seconds();
    enum pz_status status = named_bound_open(request, control, &guide->named, error);
    const double waited = clock_seconds() - began;
    if (status == PZ_OK)
        status = blind(request, control, result, error);
    else if (status == PZ_LIMIT)
        status = ending_stopped(result, STOP_TIME, 0);
    result->waited_seconds = waited;
    if (request->partition != NULL)
        (void)snprintf(result->partition, sizeof result->partition, "%s", request->partition);
    return status;
}

/* ---- Sokoban ---- */

static bool goes_on(void *monitor)
{
    return !monitor_halts(monitor);
}

/* Makes the tables, and reports meanwhile. */
static struct sokoban_clusters *make_clusters(const struct solve_request *request, struct control *control)
{
    struct monitor monitor;
    const struct wanted wanted = {goes_on, &monitor};
    monitor_init(&monitor, control, request->budget, "clusters");
    const struct wanted *before = wanted_set(&wanted);
    struct sokoban_clusters *clusters = sokoban_clusters_new(request->space, request->budget);
    (void)wanted_set(before);
    return clusters;
}

static enum pz_status run_by_clusters(struct solve_request *request, solver *blind, struct guide *guide,
                                      struct control *control, struct solve_result *result,
                                      struct pz_error *error)
{
    const double began = clock_seconds();
    enum pz_status status;
    if (trial_decides(request, blind, control, result, &status, error))
        return status;
    const int64_t at_least = result->at_least;
    guide->clusters = make_clusters(request, control);
    if (guide->clusters == NULL && (status = control_poll_busy(control)) != PZ_OK)
        return status == PZ_LIMIT ? ending_stopped(result, STOP_TIME, at_least)
                                  : ending_cancelled(result, at_least, error);
    if (guide->clusters != NULL) {
        guide->bound = (struct solve_bound){sokoban_clusters_bound, guide->clusters};
        request->bound = &guide->bound;
    }
    forget_trial(result, began);
    status = blind(request, control, result, error);
    keep_proven(status, at_least, result);
    return status;
}

/* ---- abstractions ---- */

static enum pz_status open_abstractions(struct solve_request *request, bool stored_orbits,
                                        struct guide *guide, struct control *control, struct pz_error *error)
{
    const struct abstractions_request open = {.space = request->space,
                                              .partition = request->partition,
                                              .stored_orbits = stored_orbits,
                                              .threads = request->threads,
                                              .budget = request->budget,
                                              .checkpoint = request->checkpoint,
                                              .archive = request->archive,
                                              .control = control};
    enum pz_status status = abstractions_open(&open, &guide->abstractions, error);
    if (status != PZ_OK)
        return status;
    guide->bound = (struct solve_bound){abstractions_bound, guide->abstractions};
    request->bound = &guide->bound;
    return PZ_OK;
}

/* Databases that do not fit are no reason to give up. */
static bool can_do_without(const struct solve_request *request, enum pz_status status)
{
    return request->partition == NULL && (status == PZ_UNSUPPORTED || status == PZ_TOO_LARGE ||
                                          status == PZ_MEMORY || status == PZ_BAD_PUZZLE);
}

static enum pz_status search_by_abstractions(const struct solve_request *request, enum method method,
                                             const struct guide *guide, struct control *control,
                                             struct solve_result *result, struct pz_error *error)
{
    struct abstractions_figures figures;
    const double waited = result->waited_seconds;
    struct orbit_table table[ORBIT_TABLES_MAX];
    const unsigned tables = abstractions_orbits(guide->abstractions, table);
    abstractions_figures(guide->abstractions, &figures);
    memcpy(result->partition, figures.partition, sizeof result->partition);
    enum pz_status status =
        tables > 0 && request->method != METHOD_ASTAR && request->weight <= 1
            ? orbit_search_run(request, table, tables, control, result, error)
            : (method == METHOD_IDASTAR ? own_bound_run : astar_run)(request, control, result, error);
    result->waited_seconds = waited;
    return status;
}

static enum pz_status run_by_abstractions(struct solve_request *request, enum method method, solver *blind,
                                          struct guide *guide, struct control *control,
                                          struct solve_result *result, struct pz_error *error)
{
    const double began = clock_seconds();
    const bool choose = request->method == METHOD_AUTO && request->partition == NULL;
    enum pz_status status = PZ_OK;
    const bool ready = choose && open_abstractions(request, true, guide, control, NULL) == PZ_OK;
    if (choose && !ready && trial_decides(request, blind, control, result, &status, error))
        return status;
    const int64_t at_least = choose && !ready ? result->at_least : 0;
    if (!ready)
        status = open_abstractions(request, false, guide, control, error);
    if (status != PZ_OK && status != PZ_LIMIT && !can_do_without(request, status))
        return status;
    forget_trial(result, began);
    if (status == PZ_LIMIT)
        return ending_stopped(result, STOP_TIME, at_least);
    if (status != PZ_OK)
        return blind(request, control, result, error);
    /* A search from both sides sees about the square root of what one without a bound would. */
    struct orbit_table table[ORBIT_TABLES_MAX];
    const bool is_weak = abstractions_orbits(guide->abstractions, table) == 0 && choose &&
                         method == METHOD_BIDIRECTIONAL &&
                         2 * guide->bound.of(guide->bound.context, request->start) < at_least;
    status = is_weak ? blind(request, control, result, error)
                     : search_by_abstractions(request, method, guide, control, result, error);
    keep_proven(status, at_least, result);
    return status;
}

enum pz_status guided_run(struct solve_request *request, enum method method, solver *blind,
                          struct guide *guide, struct control *control, struct solve_result *result,
                          struct pz_error *error)
{
    if (named_bound_takes(request, method))
        return run_named(request, blind, guide, control, result, error);
    if (takes_clusters(request, method))
        return run_by_clusters(request, blind, guide, control, result, error);
    return run_by_abstractions(request, method, blind, guide, control, result, error);
}
