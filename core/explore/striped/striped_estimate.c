/* SPDX-License-Identifier: MIT */
/* The requests that the striped engine takes, and their costs. */
#include "explore/striped/disk/disk_search.h"
#include "explore/striped/search/search.h"
#include "explore/striped/striped.h"
#include "explore/striped/visited/visited.h"
#include "space/root_set.h"
#include "space/slide/slide.h"

#include <inttypes.h>

enum { FIRST_STATES = 16 << 10 /* bytes that the first visited states take at most, beside the pool */ };

bool striped_keeps_all(const struct explore_request *request)
{
    return request->keep == KEEP_TABLE || request->striped.edges;
}

/* ---- in scratch space ---- */

/* Returns the least bytes of memory with which a search begins. */
static uint64_t disk_least(const struct explore_request *request)
{
    return disk_search_least(request->space, request->threads);
}

/* Returns PZ_OK if this request can be explored on disk within so much memory; PZ_TOO_LARGE if the memory is
 * too small to begin with, PZ_UNSUPPORTED for what is done in memory only. */
static enum pz_status disk_check(const struct explore_request *request, uint64_t limit,
                                 struct pz_error *error)
{
    const uint64_t need = disk_least(request);
    if (request->scratch == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "planes=disk: there is no scratch space");
    if (request->exchange != NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "several ranks explore with engine=striped in memory only");
    if (request->from == FROM_GOALS && (request->space->flags & PZ_REVERSIBLE) == 0)
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "from=goals is explored in memory only where moves cannot be undone: use planes=memory");
    if (need > limit)
        return pz_fail(error, PZ_TOO_LARGE,
                       "threads=%u needs %" PRIu64 "K to begin with on disk, limit %" PRIu64 "K",
                       request->threads, (need >> 10) + 1, limit >> 10);
    return PZ_OK;
}

bool striped_disk_follows(const struct explore_request *request, uint64_t memory)
{
    return request->planes == PLANES_AUTO && !request->cluster && disk_check(request, memory, NULL) == PZ_OK;
}

/* Returns true if all levels stay in scratch space. */
static bool disk_keeps_all(const struct explore_request *request)
{
    return striped_keeps_all(request) || (request->space->flags & PZ_REVERSIBLE) == 0;
}

double striped_disk_state_bytes(const struct explore_request *request)
{
    return request->space->state_bytes * (disk_keeps_all(request) ? 1.6 : 0.9);
}

/*
 * Sets the cost on disk: the least memory with which it begins, and the rest if estimate->states is known.
 * Measured, see docs/notebook/striped.md, on whole sliding puzzles with memory that divides no partition:
 * each state is written as 1.2 successors and once in its level, and both are read. A table is read twice
 * more. At the peak there are three levels and successors, or all levels.
 */
static void set_disk_cost(const struct explore_request *request, struct explore_estimate *estimate)
{
    const double bytes = (double)estimate->states * request->space->state_bytes;
    const bool all = disk_keeps_all(request);
    estimate->cost[PLANES_DISK] = (struct explore_cost){.memory = disk_least(request),
                                                        .disk = told_bytes(bytes * (all ? 1.1 : 0.35)),
                                                        .written = told_bytes(bytes * 2.3),
                                                        .read = told_bytes(bytes * (all ? 4.3 : 2.3))};
}

/* ---- in memory ---- */

uint64_t striped_least_bytes(const struct explore_request *request)
{
    return searchers_bytes(request->space, request->threads) + POOL_LEAST + FIRST_STATES;
}

enum pz_status striped_check(const struct explore_request *request, uint64_t limit, struct pz_error *error)
{
    const uint64_t need = striped_least_bytes(request);
    unsigned partitions = request->striped.stripes;
    if (request->planes == PLANES_DISK)
        return disk_check(request, limit, error);
    if (need > limit)
        return pz_fail(error, PZ_TOO_LARGE, "threads=%u needs %" PRIu64 "K to begin with, limit %" PRIu64 "K",
                       request->threads, (need >> 10) + 1, limit >> 10);
    if (request->exchange != NULL && (striped_keeps_all(request) || request->from == FROM_GOALS))
        return pz_fail(error, PZ_UNSUPPORTED,
                       "runs on several ranks need keep=levels and from=root, and do not support edges=yes");
    if (partitions <= SET_STRIPES_MAX && (partitions & (partitions - 1)) == 0)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "stripes=%u is not a power of two up to %d", partitions,
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
static void set_striped_costs(const struct explore_request *request, struct explore_estimate *estimate)
{
    const bool moves = striped_disk_follows(request, UINT64_MAX);
    estimate->moves_from = moves ? disk_least(request) : 0;
    estimate->moved_state_bytes = moves ? striped_disk_state_bytes(request) : 0;
    if (request->planes == PLANES_DISK) {
        set_disk_cost(request, estimate);
        estimate->bytes = estimate->bytes_levels_only = estimate->cost[PLANES_DISK].memory;
    } else if (estimate->states > 0 && request->depth == EXPLORE_NO_LIMIT && moves) {
        set_disk_cost(request, estimate);
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
    /* Of a whole space, which is that of a sliding puzzle, whose tokens join: its widest levels are in the
     * middle. The last ones of a part are most of it. */
    const double three_levels = key * 0.35;
    const bool whole = request->depth == EXPLORE_NO_LIMIT;
    estimate->bytes_levels_only = reversible && whole && !request->striped.edges
                                      ? told_bytes((double)estimate->states * three_levels)
                                      : estimate->bytes;
    set_striped_costs(request, estimate);
    estimate->table_bytes = told_bytes((double)estimate->states * (key + 2) * 1.05);
}

/* Returns how many states the roots reach, 0 if that is not known: those of a sliding puzzle may lie in both
 * of its halves. */
static uint64_t states_of_roots(const struct explore_request *request)
{
    const struct pz_space *space = request->space;
    unsigned solvable = 0;
    if (slide_states(space) == 0 || request->from == FROM_GOALS)
        return slide_states(space);
    for (unsigned i = 0; i < explore_roots(request); i++)
        solvable +=
            space->puzzle->solvable(space, root_set_at(request->root, space->state_bytes, i)) == PZ_YES;
    return slide_states(space) * (solvable > 0 && solvable < explore_roots(request) ? 2 : 1);
}

enum pz_status striped_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                                struct pz_error *error)
{
    enum pz_status status = striped_check(request, UINT64_MAX, error);
    if (status == PZ_OK)
        striped_estimate_of(request, states_of_roots(request), estimate);
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
