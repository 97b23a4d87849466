/* SPDX-License-Identifier: MIT */
/* The requests that the striped engine takes, and their costs. */
#include "explore/striped/disk/striped_disk.h"
#include "explore/striped/search/search.h"
#include "explore/striped/striped.h"
#include "explore/striped/visited/visited.h"
#include "space/slide/slide.h"

#include <inttypes.h>

enum { FIRST_STATES = 16 << 10 /* bytes that the first visited states take at most, beside the pool */ };

bool striped_keeps_all(const struct explore_request *request)
{
    return request->keep == KEEP_TABLE || request->striped.edges;
}

bool striped_takes(const struct explore_request *request)
{
    (void)request;
    return true;
}

enum pz_status striped_check(const struct explore_request *request, uint64_t limit, struct pz_error *error)
{
    const uint64_t need = searchers_bytes(request->space, request->threads) + POOL_LEAST + FIRST_STATES;
    unsigned stripes = request->striped.stripes;
    if (request->planes == PLANES_DISK)
        return striped_disk_check(request, limit, error);
    if (need > limit)
        return pz_fail(error, PZ_TOO_LARGE, "threads=%u needs %" PRIu64 "K to begin with, limit %" PRIu64 "K",
                       request->threads, (need >> 10) + 1, limit >> 10);
    if (request->exchange != NULL && (striped_keeps_all(request) || request->from == FROM_GOALS))
        return pz_fail(error, PZ_UNSUPPORTED,
                       "runs on several ranks need keep=levels and from=root, and do not support edges=yes");
    if (stripes <= SET_STRIPES_MAX && (stripes & (stripes - 1)) == 0)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "stripes=%u is not a power of two up to %d", stripes,
                   SET_STRIPES_MAX);
}

/* Measured at the peak (docs/notebook/striped.md). Where tokens do not join, inboxes hold more, and a set
 * takes as much. */
double striped_state_bytes(const struct pz_space *space)
{
    const double key = space->state_bytes;
    return visited_tokens_join(space) ? key * 1.1 : (key + 1) * 1.6;
}

/* Sets the cost of levels in memory and on disk, where it is known. */
static void set_costs(const struct explore_request *request, struct explore_estimate *estimate)
{
    const bool moves = striped_disk_follows(request, UINT64_MAX);
    estimate->moves_from = moves ? striped_disk_least(request) : 0;
    estimate->moved_state_bytes = moves ? striped_disk_state_bytes(request) : 0;
    if (request->planes == PLANES_DISK) {
        striped_disk_estimate(request, estimate);
        estimate->bytes = estimate->bytes_levels_only = estimate->cost[PLANES_DISK].memory;
    } else if (estimate->states > 0 && request->depth == EXPLORE_NO_LIMIT && moves) {
        striped_disk_estimate(request, estimate);
        estimate->cost[PLANES_MEMORY].memory =
            request->keep == KEEP_LEVELS ? estimate->bytes_levels_only : estimate->bytes;
    }
}

void striped_estimate_of(const struct explore_request *request, uint64_t states,
                         struct explore_estimate *estimate)
{
    double key = request->space->state_bytes;
    estimate->engine = ENGINE_STRIPED;
    estimate->states = states;
    bool reversible = (request->space->flags & PZ_REVERSIBLE) != 0;
    estimate->bytes = told_bytes((double)estimate->states * striped_state_bytes(request->space));
    /* The number of states is known only for sliding puzzles, whose tokens join. */
    const double three_levels = key * 0.35;
    estimate->bytes_levels_only = reversible && !request->striped.edges
                                      ? told_bytes((double)estimate->states * three_levels)
                                      : estimate->bytes;
    set_costs(request, estimate);
    estimate->table_bytes = told_bytes((double)estimate->states * (key + 2) * 1.05);
}

enum pz_status striped_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                                struct pz_error *error)
{
    enum pz_status status = striped_check(request, UINT64_MAX, error);
    if (status == PZ_OK)
        striped_estimate_of(request, slide_states(request->space), estimate);
    return status;
}

uint64_t striped_expected_bytes(const struct explore_request *request)
{
    struct explore_estimate estimate = {0};
    const uint64_t most = budget_free(request->budget);
    if (striped_estimate(request, &estimate, NULL) != PZ_OK)
        return 0;
    const uint64_t state_bytes = request->space->state_bytes + sizeof(uint16_t);
    return estimate.states < most / state_bytes ? estimate.states * state_bytes : most;
}
