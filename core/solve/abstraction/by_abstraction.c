/* SPDX-License-Identifier: MIT */
#include "solve/abstraction/abstractions.h"

#include "base/clock.h"
#include "solve/solver.h"

#include <string.h>

bool by_abstraction_takes(const struct solve_request *request, enum method method)
{
    const bool guided = method == METHOD_ASTAR || method == METHOD_IDASTAR;
    if (request->bound != NULL || request->space->puzzle->heuristic != NULL ||
        (!guided && request->method != METHOD_AUTO) ||
        (request->partition != NULL && strcmp(request->partition, ABSTRACTIONS_NONE) == 0))
        return false;
    return abstractions_check(request->space, NULL, NULL) == PZ_OK;
}

void guide_clear(struct guide *guide)
{
    abstractions_close(guide->abstractions);
    guide->abstractions = NULL;
}

static enum pz_status open_guide(struct solve_request *request, bool stored_orbits, struct guide *guide,
                                 struct control *control, struct pz_error *error)
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

static enum pz_status search_guided(const struct solve_request *request, enum method method,
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

enum pz_status by_abstraction_run(struct solve_request *request, enum method method, solver *blind,
                                  struct guide *guide, struct control *control, struct solve_result *result,
                                  struct pz_error *error)
{
    const double began = clock_seconds();
    const bool choose = request->method == METHOD_AUTO && request->partition == NULL;
    enum pz_status status = PZ_OK;
    const bool ready = choose && open_guide(request, true, guide, control, NULL) == PZ_OK;
    if (choose && !ready && trial_decides(request, blind, control, result, &status, error))
        return status;
    const int64_t at_least = choose && !ready ? result->at_least : 0;
    if (!ready)
        status = open_guide(request, false, guide, control, error);
    if (status != PZ_OK && status != PZ_LIMIT && !can_do_without(request, status))
        return status;
    trial_forget(result, began);
    if (status == PZ_LIMIT) {
        result->method = method;
        result->outcome = OUTCOME_STOPPED;
        result->reason = STOP_TIME;
        result->at_least = at_least;
        return PZ_OK;
    }
    if (status != PZ_OK)
        return blind(request, control, result, error);
    /* A search from both sides sees about the square root of what one without a bound would. */
    struct orbit_table table[ORBIT_TABLES_MAX];
    const bool is_weak = abstractions_orbits(guide->abstractions, table) == 0 && choose &&
                         method == METHOD_BIDIRECTIONAL &&
                         2 * guide->bound.of(guide->bound.context, request->start) < at_least;
    status = is_weak ? blind(request, control, result, error)
                     : search_guided(request, method, guide, control, result, error);
    const bool is_open = status == PZ_CANCELLED || (status == PZ_OK && result->outcome == OUTCOME_STOPPED);
    if (is_open && result->at_least < at_least)
        result->at_least = at_least; /* the first search has proven it */
    return status;
}
