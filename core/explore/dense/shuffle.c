/* SPDX-License-Identifier: MIT */
#include "explore/dense/shuffle.h"

#include <stdlib.h>
#include <string.h>

/* What one target unit is made of, before it is stored. */
struct recipe {
    uint8_t lane[64];
    uint32_t offset[PLAN_SOURCES_MAX];
    uint64_t lanes[PLAN_SOURCES_MAX];
    unsigned count;
};

static void take_lane(struct recipe *recipe, uint32_t unit, unsigned lane, uint32_t source)
{
    uint32_t base = source / unit * unit;
    unsigned i = 0;
    while (i < recipe->count && recipe->offset[i] != base)
        i++;
    if (i == recipe->count) {
        recipe->offset[i] = base;
        recipe->lanes[i] = 0;
        recipe->count++;
    }
    recipe->lanes[i] |= (uint64_t)1 << lane;
    recipe->lane[lane] = (uint8_t)(source - base);
}

static void find_recipe(const struct plan_split_edge *edge, uint32_t unit, unsigned parity, uint32_t number,
                        struct recipe *recipe)
{
    memset(recipe, 0, sizeof *recipe);
    for (unsigned lane = 0; lane < unit; lane++) {
        uint32_t target = number * unit + lane;
        uint32_t source = edge->source[parity][target / edge->run] + target % edge->run;
        take_lane(recipe, unit, lane, source);
    }
}

/* Few lane indices are different: a linear search through them is short. */
static uint16_t lanes_number(struct plan_split_edge *edge, const uint8_t lane[64])
{
    for (uint32_t i = 0; i < edge->lane_count; i++)
        if (memcmp(edge->lanes[i], lane, 64) == 0)
            return (uint16_t)i;
    memcpy(edge->lanes[edge->lane_count], lane, 64);
    return (uint16_t)edge->lane_count++;
}

static void store_recipe(struct plan_split_edge *edge, const struct recipe *recipe,
                         struct plan_split_unit *unit)
{
    unit->first = edge->source_count;
    unit->count = (uint16_t)recipe->count;
    unit->index = lanes_number(edge, recipe->lane);
    for (unsigned i = 0; i < recipe->count; i++)
        edge->sources[edge->source_count++] =
            (struct plan_split_source){.lanes = recipe->lanes[i], .offset = recipe->offset[i]};
}

enum pz_status shuffle_compile(struct plan_split_edge *edge, uint32_t unit, struct pz_error *error)
{
    size_t units = edge->cycle / unit;
    edge->sources = calloc(2 * units * PLAN_SOURCES_MAX, sizeof *edge->sources);
    edge->lanes = aligned_alloc(64, 2 * units * sizeof *edge->lanes);
    edge->units[0] = calloc(units, sizeof *edge->units[0]);
    edge->units[1] = calloc(units, sizeof *edge->units[1]);
    if (edge->sources == NULL || edge->lanes == NULL || edge->units[0] == NULL || edge->units[1] == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the shuffles of %zu units", units);
    for (unsigned parity = 0; parity < 2; parity++) {
        for (uint32_t number = 0; number < units; number++) {
            struct recipe recipe;
            find_recipe(edge, unit, parity, number, &recipe);
            store_recipe(edge, &recipe, &edge->units[parity][number]);
        }
    }
    return PZ_OK;
}
