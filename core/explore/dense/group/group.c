/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_TILES = 11 /* those that vary in a group */, PACKET_TILES = 10, BLOCK_TILES = 8 };

unsigned group_digits(const struct dense_geometry *geometry)
{
    return geometry->tiles > GROUP_TILES ? geometry->tiles - GROUP_TILES : 1;
}

/* The digits that all classes of a run agree on. */
static unsigned run_digits(const struct dense_geometry *geometry, unsigned digits, unsigned high)
{
    unsigned most = high > digits ? high : digits;
    unsigned packet = geometry->tiles > PACKET_TILES ? geometry->tiles - PACKET_TILES : 0;
    return most > packet ? most : packet;
}

bool group_digits_fit(const struct dense_geometry *geometry, unsigned digits)
{
    unsigned crossings = 0;
    if (geometry->tiles < BLOCK_TILES + digits)
        return false;
    for (unsigned i = 0; i < geometry->edge_count; i++) {
        if (geometry->edge[i].low >= digits)
            continue;
        if (geometry->span[run_digits(geometry, digits, geometry->edge[i].high)] % 8 != 0)
            return false;
        crossings++;
    }
    return crossings <= GROUP_CROSSINGS_MAX;
}

struct group_run group_source(const struct grouping *grouping, const struct group_crossing *crossing,
                              bool upward, struct group_run target)
{
    const struct dense_geometry *geometry = grouping->geometry;
    uint64_t number = target.group * grouping->classes + target.run * crossing->run;
    uint64_t span = geometry->span[crossing->edge.low];
    uint64_t offset = number % span;
    number += dense_source_offset(geometry, &crossing->edge, upward, 0, crossing->edge.low, offset) - offset;
    return (struct group_run){.group = (uint32_t)(number / grouping->classes),
                              .run = (uint32_t)(number % grouping->classes / crossing->run)};
}

uint32_t group_target(const struct grouping *grouping, const struct group_crossing *crossing, bool upward,
                      uint32_t group, uint32_t packet)
{
    uint32_t run = 0;
    assert(packet < crossing->packing[upward].packets);
    while (crossing->packing[upward].packet[run] != packet)
        run++;
    assert(run < crossing->runs);
    return group_source(grouping, crossing, !upward, (struct group_run){group, run}).group;
}

struct open_packet {
    uint32_t target; /* group */
    uint32_t packet;
    uint32_t runs;
};

/* Returns the packet for a run to this target: the last one if it has room, else a new one. */
static struct open_packet *find_packet(struct open_packet *open, uint32_t *targets, uint32_t target,
                                       uint32_t most_runs, uint32_t *packets)
{
    uint32_t i = 0;
    while (i < *targets && open[i].target != target)
        i++;
    if (i == *targets)
        open[(*targets)++] = (struct open_packet){.target = target, .packet = (*packets)++};
    else if (open[i].runs == most_runs)
        open[i] = (struct open_packet){.target = target, .packet = (*packets)++};
    return &open[i];
}

/* Deals the runs of a crossing to packets by the group at the other end, which is found by crossing back. */
static enum pz_status pack_runs(const struct grouping *grouping, const struct group_crossing *crossing,
                                bool upward, struct group_packing *packing, struct pz_error *error)
{
    struct open_packet open[DENSE_PLACES_MAX * DENSE_PLACES_MAX];
    uint32_t targets = 0;
    uint32_t most_runs = (uint32_t)(GROUP_PACKET_BYTES * UINT64_C(8) / crossing->run);
    packing->packet = malloc(crossing->runs * sizeof *packing->packet);
    packing->at = malloc(crossing->runs * sizeof *packing->at);
    if (packing->packet == NULL || packing->at == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the boundary of groups");
    for (uint32_t run = 0; run < crossing->runs; run++) {
        uint32_t target = group_source(grouping, crossing, !upward, (struct group_run){0, run}).group;
        struct open_packet *found = find_packet(open, &targets, target, most_runs, &packing->packets);
        packing->packet[run] = found->packet;
        packing->at[run] = found->runs++;
    }
    return PZ_OK;
}

enum pz_status grouping_init(const struct dense_geometry *geometry, unsigned digits,
                             struct grouping *grouping, struct pz_error *error)
{
    memset(grouping, 0, sizeof *grouping);
    grouping->geometry = geometry;
    grouping->digits = digits;
    grouping->classes = geometry->span[digits];
    grouping->groups = (uint32_t)(geometry->classes / grouping->classes);
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < geometry->edge_count && status == PZ_OK; i++) {
        const struct dense_edge *edge = &geometry->edge[i];
        if (edge->low >= digits)
            continue;
        struct group_crossing *crossing = &grouping->crossing[grouping->crossings++];
        crossing->edge = *edge;
        crossing->run = geometry->span[run_digits(geometry, digits, edge->high)];
        crossing->runs = (uint32_t)(grouping->classes / crossing->run);
        for (unsigned upward = 0; upward < 2 && status == PZ_OK; upward++)
            status = pack_runs(grouping, crossing, upward != 0, &crossing->packing[upward], error);
    }
    if (status != PZ_OK)
        grouping_clear(grouping);
    return status;
}

void grouping_clear(struct grouping *grouping)
{
    for (unsigned i = 0; i < grouping->crossings; i++) {
        for (unsigned upward = 0; upward < 2; upward++) {
            free(grouping->crossing[i].packing[upward].packet);
            free(grouping->crossing[i].packing[upward].at);
        }
    }
    memset(grouping, 0, sizeof *grouping);
}

uint64_t grouping_bytes(const struct dense_geometry *geometry, unsigned digits)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < geometry->edge_count; i++) {
        const struct dense_edge *edge = &geometry->edge[i];
        if (edge->low < digits)
            bytes += 4 * sizeof(uint32_t) * geometry->span[digits] /
                     geometry->span[run_digits(geometry, digits, edge->high)];
    }
    return bytes;
}
