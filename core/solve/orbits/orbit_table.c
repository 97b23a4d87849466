/* SPDX-License-Identifier: MIT */
#include "solve/orbits/orbit_table.h"

#include "explore/explore.h"

#include <string.h>

struct orbit_filling {
    uint8_t *bytes;
    uint64_t length, chunk_bytes;
};

static enum pz_status begin_filling(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    struct orbit_filling *filling = context;
    filling->chunk_bytes = plan->chunk_bytes;
    return plan->table == TABLE_RANKED && plan->table_bytes <= filling->length
               ? PZ_OK
               : pz_fail(error, PZ_INTERNAL, "another table than expected");
}

static enum pz_status take_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                                 struct pz_error *error)
{
    const struct orbit_filling *filling = context;
    const uint64_t at = number * filling->chunk_bytes;
    if (at + length > filling->length)
        return pz_fail(error, PZ_INTERNAL, "a chunk beyond the table");
    memcpy(filling->bytes + at, bytes, length);
    return PZ_OK;
}

enum pz_status
orbit_table_fill(const struct abstraction *abstraction, unsigned threads, struct budget *budget,
                 const struct explore_checkpoint *checkpoint, struct control *control,
                 uint8_t *bytes, /* NOLINT(readability-non-const-parameter) take_chunk fills it */
                 struct pz_error *error)
{
    struct orbit_filling filling = {.bytes = bytes, .length = orbit_table_bytes(abstraction->keys)};
    struct explore_result result;
    const struct explore_request request = {.space = abstraction->space,
                                            .root = abstraction->root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = threads,
                                            .budget = budget,
                                            .engine = ENGINE_RANKED,
                                            .keep = KEEP_TABLE,
                                            .checkpoint = checkpoint};
    const struct explore_sink sink = {.context = &filling, .begin = begin_filling, .chunk = take_chunk};
    enum pz_status status = explore_run(&request, control, &sink, &result, error);
    if (status != PZ_OK || result.outcome == OUTCOME_DONE)
        return status;
    if (result.reason == STOP_TIME)
        return pz_fail(error, PZ_LIMIT, "the time ended while a pattern database was built");
    return pz_fail(error, PZ_TOO_LARGE, "no memory to build a pattern database of %llu states",
                   (unsigned long long)abstraction->keys);
}

/* Goes on to a neighbour of that residue. */
static enum pz_status step_down(const struct orbit_walk *walk, uint32_t values[TWIST_PARTS_MAX],
                                unsigned wanted, orbit_read *read, void *context, struct pz_error *error)
{
    for (unsigned m = 0; m < walk->moves; m++) {
        uint32_t next[TWIST_PARTS_MAX];
        unsigned residue = ORBIT_NONE;
        for (unsigned i = 0; i < walk->parts; i++)
            next[i] = walk->part[i].next[(size_t)m * walk->part[i].count + values[i]];
        const enum pz_status status = read(context, orbit_walk_key(walk, next), &residue, error);
        if (status != PZ_OK)
            return status;
        if (residue == wanted) {
            memcpy(values, next, walk->parts * sizeof *next);
            return PZ_OK;
        }
    }
    return pz_fail(error, PZ_STORAGE, "a pattern database leads to no goal");
}

enum pz_status orbit_table_distance(const struct orbit_walk *walk, const uint32_t values[TWIST_PARTS_MAX],
                                    orbit_read *read, void *context, unsigned *distance,
                                    struct pz_error *error)
{
    uint32_t at[TWIST_PARTS_MAX];
    unsigned residue = ORBIT_NONE;
    memcpy(at, values, walk->parts * sizeof *at);
    enum pz_status status = read(context, orbit_walk_key(walk, at), &residue, error);
    *distance = 0;
    if (status == PZ_OK && residue == ORBIT_NONE)
        *distance = PZ_HOPELESS;
    while (status == PZ_OK && residue != ORBIT_NONE &&
           memcmp(at, walk->goal, walk->parts * sizeof *at) != 0) {
        residue = (residue + 2) % 3;
        status = ++*distance > ORBIT_FARTHEST
                     ? pz_fail(error, PZ_TOO_LARGE, "a distance of more than %d moves", ORBIT_FARTHEST)
                     : step_down(walk, at, residue, read, context, error);
    }
    return status;
}

enum pz_status orbit_table_bound(const struct orbit_walk *walk, const void *state, orbit_read *read,
                                 void *context, unsigned *bound, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    *bound = 0;
    for (unsigned q = 0; q < walk->questions && status == PZ_OK; q++) {
        uint32_t values[TWIST_PARTS_MAX];
        unsigned distance = PZ_HOPELESS;
        if (orbit_walk_begin(walk, q, state, values))
            status = orbit_table_distance(walk, values, read, context, &distance, error);
        *bound = distance > *bound ? distance : *bound;
    }
    return status;
}
