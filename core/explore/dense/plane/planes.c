/* SPDX-License-Identifier: MIT */
#include "explore/dense/plane/planes.h"

#include "base/budget.h"

#include <assert.h>
#include <stdlib.h>

static size_t padded(uint64_t classes)
{
    return (size_t)(classes + PLANES_PAD + 63) / 64 * 64;
}

uint64_t planes_bytes(const struct dense_geometry *geometry, bool marked)
{
    uint64_t blocks = geometry->classes / plan_block_classes(geometry);
    uint64_t planes = (marked ? 4u : 2u) << geometry->multi;
    uint64_t counts = sizeof(uint32_t) << geometry->multi;
    return planes * padded(geometry->classes) + 2 * blocks * (2 + counts) + PLAN_BLOCK_MAX;
}

/* Allocates the arrays that describe each block. */
static bool make_flags(struct planes *planes, bool multi)
{
    planes->zeros = calloc(1, PLAN_BLOCK_MAX + PLANES_PAD);
    bool whole = planes->zeros != NULL;
    for (unsigned colour = 0; colour < 2; colour++) {
        planes->busy[colour] = calloc(planes->ranges, sizeof *planes->busy[colour]);
        planes->present[colour] = calloc(planes->blocks, sizeof *planes->present[colour]);
        planes->count[colour] = calloc(planes->blocks, sizeof *planes->count[colour]);
        whole = whole && planes->busy[colour] != NULL && planes->present[colour] != NULL &&
                planes->count[colour] != NULL;
        planes->older[colour] = multi ? calloc(planes->blocks, sizeof *planes->older[colour]) : NULL;
        whole = whole && (!multi || planes->older[colour] != NULL);
    }
    return whole;
}

static enum pz_status refused(struct planes *planes, struct pz_error *error)
{
    size_t bytes = planes->plane_bytes;
    planes_free(planes);
    return pz_fail(error, PZ_MEMORY, "the system refused memory for planes of %zu bytes each", bytes);
}

static bool map_planes(const struct planes *planes, uint8_t *bytes[2], enum memory_pages pages)
{
    for (unsigned colour = 0; colour < 2; colour++)
        bytes[colour] = memory_map(planes->plane_bytes, pages);
    return bytes[0] != NULL && bytes[1] != NULL;
}

static void unmap_planes(const struct planes *planes, uint8_t *bytes[2])
{
    for (unsigned colour = 0; colour < 2; colour++) {
        memory_unmap(bytes[colour], planes->plane_bytes);
        bytes[colour] = NULL;
    }
}

enum pz_status planes_new(const struct plan *plan, bool marked, bool huge, struct planes **out,
                          struct pz_error *error)
{
    struct planes *planes = calloc(1, sizeof *planes);
    if (planes == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for planes");
    enum memory_pages pages = huge ? MEMORY_HUGE_PAGES : MEMORY_SMALL_PAGES;
    planes->block = plan->block;
    planes->blocks = plan->blocks;
    planes->range_blocks = plan->range_blocks;
    planes->ranges = plan->ranges;
    planes->plane_bytes = padded(plan->geometry->classes);
    const bool multi = plan->geometry->multi;
    bool whole = make_flags(planes, multi) && map_planes(planes, planes->bytes, pages);
    whole = whole && (!multi || map_planes(planes, planes->before, pages));
    whole = whole && (!marked || map_planes(planes, planes->mark, pages));
    whole = whole && (!marked || !multi || map_planes(planes, planes->mark0, pages));
    if (!whole)
        return refused(planes, error);
    *out = planes;
    return PZ_OK;
}

enum pz_status planes_new_group(const struct plan *plan, unsigned group_digits, struct planes **out,
                                struct pz_error *error)
{
    struct planes *planes = calloc(1, sizeof *planes);
    if (planes == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for planes");
    uint64_t classes = plan->geometry->span[group_digits];
    assert(classes % plan->block == 0);
    planes->block = plan->block;
    planes->blocks = (uint32_t)(classes / plan->block);
    planes->range_blocks = plan->range_blocks;
    planes->ranges = (planes->blocks + plan->range_blocks - 1) / plan->range_blocks;
    planes->group_digits = group_digits;
    planes->plane_bytes = padded(classes);
    planes->plane = memory_map(planes->plane_bytes, MEMORY_HUGE_PAGES);
    planes->reach = calloc((size_t)DENSE_EDGES_MAX * planes->blocks, sizeof *planes->reach);
    bool whole = make_flags(planes, false);
    if (!whole || planes->plane == NULL || planes->reach == NULL)
        return refused(planes, error);
    *out = planes;
    return PZ_OK;
}

void planes_drop_search(struct planes *planes)
{
    unmap_planes(planes, planes->bytes);
    unmap_planes(planes, planes->before);
}

void planes_free(struct planes *planes)
{
    if (planes == NULL)
        return;
    if (planes->group_digits == 0)
        planes_drop_search(planes);
    memory_unmap(planes->plane, planes->plane_bytes);
    unmap_planes(planes, planes->mark);
    unmap_planes(planes, planes->mark0);
    for (unsigned colour = 0; colour < 2; colour++) {
        free(planes->busy[colour]);
        free(planes->present[colour]);
        free(planes->count[colour]);
        free(planes->older[colour]);
    }
    free(planes->zeros);
    free(planes->reach);
    free(planes);
}

void planes_put(struct planes *planes, uint64_t number, unsigned place)
{
    unsigned colour = place % 2;
    uint8_t bit = (uint8_t)(1u << (place / 2));
    uint64_t block = number / planes->block;
    assert(block < planes->blocks);
    planes->bytes[colour][number] |= bit;
    if (planes->before[colour] != NULL)
        planes->before[colour][number] |= bit;
    planes->busy[colour][block / planes->range_blocks] = 1;
    planes->present[colour][block] |= bit;
    planes->count[colour][block]++;
}
