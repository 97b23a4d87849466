/* SPDX-License-Identifier: MIT */
/* The requests that the ranked engine takes, and their costs. */
#include "explore/ranked/blocks/block_level.h"
#include "explore/ranked/ranked.h"
#include "explore/ranked/ranked_own.h"
#include "explore/ranked/ranked_table.h"
#include "explore/ranked/states.h"
#include "space/registry.h"
#include "space/root_set.h"

#include <inttypes.h>

/* Returns true if all the request's roots have numbers. States that cannot be reached from the goal may have
 * none. */
static bool numbers_roots(const struct explore_request *request)
{
    const struct pz_space *space = request->space;
    const unsigned roots = request->from == FROM_ROOT ? explore_roots(request) : 0;
    for (unsigned i = 0; i < roots; i++)
        if (space->puzzle->rank(space, root_set_at(request->root, space->state_bytes, i)) >=
            space_count(space))
            return false;
    return true;
}

struct block_share ranked_share(const struct explore_request *request)
{
    const struct exchange *exchange = request->exchange;
    return exchange != NULL ? (struct block_share){exchange->rank, exchange->ranks}
                            : (struct block_share){0, 1};
}

/* Returns why ranks cannot take a request; NULL if they can, or if it is for one process. */
static const char *rank_fault(const struct explore_request *request)
{
    if (request->exchange == NULL && !request->cluster)
        return NULL;
    if (!space_has_runs(request->space))
        return "ranks share permutation puzzles only; engine=striped takes others";
    if (request->ranked.parts || request->keep == KEEP_TABLE)
        return "ranks keep levels, without a table or parts";
    struct pz_runs *runs = space_runs(request->space);
    const bool many = runs->outers > BLOCK_EXCHANGE_MOST;
    runs->close(runs);
    return many ? "ranks cannot share so many blocks of states" : NULL;
}

bool ranked_takes(const struct explore_request *request)
{
    return space_count(request->space) > 0 && (request->space->flags & PZ_REVERSIBLE) != 0 &&
           (request->space->flags & PZ_COSTS) == 0 && request->depth == EXPLORE_NO_LIMIT &&
           rank_fault(request) == NULL && numbers_roots(request);
}

/* Components take four bytes a state; active bits for each state are cheap beside that. With them the levels
 * of klotski:family need half the work. Blocks work on whole words and do not need active bits of their own.
 */
struct states ranked_states(const struct explore_request *request, const struct pz_runs *runs)
{
    const uint64_t numbers = space_count(request->space);
    return (struct states){.numbers = numbers,
                           .count = runs != NULL ? block_positions(runs, ranked_share(request)) : numbers,
                           .grain = request->ranked.parts && runs == NULL ? GRAIN_ONE : GRAIN_SIXTEEN};
}

/* The memory and scratch space that a request needs. */
struct needs {
    uint64_t memory;            /* bytes; without the list of components, whose number is not known */
    uint64_t disk_memory, disk; /* with the states in scratch space; 0 where that cannot be */
};

static struct needs needs_of(const struct explore_request *request)
{
    struct pz_runs *runs = space_runs(request->space);
    const struct states states = ranked_states(request, runs);
    struct needs needs = {.memory = states_all_bytes(states.count, states.grain) +
                                    (request->ranked.parts ? states.numbers * sizeof(uint32_t) : 0)};
    if (runs == NULL)
        return needs;
    const struct block_shape shape = block_shape_of(runs);
    const struct block_share share = ranked_share(request);
    const uint64_t own = block_share_places(share, runs->outers);
    const uint64_t beside = block_space_bytes(runs, share) + ranked_ranks_bytes(request, runs);
    if (!request->ranked.parts) {
        needs.disk_memory = beside + block_file_memory(own);
        needs.disk = block_file_disk(own, block_file_words(&shape));
    }
    needs.memory += beside;
    runs->close(runs);
    return needs;
}

bool ranked_has_disk(const struct explore_request *request)
{
    return ranked_takes(request) && request->scratch != NULL && needs_of(request).disk > 0;
}

static bool fits_memory(const struct explore_request *request, const struct needs *needs, uint64_t limit)
{
    return request->planes != PLANES_DISK && needs->memory <= limit;
}

static bool fits_disk(const struct explore_request *request, const struct needs *needs, uint64_t limit)
{
    return (request->planes == PLANES_DISK || request->planes == PLANES_AUTO) && request->scratch != NULL &&
           needs->disk > 0 && needs->disk_memory <= limit &&
           (request->disk == 0 || needs->disk <= request->disk || request->planes == PLANES_DISK);
}

bool ranked_uses_disk(const struct explore_request *request, uint64_t limit)
{
    const struct needs needs = needs_of(request);
    return !fits_memory(request, &needs, limit) && fits_disk(request, &needs, limit);
}

static double in_mega(uint64_t bytes)
{
    return (double)bytes / 1048576;
}

enum pz_status ranked_check_memory(const struct explore_request *request, uint64_t limit,
                                   struct pz_error *error)
{
    const uint64_t count = space_count(request->space);
    if (count == 0 || (request->space->flags & PZ_REVERSIBLE) == 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "the ranked engine: %s has no ranking function, or its moves cannot be undone",
                       request->space->puzzle->name);
    if (rank_fault(request) != NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "the ranked engine: %s", rank_fault(request));
    if (!numbers_roots(request))
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "the ranked engine: the moves do not lead from this root to the goal; engine=striped takes it");
    const struct needs needs = needs_of(request);
    if (fits_memory(request, &needs, limit) || fits_disk(request, &needs, limit))
        return PZ_OK;
    if (request->planes == PLANES_DISK && (request->scratch == NULL || needs.disk == 0))
        return pz_fail(
            error, PZ_UNSUPPORTED, "planes=disk: %s",
            request->scratch == NULL
                ? "there is no scratch space"
                : "engine=ranked keeps permutation puzzles there, without parts; engine=striped others");
    if (request->scratch != NULL && needs.disk > 0 && needs.disk_memory <= limit && request->disk > 0)
        return pz_fail(error, PZ_TOO_LARGE,
                       "%" PRIu64 " states need %.1fM, limit %.1fM, or %.1fM of scratch space, limit %.1fM",
                       count, in_mega(needs.memory), in_mega(limit), in_mega(needs.disk),
                       in_mega(request->disk));
    return pz_fail(error, PZ_TOO_LARGE, "%" PRIu64 " states need %.1fM, limit %.1fM", count,
                   in_mega(needs.memory), in_mega(limit));
}

enum pz_status ranked_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                               struct pz_error *error)
{
    enum pz_status status = ranked_check_memory(request, UINT64_MAX, error);
    if (status != PZ_OK)
        return status;
    estimate->engine = ENGINE_RANKED;
    estimate->states = space_count(request->space);
    const struct needs needs = needs_of(request);
    estimate->bytes = estimate->bytes_levels_only = needs.memory;
    if (request->planes != PLANES_DISK)
        estimate->cost[PLANES_MEMORY].memory = needs.memory;
    if (request->scratch != NULL && needs.disk > 0)
        estimate->cost[PLANES_DISK] = (struct explore_cost){.memory = needs.disk_memory, .disk = needs.disk};
    estimate->table_bytes = ranked_table_bytes(estimate->states);
    return PZ_OK;
}
