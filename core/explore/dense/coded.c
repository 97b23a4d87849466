/* SPDX-License-Identifier: MIT */
#include "explore/dense/coded.h"

#include <stdlib.h>

enum { PIECES_AHEAD = 3, PIECES_BEHIND = 4, ARENA_STEP = 9 << 20 /* what an arena takes at a time */ };

struct coded {
    struct coded_options options;
    struct grouping grouping;
    uint64_t taken; /* from the budget, but for the arena's */
    struct arena *arena;
    struct pieces *pieces;
    struct grouped *grouped;
};

bool coded_fits(const struct dense_geometry *geometry)
{
    return group_digits_fit(geometry, group_digits(geometry));
}

static struct pieces_size size_of(const struct dense_geometry *geometry)
{
    unsigned digits = group_digits(geometry);
    uint32_t block = plan_block_classes(geometry);
    uint64_t range = geometry->span[geometry->tiles - 9];
    uint64_t classes = geometry->span[digits];
    uint64_t chunk = classes < range ? classes : range;
    return (struct pieces_size){.groups = (uint32_t)(geometry->classes / classes),
                                .chunks = (uint32_t)(classes / chunk),
                                .chunk_bytes = (uint32_t)(chunk + chunk / block)};
}

/* Of what is coded: at most 0.86 of a plane lay in pieces of 2x7, whose widest level holds a thirteenth of
 * the bits, and 1.3 in those of 3x4, where it is a seventh. */
static uint64_t coded_most(const struct dense_geometry *geometry, const struct grouping *grouping,
                           enum explore_planes planes)
{
    uint64_t borders = geometry->classes / 8 * grouping->crossings * 7 / 10;
    return ARENA_STEP + borders +
           (planes == PLANES_CODED ? geometry->classes / 10 * (geometry->width == 2 ? 9 : 14) : 0);
}

uint64_t coded_bytes(const struct dense_geometry *geometry, enum explore_planes planes, unsigned threads,
                     bool all)
{
    struct grouping grouping;
    unsigned digits = group_digits(geometry);
    struct pieces_size size = size_of(geometry);
    if (grouping_init(geometry, digits, &grouping, NULL) != PZ_OK)
        return UINT64_MAX;
    uint64_t bytes = grouping_bytes(geometry, digits) + grouped_bytes(geometry, &grouping, threads);
    bytes += planes == PLANES_DISK ? pieces_disk_bytes(&size, PIECES_AHEAD, PIECES_BEHIND)
                                   : pieces_memory_bytes(&size);
    if (all)
        bytes += coded_most(geometry, &grouping, planes);
    grouping_clear(&grouping);
    return bytes;
}

static enum pz_status make_pieces(struct coded *coded, struct pz_error *error)
{
    const struct explore_request *request = coded->options.request;
    struct pieces_size size = grouped_pieces(coded->options.plan, &coded->grouping);
    if (coded->options.planes == PLANES_CODED)
        return pieces_memory_new(&size, coded->arena, &coded->pieces, error);
    const struct pieces_disk disk = {.directory = request->scratch,
                                     .limit = request->disk > 0 ? request->disk : UINT64_MAX,
                                     .ahead = PIECES_AHEAD,
                                     .behind = PIECES_BEHIND};
    return pieces_disk_new(&size, &disk, &coded->pieces, error);
}

static enum pz_status make_parts(struct coded *coded, struct pz_error *error)
{
    const struct coded_options *options = &coded->options;
    const struct dense_geometry *geometry = options->plan->geometry;
    struct budget *budget = options->request->budget;
    uint64_t needs = coded_bytes(geometry, options->planes, options->request->threads, false);
    if (!budget_take(budget, needs))
        return pz_fail(error, PZ_TOO_LARGE, "planes in groups need %llu bytes of memory at least",
                       (unsigned long long)needs);
    coded->taken = needs;
    enum pz_status status = grouping_init(geometry, group_digits(geometry), &coded->grouping, error);
    if (status == PZ_OK)
        status = arena_new(budget, budget_free(budget), &coded->arena, error);
    if (status == PZ_OK)
        status = make_pieces(coded, error);
    const struct grouped_parts parts = {.plan = options->plan,
                                        .grouping = &coded->grouping,
                                        .kernel = options->kernel,
                                        .team = options->team,
                                        .control = options->control,
                                        .arena = coded->arena,
                                        .pieces = coded->pieces};
    return status == PZ_OK ? grouped_new(&parts, &coded->grouped, error) : status;
}

enum pz_status coded_new(const struct coded_options *options, struct coded **out, struct pz_error *error)
{
    struct coded *coded = calloc(1, sizeof *coded);
    if (coded == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for planes in groups");
    coded->options = *options;
    enum pz_status status = make_parts(coded, error);
    if (status != PZ_OK) {
        coded_free(coded);
        return status;
    }
    *out = coded;
    return PZ_OK;
}

void coded_free(struct coded *coded)
{
    if (coded == NULL)
        return;
    grouped_free(coded->grouped);
    if (coded->pieces != NULL)
        coded->pieces->ops->free(coded->pieces);
    arena_free(coded->arena);
    grouping_clear(&coded->grouping);
    budget_give(coded->options.request->budget, coded->taken);
    free(coded);
}

struct grouped *coded_levels(const struct coded *coded)
{
    return coded->grouped;
}

uint64_t coded_memory(const struct coded *coded)
{
    return coded->taken + arena_used(coded->arena);
}

void coded_figures(const struct coded *coded, struct pieces_figures *out)
{
    coded->pieces->ops->figures(coded->pieces, out);
}
