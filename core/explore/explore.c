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

/* How large a checkpoint of the striped engine may become is known only roughly: too little room is told, and
 * each one is tried all the same. */
static void foresee_room(const struct explore_request *request)
{
    const struct explore_checkpoint *calls = request->checkpoint;
    struct explore_estimate estimate = {0};
    struct pz_error error = {0};
    if (calls == NULL || calls->expect == NULL || calls->note == NULL)
        return;
    striped_plan_ahead(request, &estimate);
    uint64_t bytes = budget_free(request->budget);
    uint64_t all = estimate.states * (request->space->state_bytes + sizeof(uint16_t));
    if (all > 0 && all < bytes)
        bytes = all;
    if (calls->expect(calls->context, bytes, &error) == PZ_OK)
        return;
    const struct explore_checkpoint_news news = {
        .event = CHECKPOINT_SHORT, .bytes = bytes, .reason = error.text};
    calls->note(calls->context, &news);
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
    foresee_room(request);
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
