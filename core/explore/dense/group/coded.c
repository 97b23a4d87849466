/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/coded.h"

#include "base/memory.h"
#include "explore/dense/group/grouped.h"
#include "explore/dense/table/table.h"
#include "explore/exchange/post.h"

#include <stdlib.h>

enum { SPARE_BYTES = 1 << 30 /* of files that are kept to be written over, at most */ };
enum { GROWTH = 12 /* in a level, what is coded grows by less than one part in so many of the most */ };
enum { PIECES_AHEAD = 3, PIECES_BEHIND = 4, ARENA_STEP = 9 << 20 /* what an arena takes at a time */ };
/* Packets of sparse levels take some hundred bytes, chunks of dense ones tens of thousands. */
enum { PACKET_BLOCK = 512, CHUNK_BLOCK = 4096 };

struct coded {
    struct levels base;
    struct grouping grouping;
    struct arena *arena;
    struct spill *spill; /* of planes on disk, else NULL */
    struct pieces *pieces;
    struct grouped *grouped;
    /* While the table is handed over: bit 1 of the distances of one group, by the colour of the places. */
    uint8_t *marks[2];
    uint64_t marked; /* that group; UINT64_MAX for none */
};

static struct coded *of(struct levels *levels)
{
    return (struct coded *)levels;
}

/* ---- levels ---- */

static enum pz_status begin(struct levels *levels, struct pz_error *error)
{
    levels->width = 1;
    return grouped_begin(of(levels)->grouped, error);
}

static enum pz_status next(struct levels *levels, level_tick *tick, void *context, struct pz_error *error)
{
    uint64_t states = 0;
    enum pz_status status = grouped_level(of(levels)->grouped, tick, context, &states, error);
    if (status == PZ_OK) {
        levels->level++;
        levels->width = states;
    }
    return status;
}

static enum pz_status choose(struct levels *levels, uint32_t level, struct examples *examples,
                             struct pz_error *error)
{
    return grouped_examples(of(levels)->grouped, level, examples, error);
}

/* ---- the table ---- */

static bool has_table(const struct explore_request *request)
{
    return request->keep == KEEP_TABLE;
}

static bool is_marked(uint32_t level)
{
    return level % 4 >= 2;
}

static enum pz_status mark_group(struct coded *coded, uint64_t group, struct pz_error *error)
{
    for (unsigned colour = 0; colour < 2 && coded->marks[colour] == NULL; colour++)
        coded->marks[colour] = memory_map(coded->grouping.classes, MEMORY_HUGE_PAGES);
    if (coded->marks[0] == NULL || coded->marks[1] == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the table of a group");
    coded->marked = group;
    return grouped_marks(coded->grouped, (uint32_t)group, coded->marks, error);
}

/* A chunk may lie in two groups, or more. */
static enum pz_status chunk(struct levels *levels, uint64_t number, uint8_t *bytes, size_t *length,
                            struct pz_error *error)
{
    struct coded *coded = of(levels);
    uint64_t first = number * (DENSE_CHUNK_BYTES / 2);
    uint64_t end = first + DENSE_CHUNK_BYTES / 2;
    if (end > levels->options.geometry->classes)
        end = levels->options.geometry->classes;
    enum pz_status status = PZ_OK;
    *length = 2 * (size_t)(end - first);
    while (first < end) {
        uint64_t group = first / coded->grouping.classes;
        uint64_t at = first % coded->grouping.classes;
        uint64_t left = coded->grouping.classes - at;
        uint64_t here = left < end - first ? left : end - first;
        if (coded->marked != group)
            status = mark_group(coded, group, error);
        if (status != PZ_OK)
            return status;
        dense_table_join(coded->marks[0] + at, coded->marks[1] + at, (size_t)here, bytes);
        bytes += 2 * here;
        first += here;
    }
    return PZ_OK;
}

/* ---- checkpoints: the pieces on disk are one, but for the place ---- */

static uint64_t save_bytes(const struct levels *levels, uint64_t states)
{
    (void)levels;
    (void)states;
    return sizeof(struct levels_place);
}

static void save(struct levels *levels, struct checkpointer *checkpointer)
{
    const struct levels_place place = {
        .level = levels->level, .colour = levels_colour(levels, levels->level), .width = levels->width};
    (void)checkpointer_put(checkpointer, &place, sizeof place);
}

static bool load(struct levels *levels, struct checkpointer *checkpointer)
{
    struct coded *coded = of(levels);
    struct levels_place place;
    struct pz_error error = {0};
    if (!checkpointer_get(checkpointer, &place, sizeof place) ||
        place.level != checkpointer_levels(checkpointer))
        return false;
    if (grouped_go_on(coded->grouped, place.level, &error) != PZ_OK) {
        checkpointer_fail(checkpointer, error.text);
        return false;
    }
    uint64_t states = 0;
    for (uint32_t group = 0; group < coded->grouping.groups; group++)
        states += coded->pieces->states[PIECE_NOW][group];
    levels->level = place.level;
    levels->width = place.width;
    return states == place.width;
}

/* ---- what it takes ---- */

static bool coded_fits(const struct dense_geometry *geometry)
{
    return group_digits_fit(geometry, group_digits(geometry));
}

static struct pieces_size size_of(const struct dense_geometry *geometry, unsigned digits)
{
    uint32_t block = plan_block_classes(geometry);
    uint64_t range = geometry->span[geometry->tiles - 9];
    uint64_t classes = geometry->span[digits];
    uint64_t chunk = classes < range ? classes : range;
    return (struct pieces_size){.groups = (uint32_t)(geometry->classes / classes),
                                .chunks = (uint32_t)(classes / chunk),
                                .chunk_bytes = (uint32_t)(chunk + chunk / block),
                                .any_bytes = (uint32_t)(chunk / block),
                                .classes = (uint32_t)chunk};
}

struct growth {
    double widest; /* states in the last level */
    double all;    /* and in all */
};

/* Returns an upper bound of the states up to a level. All published counts of up to 16 cells keep it: level
 * d + 1 is at most 2.14 - 0.012 d times as wide as level d, or 1.8 - 0.004 d times in lines of two. It begins
 * at 1.3 states if the blank is in a corner, else at 2.5, since the first levels grow faster. */
static struct growth states_within(const struct dense_geometry *geometry, uint32_t depth)
{
    const struct grid *grid = &geometry->grid;
    unsigned cell = geometry->cell_of[geometry->root_place];
    unsigned row = cell / grid->columns;
    unsigned column = cell % grid->columns;
    bool corner = (row == 0 || row + 1 == grid->rows) && (column == 0 || column + 1 == grid->columns);
    double all = (double)geometry->classes * geometry->places;
    struct growth growth = {.widest = corner ? 1.3 : 2.5, .all = corner ? 1.3 : 2.5};
    for (uint32_t level = 0; level < depth && growth.all < all; level++) {
        double most = geometry->width == 2 ? 1.8 - 0.004 * level : 2.14 - 0.012 * level;
        growth.widest *= most > 1 ? most : 1;
        growth.all += growth.widest;
    }
    if (growth.all > all)
        growth = (struct growth){.widest = all, .all = all};
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
        double sparse = sparse_bytes(sent, packets, GROUP_PACKET_BYTES, PACKET_BLOCK);
        bytes += sparse < plane ? sparse : plane;
    }
    return (uint64_t)bytes;
}

/* Returns the most bytes of pieces: at most 0.86 of a plane in 2x7, whose widest level holds a thirteenth of
 * the bits, and 1.3 in 3x4, where it is a seventh, both with values of 8 bits. Of a part only the last levels
 * matter. */
static uint64_t pieces_most(const struct grouping *grouping, uint32_t depth)
{
    const struct dense_geometry *geometry = grouping->geometry;
    double range = (double)geometry->span[geometry->tiles - 9];
    double pieces = (double)geometry->classes / 10 * (geometry->width == 2 ? 9 : 14);
    double narrow = 2 * sparse_bytes(states_within(geometry, depth).widest, (double)geometry->classes / range,
                                     range, CHUNK_BLOCK);
    return (uint64_t)(narrow < pieces ? narrow : pieces);
}

/* Returns the most bytes in the arena. */
static uint64_t coded_most(const struct grouping *grouping, enum explore_planes planes, uint32_t depth)
{
    return packets_most(grouping, depth) + (planes == PLANES_CODED ? pieces_most(grouping, depth) : 0);
}

/* Returns the bytes that a search takes without those in the arena. */
static uint64_t own_bytes(const struct grouping *grouping, enum explore_planes planes,
                          const struct explore_request *request)
{
    const struct dense_geometry *geometry = grouping->geometry;
    struct pieces_size size = size_of(geometry, grouping->digits);
    bool table = has_table(request);
    return grouping_bytes(geometry, grouping->digits) + grouped_bytes(geometry, grouping, request->threads) +
           (table ? 2 * grouping->classes + DENSE_CHUNK_BYTES : 0) +
           (request->exchange != NULL ? post_bytes(request->exchange) : 0) +
           (planes == PLANES_DISK ? pieces_disk_bytes(&size, PIECES_AHEAD, PIECES_BEHIND, table)
                                  : pieces_memory_bytes(&size));
}

static unsigned ranks_of(const struct explore_request *request)
{
    return request->exchange != NULL ? request->exchange->ranks : 1;
}

static uint64_t bytes_of(const struct dense_geometry *geometry, enum explore_planes planes,
                         const struct explore_request *request)
{
    struct grouping grouping;
    if (grouping_init(geometry, group_digits(geometry), &grouping, NULL) != PZ_OK)
        return UINT64_MAX;
    uint64_t bytes = own_bytes(&grouping, planes, request) + ARENA_STEP +
                     coded_most(&grouping, planes, request->depth) / ranks_of(request);
    grouping_clear(&grouping);
    return bytes;
}

static uint64_t memory_bytes(const struct dense_geometry *geometry, const struct explore_request *request)
{
    return bytes_of(geometry, PLANES_CODED, request);
}

static uint64_t disk_bytes(const struct dense_geometry *geometry, const struct explore_request *request)
{
    return bytes_of(geometry, PLANES_DISK, request);
}

static uint64_t disk_packets(const struct dense_geometry *geometry, const struct explore_request *request)
{
    struct grouping grouping;
    if (grouping_init(geometry, group_digits(geometry), &grouping, NULL) != PZ_OK)
        return UINT64_MAX;
    uint64_t bytes = ARENA_STEP + packets_most(&grouping, request->depth) / ranks_of(request);
    grouping_clear(&grouping);
    return bytes;
}

/* Returns the bytes written for each state. Measured in whole puzzles: 0.62 in 2x6, 0.61 in 2x7, 0.55 in 3x4
 * and 0.54 in 3x5; with values of 8 bits, which 2x8 and 4x4 have, 0.68 in 2x7 and 0.57 in 3x5. Narrow levels
 * take more, about as the cube root of the classes for each state of the last one: 3.0 in 4x4 to depth 30,
 * and 8.8 in the first 23 levels of 3x5. */
static double written_bytes(const struct dense_geometry *geometry, double widest)
{
    double least = geometry->width == 2 ? 0.68 : 0.58;
    double bytes = 0.3;
    while (widest < (double)geometry->classes) {
        widest *= 1.331;
        bytes *= 1.1;
    }
    return bytes > least ? bytes : least;
}

/* At most on the disk were 1.09 of a plane in 2x6, 0.96 in 2x7, 1.53 in 3x4 and 1.00 in 3x5, of which up to
 * four files are spares; 0.97 in 2x7 and 1.05 in 3x5 with values of 8 bits, which 2x8 and 4x4 have. Each
 * piece is read twice at most. */
static void disk_scratch(const struct dense_geometry *geometry, const struct explore_request *request,
                         struct explore_cost *cost)
{
    bool narrow = geometry->width == 2;
    struct growth growth = states_within(geometry, request->depth);
    uint64_t spares = geometry->classes / 100 * (narrow ? 48 : 56);
    cost->disk =
        geometry->classes / 100 * (narrow ? 72 : 108) + (spares < SPARE_BYTES ? spares : SPARE_BYTES);
    cost->written = (uint64_t)(growth.all * written_bytes(geometry, growth.widest));
    cost->disk = cost->written < cost->disk ? cost->written : cost->disk;
    cost->read = 2 * cost->written;
    if (has_table(request)) { /* every other level stays, and is read once more */
        cost->disk += cost->written / 2;
        cost->read += cost->written / 2;
    }
}

static void figures(const struct levels *levels, struct levels_figures *out)
{
    const struct coded *coded = (const struct coded *)levels;
    struct pieces_figures found;
    coded->pieces->ops->figures(coded->pieces, &found);
    struct spill_figures spilled = {0};
    if (coded->spill != NULL)
        spill_figures(coded->spill, &spilled);
    *out = (struct levels_figures){.memory =
                                       levels->taken + arena_used(coded->arena) + coded->pieces->spare.taken,
                                   .disk_bytes = found.disk_bytes,
                                   .disk_peak = found.disk_peak,
                                   .written = found.written + spilled.written,
                                   .read = found.read + spilled.read,
                                   .waited = found.waited,
                                   .group = grouped_group(coded->grouped),
                                   .groups = coded->grouping.groups};
}

/* ---- life ---- */

static void coded_free(struct levels *levels)
{
    struct coded *coded = of(levels);
    grouped_free(coded->grouped);
    memory_unmap(coded->marks[0], coded->grouping.classes);
    memory_unmap(coded->marks[1], coded->grouping.classes);
    if (coded->pieces != NULL)
        coded->pieces->ops->free(coded->pieces);
    spill_free(coded->spill);
    arena_free(coded->arena);
    grouping_clear(&coded->grouping);
    levels_clear(levels);
    free(coded);
}

static const struct levels_ops memory_ops = {
    .begin = begin, .next = next, .choose = choose, .figures = figures, .free = coded_free};
static const struct levels_ops disk_ops = {.begin = begin,
                                           .next = next,
                                           .choose = choose,
                                           .chunk = chunk,
                                           .every_level = true,
                                           .save_bytes = save_bytes,
                                           .save = save,
                                           .load = load,
                                           .figures = figures,
                                           .free = coded_free};

static enum pz_status make_pieces(struct coded *coded, struct pz_error *error)
{
    const struct levels_options *options = &coded->base.options;
    const struct explore_request *request = options->request;
    struct pieces_size size = size_of(options->geometry, coded->grouping.digits);
    uint64_t most = coded_most(&coded->grouping, options->planes, request->depth);
    const struct spare spare = {
        .budget = request->budget, .fill = request->fill, .reserve = ARENA_STEP + most / GROWTH};
    if (options->planes == PLANES_CODED)
        return pieces_memory_new(&size, coded->arena, &spare, &coded->pieces, error);
    enum pz_status status = spill_new(request->scratch, &coded->spill, error);
    if (status != PZ_OK)
        return status;
    const struct pieces_disk disk = {.directory = request->scratch,
                                     .limit = request->disk > 0 ? request->disk : UINT64_MAX,
                                     .spill = coded->spill,
                                     .ahead = PIECES_AHEAD,
                                     .behind = PIECES_BEHIND,
                                     .spare = spare,
                                     .file_bytes = options->file_bytes,
                                     .keeps = has_table(request) ? is_marked : NULL};
    return pieces_disk_new(&size, &disk, &coded->pieces, error);
}

static enum pz_status make(struct coded *coded, const struct levels_options *options, struct pz_error *error)
{
    const struct explore_request *request = options->request;
    struct levels *base = &coded->base;
    coded->marked = UINT64_MAX;
    unsigned digits = options->digits > 0 ? options->digits : group_digits(options->geometry);
    enum pz_status status = grouping_init(options->geometry, digits, &coded->grouping, error);
    if (status != PZ_OK) {
        base->options = *options;
        return status;
    }
    status = levels_init(base, options, own_bytes(&coded->grouping, options->planes, request), error);
    if (status == PZ_OK)
        status =
            arena_new(request->budget, budget_free(request->budget),
                      options->planes == PLANES_CODED ? CHUNK_BLOCK : PACKET_BLOCK, &coded->arena, error);
    if (status == PZ_OK)
        status = make_pieces(coded, error);
    const struct grouped_parts parts = {.plan = base->plan,
                                        .grouping = &coded->grouping,
                                        .kernel = base->kernel,
                                        .team = base->team,
                                        .control = options->control,
                                        .packets = {coded->arena, coded->spill},
                                        .pieces = coded->pieces,
                                        .depth = request->depth,
                                        .exchange = request->exchange};
    return status == PZ_OK ? grouped_new(&parts, &coded->grouped, error) : status;
}

static enum pz_status coded_open(const struct levels_options *options, struct levels **out,
                                 struct pz_error *error)
{
    struct coded *coded = calloc(1, sizeof *coded);
    if (coded == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for planes in groups");
    coded->base.ops = options->planes == PLANES_DISK ? &disk_ops : &memory_ops;
    enum pz_status status = make(coded, options, error);
    if (status != PZ_OK) {
        coded_free(&coded->base);
        return status;
    }
    *out = &coded->base;
    return PZ_OK;
}

const struct levels_kind coded_kind = {
    .has_groups = true, .fits = coded_fits, .bytes = memory_bytes, .open = coded_open};
const struct levels_kind coded_disk_kind = {.has_groups = true,
                                            .keeps_tables = true,
                                            .needs_scratch = true,
                                            .fits = coded_fits,
                                            .bytes = disk_bytes,
                                            .packets = disk_packets,
                                            .scratch = disk_scratch,
                                            .open = coded_open};
