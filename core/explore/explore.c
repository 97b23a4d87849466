/* SPDX-License-Identifier: MIT */
#include "explore/explore.h"

#include "base/team.h"
#include "explore/dense/dense.h"
#include "explore/striped/set.h"
#include "explore/striped/striped.h"

#include <string.h>

static enum pz_status check(const struct explore_request *request, struct pz_error *error)
{
    if (request->threads < 1 || request->threads > TEAM_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "threads=%u: 1 to %d would be right", request->threads,
                       TEAM_MAX);
    if (request->space->puzzle->expand == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "%s has no states to explore: it answers SOLVE",
                       request->space->puzzle->name);
    unsigned stripes = request->stripes;
    if (stripes > SET_STRIPES_MAX || (stripes & (stripes - 1)) != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "stripes=%u: a power of two up to %d would be right", stripes,
                       SET_STRIPES_MAX);
    return PZ_OK;
}

/* A dense exploration that was asked for by name is tried whatever it takes, and says itself why it cannot
 * be. */
static bool runs_dense(const struct explore_request *request)
{
    return request->engine == ENGINE_DENSE || (request->engine == ENGINE_AUTO && dense_takes(request));
}

enum pz_status explore_check_memory(const struct explore_request *request, uint64_t limit,
                                    struct pz_error *error)
{
    enum pz_status status = check(request, error);
    if (status != PZ_OK || !runs_dense(request))
        return status;
    return dense_check_memory(request, limit, error);
}

enum pz_status explore_run(const struct explore_request *request, struct control *control,
                           const struct explore_sink *sink, struct explore_result *result,
                           struct pz_error *error)
{
    memset(result, 0, sizeof *result);
    enum pz_status status = check(request, error);
    if (status != PZ_OK)
        return status;
    if (runs_dense(request))
        return dense_run(request, control, sink, result, error);
    return striped_run(request, control, sink, result, error);
}

enum pz_status explore_plan_ahead(const struct explore_request *request, struct explore_estimate *estimate,
                                  struct pz_error *error)
{
    memset(estimate, 0, sizeof *estimate);
    enum pz_status status = check(request, error);
    if (status != PZ_OK)
        return status;
    if (runs_dense(request))
        return dense_estimate(request, estimate, error);
    striped_plan_ahead(request, estimate);
    return PZ_OK;
}
