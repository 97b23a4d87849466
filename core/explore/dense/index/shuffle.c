/* SPDX-License-Identifier: MIT */
#include "explore/dense/index/shuffle.h"

#include <stdlib.h>
#include <string.h>

enum { SHUFFLES_MAX = 64 /* found: 6, and 12 on 4x4 */ };

/* The parts of one target unit, before it is stored. */
struct recipe {
    uint8_t lane[64];
    uint32_t offset[PLAN_SPLIT_SOURCES];
    uint64_t lanes[PLAN_SPLIT_SOURCES];
    unsigned count;
};

static bool take_lane(struct recipe *recipe, uint32_t unit, unsigned lane, uint32_t source)
{
    uint32_t base = source / unit * unit;
    unsigned i = 0;
    while (i < recipe->count && recipe->offset[i] != base)
        i++;
    if (i == PLAN_SPLIT_SOURCES)
        return false;
    if (i == recipe->count)
        recipe->offset[recipe->count++] = base;
    recipe->lanes[i] |= (uint64_t)1 << lane;
    recipe->lane[lane] = (uint8_t)(source - base);
    return true;
}

static bool find_recipe(const struct plan_split_edge *edge, uint32_t unit, unsigned parity, uint32_t number,
                        struct recipe *recipe)
{
    memset(recipe, 0, sizeof *recipe);
    for (unsigned lane = 0; lane < unit; lane++) {
        uint32_t target = number * unit + lane;
        uint32_t source = edge->source[parity][target / edge->run] + target % edge->run;
        if (!take_lane(recipe, unit, lane, source))
            return false;
    }
    return true;
}

static bool store_recipe(struct plan_split_edge *edge, const struct recipe *recipe,
                         struct plan_split_unit *unit)
{
    memcpy(unit->lanes, recipe->lanes, sizeof unit->lanes);
    memcpy(unit->offset, recipe->offset, sizeof unit->offset);
    for (unit->index = 0; unit->index < edge->shuffle_count; unit->index++)
        if (memcmp(edge->shuffles[unit->index], recipe->lane, sizeof recipe->lane) == 0)
            return true;
    if (edge->shuffle_count == SHUFFLES_MAX)
        return false;
    memcpy(edge->shuffles[edge->shuffle_count++], recipe->lane, sizeof recipe->lane);
    return true;
}

enum pz_status shuffle_compile(struct plan_split_edge *edge, uint32_t unit, struct pz_error *error)
{
    size_t units = edge->cycle / unit;
    edge->shuffles = aligned_alloc(64, SHUFFLES_MAX * sizeof *edge->shuffles);
    for (unsigned parity = 0; parity < 2; parity++)
        edge->units[parity] = aligned_alloc(64, units * sizeof *edge->units[parity]);
    if (edge->shuffles == NULL || edge->units[0] == NULL || edge->units[1] == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the shuffles of %zu units", units);
    for (unsigned parity = 0; parity < 2; parity++) {
        for (uint32_t number = 0; number < units; number++) {
            struct recipe recipe;
            if (!find_recipe(edge, unit, parity, number, &recipe) ||
                !store_recipe(edge, &recipe, &edge->units[parity][number]))
                return pz_fail(error, PZ_INTERNAL, "a split edge is no five-fold shuffle");
        }
    }
    return PZ_OK;
}
