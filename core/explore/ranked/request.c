/* SPDX-License-Identifier: MIT */
/* The requests that the ranked engine takes, and their costs. */
#include "explore/ranked/ranked.h"
#include "explore/ranked/run_level.h"
#include "explore/ranked/states.h"
#include "explore/ranked/table.h"
#include "space/registry.h"

#include <inttypes.h>

/* Returns true if the request's root has a number: states that the moves do not reach from the goal may have
 * none. */
static bool numbers_root(const struct explore_request *request)
{
    const struct pz_space *space = request->space;
    return request->from != FROM_ROOT || space->puzzle->rank(space, request->root) < space_count(space);
}

bool ranked_takes(const struct explore_request *request)
{
    return space_count(request->space) > 0 && (request->space->flags & PZ_REVERSIBLE) != 0 &&
           request->depth == EXPLORE_NO_LIMIT && request->exchange == NULL && !request->cluster &&
           numbers_root(request);
}

/* Parts take four bytes a state: marks of one state each, two bits more, are no matter. They make the levels
 * of klotski:family in half the work. Runs look at a word at a time. */
struct states ranked_states(const struct explore_request *request, const struct pz_runs *runs)
{
    const uint64_t numbers = space_count(request->space);
    return (struct states){.numbers = numbers,
                           .count = runs != NULL ? run_positions(runs) : numbers,
                           .grain = request->parts && runs == NULL ? GRAIN_ONE : GRAIN_SIXTEEN};
}

/* Returns the bytes of a run; of parts those of the states, for nobody knows how many parts there are. */
static uint64_t needed(const struct explore_request *request)
{
    struct pz_runs *runs = space_runs(request->space);
    const struct states states = ranked_states(request, runs);
    const uint64_t bytes = states_all_bytes(states.count, states.grain) +
                           (runs != NULL ? run_space_bytes(runs) : 0) +
                           (request->parts ? states.numbers * sizeof(uint32_t) : 0);
    if (runs != NULL)
        runs->close(runs);
    return bytes;
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
    if (!numbers_root(request))
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "engine=ranked: the moves do not lead from this root to the goal; engine=striped takes it");
    if (needed(request) > limit)
        return pz_fail(error, PZ_TOO_LARGE, "%" PRIu64 " states need %.1fM, limit %.1fM", count,
                       (double)needed(request) / 1048576, (double)limit / 1048576);
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
    estimate->bytes = estimate->bytes_levels_only = needed(request);
    estimate->table_bytes = ranked_table_bytes(estimate->states);
    return PZ_OK;
}
