/* SPDX-License-Identifier: MIT */
#include "solve/bounds/by_clusters.h"

#include "base/clock.h"
#include "explore/run/monitor.h"
#include "solve/solver.h"
#include "space/guard.h"
#include "space/sokoban/sokoban_clusters.h"

bool by_clusters_takes(const struct solve_request *request, enum method method)
{
    return method == METHOD_ASTAR && request->bound == NULL && sokoban_clusters_take(request->space);
}

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

enum pz_status by_clusters_run(struct solve_request *request, struct guide *guide, struct control *control,
                               struct solve_result *result, struct pz_error *error)
{
    const double began = clock_seconds();
    enum pz_status status;
    if (trial_decides(request, astar_run, control, result, &status, error))
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
    trial_forget(result, began);
    status = astar_run(request, control, result, error);
    const bool is_open = status == PZ_CANCELLED || (status == PZ_OK && result->outcome == OUTCOME_STOPPED);
    if (is_open && result->at_least < at_least)
        result->at_least = at_least; /* the first search has proven it */
    return status;
}
