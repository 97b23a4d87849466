/* SPDX-License-Identifier: MIT */
#include "explore/dense/index/plan.h"

#include <stdlib.h>
#include <string.h>

static unsigned unit_digit(const struct dense_geometry *geometry)
{
    return geometry->tiles > 5 ? geometry->tiles - 5u : 0;
}

/* Returns the first digit of a block. Paths of width 3 have edges that change five digits at once; with 8
 * digits in the block no edge that reaches into the unit leaves the block. */
static unsigned block_digit(const struct dense_geometry *geometry)
{
    unsigned digits = geometry->width == 3 ? 8 : 7;
    return geometry->tiles > digits ? geometry->tiles - digits : 0;
}

uint32_t plan_block_classes(const struct dense_geometry *geometry)
{
    return (uint32_t)geometry->span[block_digit(geometry)];
}

/* Returns the classes in a unit of a geometry. */
static uint32_t plan_unit_classes(const struct dense_geometry *geometry)
{
    return (uint32_t)geometry->span[unit_digit(geometry)];
}

/* One edge of 4x4 has 32 million runs. They are long, so computing each costs little. */
enum { RUNS_LISTED_MAX = 1 << 21 };

/* 9!/2: on paths of width 2 the run edge with the shortest runs permutes classes within such ranges. */
enum { RANGE_CLASSES = 181440 };

/* From this many classes on, bytes come from memory, and must be asked for about 2,500 classes of work
 * ahead. */
enum { CLASSES_CACHED = 1 << 27, CLASSES_AHEAD = 2520 };

enum edge_kind { EDGE_UNIT, EDGE_SPLIT, EDGE_RUN };

static enum edge_kind edge_kind(const struct dense_geometry *geometry, const struct dense_edge *edge)
{
    if (edge->low >= unit_digit(geometry))
        return EDGE_UNIT;
    if (edge->high > unit_digit(geometry) && edge->low >= block_digit(geometry))
        return EDGE_SPLIT;
    return EDGE_RUN;
}

static struct plan_bits edge_bits(const struct dense_geometry *geometry, const struct dense_edge *edge,
                                  bool upward)
{
    const uint8_t column = (uint8_t)dense_column(geometry, edge->low);
    const uint8_t width = geometry->width;
    if (geometry->orbits && edge->low >= width)
        return (struct plan_bits){column, column};
    if (geometry->orbits)
        return upward ? (struct plan_bits){width, column}
                      : (struct plan_bits){column, (uint8_t)(width + column)};
    uint8_t low = edge->low >> 1;
    uint8_t high = edge->high >> 1;
    return upward ? (struct plan_bits){low, high} : (struct plan_bits){high, low};
}

static void list_lanes(const uint8_t lane[64], uint32_t unit, uint64_t lanes[16][16])
{
    for (uint32_t target = 0; target < unit; target++)
        for (unsigned bits = 0; bits < 16; bits++)
            if ((bits >> lane[target] % 4 & 1u) != 0)
                lanes[lane[target] / 4][bits] |= (uint64_t)1 << target;
}

static void compile_unit_edge(const struct plan *plan, const struct dense_edge *edge, bool upward,
                              struct plan_unit_edge *out)
{
    const struct dense_geometry *geometry = plan->geometry;
    out->bits = edge_bits(geometry, edge, upward);
    memset(out->lane, PLAN_NO_LANE, sizeof out->lane);
    for (unsigned parity = 0; parity < 2; parity++) {
        for (uint32_t lane = 0; lane < plan->unit; lane++)
            out->lane[parity][lane] =
                (uint8_t)dense_source_offset(geometry, edge, upward, parity, unit_digit(geometry), lane);
        list_lanes(out->lane[parity], plan->unit, out->lanes[parity]);
    }
}

/* ---- split edges as 64-byte shuffles, for kernels that have such instructions ---- */

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

static enum pz_status shuffle_compile(struct plan_split_edge *edge, uint32_t unit, struct pz_error *error)
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

static enum pz_status compile_split_edge(const struct plan *plan, const struct dense_edge *edge, bool upward,
                                         struct plan_split_edge *out, struct pz_error *error)
{
    const struct dense_geometry *geometry = plan->geometry;
    out->bits = edge_bits(geometry, edge, upward);
    out->run = (uint32_t)geometry->span[edge->high];
    out->cycle = (uint32_t)geometry->span[edge->low];
    for (unsigned parity = 0; parity < 2; parity++) {
        uint32_t runs = out->cycle / out->run;
        out->source[parity] = malloc(runs * sizeof *out->source[parity]);
        if (out->source[parity] == NULL)
            return pz_fail(error, PZ_MEMORY, "no memory for %u run offsets", runs);
        for (uint32_t run = 0; run < runs; run++)
            out->source[parity][run] = (uint16_t)dense_source_offset(geometry, edge, upward, parity,
                                                                     edge->low, (uint64_t)run * out->run);
    }
    return shuffle_compile(out, plan->unit, error);
}

static uint32_t place_of_source(const struct plan *plan, const struct plan_run_edge *edge, uint64_t source)
{
    uint64_t block = source / plan->block;
    return (uint32_t)(edge->run_blocks > 0 ? block : block << 8 | source % plan->block / edge->run);
}

uint32_t plan_compute_slot(const struct plan *plan, const struct plan_run_edge *edge, uint64_t number)
{
    return place_of_source(plan, edge,
                           dense_source_offset(plan->geometry, &edge->edge, edge->upward, 0, edge->edge.low,
                                               number * edge->run));
}

/* Lists all slots in order. The digits that the edge changes are counted up like an odometer's: a division
 * per digit for each of a hundred thousand runs would slow down small searches. */
static void list_slots(const struct plan *plan, struct plan_run_edge *edge, uint64_t runs)
{
    const struct dense_geometry *geometry = plan->geometry;
    uint8_t digit[DENSE_PLACES_MAX] = {0};
    for (uint64_t run = 0; run < runs; run++) {
        uint8_t source[DENSE_PLACES_MAX];
        memcpy(source, digit, sizeof source);
        dense_unrotate(source, &edge->edge, edge->upward);
        uint64_t offset = 0;
        for (unsigned k = edge->edge.low; k < edge->edge.high; k++)
            offset += source[k] * geometry->span[k + 1];
        edge->slot[run] = place_of_source(plan, edge, offset);
        for (unsigned k = edge->edge.high; k-- > edge->edge.low;) {
            if (++digit[k] < geometry->tiles - k)
                break;
            digit[k] = 0;
        }
    }
}

static enum pz_status compile_run_edge(const struct plan *plan, const struct dense_edge *edge, bool upward,
                                       struct plan_run_edge *out, struct pz_error *error)
{
    const struct dense_geometry *geometry = plan->geometry;
    uint64_t cycle = geometry->span[edge->low];
    *out = (struct plan_run_edge){.bits = edge_bits(geometry, edge, upward),
                                  .edge = *edge,
                                  .upward = upward,
                                  .run = geometry->span[edge->high],
                                  .cycle_blocks = (uint32_t)(cycle / plan->block)};
    out->run_blocks = (uint32_t)(out->run / plan->block);
    out->block_runs = out->run < plan->block ? (uint32_t)(plan->block / out->run) : 1;
    uint64_t runs = cycle / out->run;
    if (runs > RUNS_LISTED_MAX)
        return PZ_OK;
    out->slot = malloc(runs * sizeof *out->slot);
    if (out->slot == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %llu slots", (unsigned long long)runs);
    list_slots(plan, out, runs);
    return PZ_OK;
}

/* Returns true if a transition takes the blank from one place of low < high to the other. A sweep carries on
 * from line to line, both ways, what the sweeps before it brought to the other colour. */
static bool is_live(const struct dense_geometry *geometry, const struct plan_transition *transition,
                    unsigned low, unsigned high, bool upward)
{
    const unsigned line = high / geometry->width;
    const unsigned step = upward ? line : dense_lines(geometry) - line;
    if (geometry->orbits) /* from line 2 on the number is even up to a line, odd down from it */
        return low / geometry->width != line && transition->sweep == (line == 1 ? 1 : 2 * line - 2 + !upward);
    if ((upward ? high : low) % 2 != transition->colour)
        return false;
    return transition->sweep == 0 ||
           (low / geometry->width != line && (transition->sweep == step || transition->sweep == step + 1));
}

/* Moves along the path, from one place to the next and back. That from line 0 to line 1 is no part of orbits'
 * transitions: it does not keep its bit. */
static void compile_path(const struct dense_geometry *geometry, struct plan_transition *transition)
{
    for (unsigned low = geometry->orbits ? geometry->width : 0; low + 1 < geometry->places; low++)
        for (unsigned upward = 0; upward < 2; upward++) {
            const unsigned bit = geometry->orbits ? dense_column(geometry, low) : (low + upward) >> 1;
            if (is_live(geometry, transition, low, low + 1, upward != 0))
                *(geometry->orbits || low % 2 == 0 ? &transition->same : &transition->beside) |=
                    (uint8_t)(1u << bit);
        }
}

static void compile_lines(struct plan *plan)
{
    const unsigned width = plan->geometry->width;
    for (unsigned from = 0; from < plan->geometry->places; from++)
        for (unsigned to = from / width * width; to < (from / width + 1) * width; to++) {
            struct plan_lines *lines = &plan->lines[to % 2];
            const bool own = (from ^ to) % 2 == 0;
            const uint8_t bit = (uint8_t)(1u << (to >> 1));
            if (to >> 1 > from >> 1)
                *(own ? &lines->own_up : &lines->up) |= bit;
            else if (to >> 1 < from >> 1)
                *(own ? &lines->own_down : &lines->down) |= bit;
            else if (!own)
                lines->same |= bit;
        }
}

/* Crossing an edge upwards leads from the colour of its low place to that of its high one. */
static enum pz_status compile_transition(const struct plan *plan, struct plan_transition *transition,
                                         struct pz_error *error)
{
    const struct dense_geometry *geometry = plan->geometry;
    compile_path(geometry, transition);
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < 2u * geometry->edge_count && status == PZ_OK; i++) {
        const struct dense_edge *edge = &geometry->edge[i / 2];
        const bool upward = i % 2 != 0;
        if (!is_live(geometry, transition, edge->low, edge->high, upward))
            continue;
        switch (edge_kind(geometry, edge)) {
        case EDGE_UNIT:
            compile_unit_edge(plan, edge, upward, &transition->unit_edge[transition->unit_edges++]);
            break;
        case EDGE_SPLIT:
            status = compile_split_edge(plan, edge, upward,
                                        &transition->split_edge[transition->split_edges++], error);
            break;
        case EDGE_RUN:
            status =
                compile_run_edge(plan, edge, upward, &transition->run_edge[transition->run_edges++], error);
            break;
        }
    }
    return status;
}

static void measure_plan(struct plan *plan)
{
    const struct dense_geometry *geometry = plan->geometry;
    plan->sweeps = geometry->multi ? dense_lines(geometry) + 1 : 1;
    plan->unit = plan_unit_classes(geometry);
    plan->block = plan_block_classes(geometry);
    plan->blocks = (uint32_t)(geometry->classes / plan->block);
    plan->range_blocks = RANGE_CLASSES / plan->block;
    plan->ranges = (plan->blocks + plan->range_blocks - 1) / plan->range_blocks;
    plan->prefix_digits = block_digit(geometry);
    plan->segment = plan->block < PLAN_SEGMENT ? plan->block : PLAN_SEGMENT;
    /* The prefix digits of block 0 are zeros, so that only the digits inside the block count. */
    for (uint32_t unit = 0; unit < plan->block / plan->unit; unit++)
        plan->unit_parity[unit] =
            (uint8_t)dense_prefix_parity(geometry, (uint64_t)unit * plan->unit, unit_digit(geometry));
    for (unsigned i = 0; i < geometry->edge_count; i++)
        if (edge_kind(geometry, &geometry->edge[i]) == EDGE_RUN &&
            geometry->span[geometry->edge[i].high] < PLAN_SEGMENT)
            plan->segment = plan->unit;
    plan->segments = plan->block / plan->segment;
    plan->ahead = geometry->classes > CLASSES_CACHED ? CLASSES_AHEAD / plan->segment : 0;
}

enum pz_status plan_new(const struct dense_geometry *geometry, struct plan **out, struct pz_error *error)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the plan of moves");
    plan->geometry = geometry;
    measure_plan(plan);
    compile_lines(plan);
    const unsigned transitions = geometry->orbits  ? 2 * dense_lines(geometry) - 3
                                 : geometry->multi ? plan->sweeps
                                                   : 2;
    assert(transitions <= PLAN_SWEEPS_MAX);
    for (unsigned i = 0; i < transitions; i++) {
        struct plan_transition *transition = &plan->transition[i];
        transition->sweep = geometry->multi ? i + 1 : 0;
        transition->colour = geometry->orbits ? 1 : geometry->multi ? (i + 1) % 2 : i;
        enum pz_status status = compile_transition(plan, transition, error);
        if (status != PZ_OK) {
            plan_free(plan);
            return status;
        }
    }
    *out = plan;
    return PZ_OK;
}

static void free_transition(struct plan_transition *transition)
{
    for (unsigned i = 0; i < DENSE_EDGES_MAX; i++) {
        struct plan_split_edge *split = &transition->split_edge[i];
        for (unsigned parity = 0; parity < 2; parity++) {
            free(split->source[parity]);
            free(split->units[parity]);
        }
        free(split->shuffles);
        free(transition->run_edge[i].slot);
    }
}

void plan_free(struct plan *plan)
{
    if (plan == NULL)
        return;
    for (unsigned i = 0; i < PLAN_SWEEPS_MAX; i++)
        free_transition(&plan->transition[i]);
    free(plan);
}

uint64_t plan_bytes(const struct dense_geometry *geometry)
{
    uint64_t bytes = sizeof(struct plan);
    for (unsigned i = 0; i < geometry->edge_count; i++) {
        const struct dense_edge *edge = &geometry->edge[i];
        uint64_t runs = geometry->span[edge->low] / geometry->span[edge->high];
        if (edge_kind(geometry, edge) == EDGE_RUN && runs <= RUNS_LISTED_MAX)
            bytes += 2 * runs * sizeof(uint32_t);
        if (edge_kind(geometry, edge) == EDGE_SPLIT)
            bytes += 4 * runs * sizeof(uint16_t) + geometry->span[edge->low] * 16;
    }
    return bytes;
}
