/* SPDX-License-Identifier: MIT */
/* The requests that the ranked engine takes, and their costs. */
#include "explore/ranked/ranked.h"
#include "explore/ranked/states.h"
#include "explore/ranked/table.h"
#include "space/registry.h"

#include <inttypes.h>

bool ranked_takes(const struct explore_request *request)
{
    return space_count(request->space) > 0 && (request->space->flags & PZ_REVERSIBLE) != 0 &&
           request->depth == EXPLORE_NO_LIMIT && request->exchange == NULL && !request->cluster;
}

/* Parts take four bytes a state: marks of one state each, two bits more, are no matter. They make the levels
 * of klotski:family in half the work. */
enum states_grain ranked_grain(const struct explore_request *request)
{
    return request->parts ? GRAIN_ONE : GRAIN_SIXTEEN;
}

/* Returns the bytes of a run; of parts those of the states, for nobody knows how many parts there are. */
static uint64_t needed(const struct explore_request *request, uint64_t count)
{
    return states_all_bytes(count, ranked_grain(request)) + (request->parts ? count * sizeof(uint32_t) : 0);
}

enum pz_status ranked_check_memory(const struct explore_request *request, uint64_t limit,
                                   struct pz_error *error)
{
    const uint64_t count = space_count(request->space);
    if (request->exchange != NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "engine=ranked explores on one machine");
    if (count == 0 || (request->space->flags & PZ_REVERSIBLE) == 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "engine=ranked: %s does not number its states, or its moves cannot be undone",
                       request->space->puzzle->name);
    if (count / 4 > limit || needed(request, count) > limit)
        return pz_fail(error, PZ_TOO_LARGE,
                       "%" PRIu64 " states need %.1fM, limit %.1fM; engine=striped depth=N needs less", count,
                       (double)needed(request, count) / 1048576, (double)limit / 1048576);
    return PZ_OK;
}

enum pz_status ranked_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                               struct pz_error *error)
{
    enum pz_status status = ranked_check_memory(request, UINT64_MAX, error);
    if (status != PZ_OK)
        return status;
    estimate->engine = ENGINE_RANKED;
    estimate->states = space_count(request->space);
    estimate->bytes = estimate->bytes_levels_only = needed(request, estimate->states);
    estimate->table_bytes = ranked_table_bytes(estimate->states);
    return PZ_OK;
}
