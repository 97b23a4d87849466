/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/coded_cost.h"

#include "explore/dense/group/grouped.h"
#include "explore/dense/level/dense_level.h"
#include "explore/dense/level/dense_orbits.h"
#include "explore/dense/table/dense_table.h"
#include "explore/exchange/mailbox.h"

#include <assert.h>

enum { SPARE_BYTES = 1 << 30 /* of spare files, at most */ };

bool coded_fits(const struct dense_geometry *geometry)
{
    const unsigned digits = group_digits(geometry);
    return group_digits_fit(geometry, digits) &&
           (!geometry->multi || (orbits_fit(geometry) && digits <= geometry->width));
}

struct pieces_size coded_pieces_size(const struct grouping *grouping)
{
    const struct dense_geometry *geometry = grouping->geometry;
    uint32_t block = plan_block_classes(geometry);
    uint64_t range = geometry->span[geometry->tiles - 9];
    uint64_t classes = geometry->span[grouping->digits];
    uint64_t chunk = classes < range ? classes : range;
    assert(classes % chunk == 0 && chunk % block == 0 && geometry->classes % classes == 0);
    return (struct pieces_size){.groups = (uint32_t)(geometry->classes / classes),
                                .chunks = (uint32_t)(classes / chunk),
                                .chunk_bytes = (uint32_t)(chunk + chunk / block),
                                .any_bytes = (uint32_t)(chunk / block),
                                .classes = (uint32_t)chunk};
}

struct cost_growth {
    double widest; /* states in the last level */
    double all;    /* and in all */
};

/* Returns an upper bound of the states up to a level. All published counts of up to 16 cells keep it: level
 * d + 1 is at most 2.14 - 0.012 d times as wide as level d, or 1.8 - 0.004 d times in lines of two. It begins
 * at 1.3 states if the blank is in a corner, else at 2.5, since the first levels grow faster. */
static struct cost_growth states_within(const struct dense_geometry *geometry, uint32_t depth)
{
    const struct grid *grid = &geometry->grid;
    unsigned cell = geometry->cell_of[geometry->root_place];
    unsigned row = cell / grid->columns;
    unsigned column = cell % grid->columns;
    bool corner = (row == 0 || row + 1 == grid->rows) && (column == 0 || column + 1 == grid->columns);
    double all = (double)geometry->classes * geometry->places;
    struct cost_growth growth = {.widest = corner ? 1.3 : 2.5, .all = corner ? 1.3 : 2.5};
    for (uint32_t level = 0; level < depth && growth.all < all; level++) {
        double most = geometry->width == 2 ? 1.8 - 0.004 * level : 2.14 - 0.012 * level;
        growth.widest *= most > 1 ? most : 1;
        growth.all += growth.widest;
    }
    if (growth.all > all || geometry->multi) /* levels of which grow faster */
        growth = (struct cost_growth){.widest = all, .all = all};
    return growth;
}

/* Returns the most bytes that sparse strings take in an arena: a byte and its mask for each state, a bit for
 * each 64 bytes of a string, and half a block that is not filled. */
static double sparse_bytes(double states, double strings, double string_bytes, double block)
{
    return states * 9 + (states < strings ? states : strings) * (string_bytes / 512 + block / 2);
}

/* Returns the most bytes of packets. The last level sends none. */
static uint64_t packets_most(const struct grouping *grouping, uint32_t depth)
{
    const struct dense_geometry *geometry = grouping->geometry;
    double plane = (double)geometry->classes / 8 * 0.7;
    double sent = states_within(geometry, depth > 0 ? depth - 1 : 0).widest / geometry->places * 2;
    double bytes = 0;
    for (unsigned i = 0; i < grouping->crossings; i++) {
        const struct group_crossing *crossing = &grouping->crossing[i];
        double packets = (double)grouping->groups * crossing->packing[0].packets;
        double sparse = sparse_bytes(sent, packets, GROUP_PACKET_BYTES, CODED_PACKET_BLOCK);
        bytes += sparse < plane ? sparse : plane;
    }
    return (uint64_t)(geometry->multi ? 2 * bytes : bytes); /* by orbits both ways */
}

/* Returns the most bytes of pieces. Measured, with values of 8 bits: 0.86 of a plane in 2x7, whose widest
 * level holds a thirteenth of the bits, and 1.3 in 3x4, where it is a seventh; by orbits 2.0 in 2x6 and 1.9
 * in 3x4. With a depth limit only the last levels matter. */
static uint64_t pieces_most(const struct grouping *grouping, uint32_t depth)
{
    const struct dense_geometry *geometry = grouping->geometry;
    double range = (double)geometry->span[geometry->tiles - 9];
    double pieces = (double)geometry->classes / 10 * (geometry->multi ? 22 : geometry->width == 2 ? 9 : 14);
    double narrow = 2 * sparse_bytes(states_within(geometry, depth).widest, (double)geometry->classes / range,
                                     range, CODED_CHUNK_BLOCK);
    return (uint64_t)(narrow < pieces ? narrow : pieces);
}

/* Returns the most bytes in the arena. */
uint64_t coded_arena_most(const struct grouping *grouping, enum explore_planes planes, uint32_t depth)
{
    return packets_most(grouping, depth) + (planes == PLANES_CODED ? pieces_most(grouping, depth) : 0);
}

/* Returns the bytes that a search takes without those in the arena. */
uint64_t coded_own_bytes(const struct grouping *grouping, enum explore_planes planes,
                         const struct explore_request *request)
{
    const struct dense_geometry *geometry = grouping->geometry;
    struct pieces_size size = coded_pieces_size(grouping);
    const bool table = request->keep == KEEP_TABLE;
    return grouping_bytes(geometry, grouping->digits) + grouped_bytes(geometry, grouping, request->threads) +
           (table ? 2 * grouping->classes + DENSE_CHUNK_BYTES : 0) +
           (request->exchange != NULL ? mailbox_bytes(request->exchange, EXCHANGE_MESSAGE) : 0) +
           (planes == PLANES_DISK ? pieces_disk_bytes(&size, CODED_PIECES_AHEAD, CODED_PIECES_BEHIND, table)
                                  : pieces_memory_bytes(&size));
}

static unsigned ranks_of(const struct explore_request *request)
{
    return request->exchange != NULL ? request->exchange->ranks : 1;
}

uint64_t coded_bytes(const struct dense_geometry *geometry, enum explore_planes planes,
                     const struct explore_request *request)
{
    struct grouping grouping;
    if (grouping_init(geometry, group_digits(geometry), &grouping, NULL) != PZ_OK)
        return UINT64_MAX;
    uint64_t bytes = coded_own_bytes(&grouping, planes, request) + CODED_ARENA_STEP +
                     coded_arena_most(&grouping, planes, request->depth) / ranks_of(request);
    grouping_clear(&grouping);
    return bytes;
}

uint64_t coded_disk_packets(const struct dense_geometry *geometry, const struct explore_request *request)
{
    struct grouping grouping;
    if (grouping_init(geometry, group_digits(geometry), &grouping, NULL) != PZ_OK)
        return UINT64_MAX;
    uint64_t bytes = CODED_ARENA_STEP + packets_most(&grouping, request->depth) / ranks_of(request);
    grouping_clear(&grouping);
    return bytes;
}

/* Returns the bytes written for each state. Measured in whole puzzles: 0.62 in 2x6, 0.61 in 2x7, 0.55 in 3x4
 * and 0.54 in 3x5; with values of 8 bits, which 2x8 and 4x4 have, 0.68 in 2x7 and 0.57 in 3x5. Narrow levels
 * take more, about as the cube root of the classes for each state of the last one: 3.0 in 4x4 to depth 30,
 * and 8.8 in the first 23 levels of 3x5. By orbits 0.48 in 2x6, 0.39 in 3x4 and 0.34 in 3x5. */
static double written_bytes(const struct dense_geometry *geometry, double widest)
{
    double least = geometry->width == 2 ? 0.68 : 0.58;
    if (geometry->multi)
        least = geometry->width == 2 ? 0.5 : 0.42;
    double bytes = 0.3;
    while (widest < (double)geometry->classes) {
        widest *= 1.331;
        bytes *= 1.1;
    }
    return bytes > least ? bytes : least;
}

/* Measured peaks on the disk, in planes: 1.09 in 2x6, 0.96 in 2x7, 1.53 in 3x4 and 1.00 in 3x5, up to four
 * spare files included; with values of 8 bits, which 2x8 and 4x4 have, 0.97 in 2x7 and 1.05 in 3x5. By
 * orbits 2.02 in 2x6, 1.85 in 3x4 and 1.36 in 3x5; boundary data on a disk that punches no holes is not in
 * it. Each piece is read twice at most. */
void coded_disk_scratch(const struct dense_geometry *geometry, const struct explore_request *request,
                        struct explore_cost *cost)
{
    bool narrow = geometry->width == 2;
    struct cost_growth growth = states_within(geometry, request->depth);
    uint64_t spares = geometry->classes / 100 * (narrow ? 48 : 56);
    cost->disk = geometry->classes / 100 *
                     (geometry->multi ? narrow ? 155 : 140
                      : narrow        ? 72
                                      : 108) +
                 (spares < SPARE_BYTES ? spares : SPARE_BYTES);
    cost->written = (uint64_t)(growth.all * written_bytes(geometry, growth.widest));
    cost->disk = cost->written < cost->disk ? cost->written : cost->disk;
    cost->read = 2 * cost->written;
    if (request->keep == KEEP_TABLE) { /* every other level stays, and is read once more */
        cost->disk += cost->written / 2;
        cost->read += cost->written / 2;
    }
}
