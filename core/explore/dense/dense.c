/* SPDX-License-Identifier: MIT */
#include "explore/dense/dense.h"

#include "base/size_text.h"
#include "board/board.h"
#include "explore/dense/group/coded_cost.h"
#include "explore/dense/table/dense_table.h"
#include "space/slide/slide.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* ---- kinds of planes: in memory as they are, or coded in groups, in memory or on disk ---- */

static bool fits_planes(const struct dense_geometry *geometry, enum explore_planes planes)
{
    return planes == PLANES_MEMORY || coded_fits(geometry);
}

uint64_t levels_bytes(const struct dense_geometry *geometry, const struct explore_request *request,
                      enum explore_planes planes)
{
    assert(planes > PLANES_AUTO && planes < PLANES_COUNT);
    return (planes == PLANES_MEMORY ? whole_bytes(geometry, request)
                                    : coded_bytes(geometry, planes, request)) +
           levels_fixed_bytes(geometry);
}

uint64_t levels_packets(const struct dense_geometry *geometry, const struct explore_request *request,
                        enum explore_planes planes)
{
    return planes == PLANES_DISK ? coded_disk_packets(geometry, request) : 0;
}

enum pz_status levels_open(const struct levels_options *options, struct explorer **out,
                           struct pz_error *error)
{
    return (options->planes == PLANES_MEMORY ? whole_open : coded_open)(options, out, error);
}

/* Returns true if ranks search: here, or where the plan of the request goes. */
static bool is_on_ranks(const struct explore_request *request)
{
    return request->exchange != NULL || request->cluster;
}

/* Returns true if such planes can make what the request keeps. Those that are coded in memory keep no table.
 * Ranks do not collect each other's groups, so they make none, and by orbits none is made either. */
static bool can_keep(const struct explore_request *request, enum explore_planes planes)
{
    return request->keep != KEEP_TABLE || planes == PLANES_MEMORY ||
           (planes == PLANES_DISK && request->exchange == NULL && !slide_is_multi(request->space));
}

/* Only groups can be dealt to ranks. Of planes in memory each rank makes all levels by itself, for puzzles
 * that are too small for groups, and by metric:multi. */
static bool can_have(const struct dense_geometry *geometry, const struct explore_request *request,
                     enum explore_planes planes)
{
    if (geometry->multi && is_on_ranks(request))
        return planes == PLANES_MEMORY;
    if (request->exchange != NULL && planes == PLANES_MEMORY && coded_fits(geometry))
        return false;
    return fits_planes(geometry, planes) && can_keep(request, planes) &&
           (planes != PLANES_DISK || request->scratch != NULL);
}

static struct explore_cost cost_of(const struct dense_geometry *geometry,
                                   const struct explore_request *request, enum explore_planes planes)
{
    struct explore_cost cost = {.memory = levels_bytes(geometry, request, planes),
                                .movable = levels_packets(geometry, request, planes)};
    if (planes == PLANES_DISK)
        coded_disk_scratch(geometry, request, &cost);
    return cost;
}

enum explore_planes dense_planes(const struct dense_geometry *geometry, const struct explore_request *request,
                                 uint64_t limit)
{
    for (enum explore_planes planes = PLANES_MEMORY; planes <= PLANES_DISK; planes++) {
        if ((request->planes != PLANES_AUTO && request->planes != planes) ||
            !can_have(geometry, request, planes))
            continue;
        const struct explore_cost cost = cost_of(geometry, request, planes);
        const bool bounded = planes == PLANES_DISK && request->planes == PLANES_AUTO &&
                             request->keep == KEEP_TABLE && request->disk > 0;
        if (cost.memory - cost.movable <= limit &&
            (!bounded || explore_disk_within(&cost, limit) <= request->disk))
            return planes;
    }
    return PLANES_AUTO;
}

/* Returns PZ_OK if the engine can explore the space, else PZ_UNSUPPORTED with a reason. */
static enum pz_status dense_knows(const struct pz_space *space, struct pz_error *error)
{
    const struct grid *grid = slide_permutation(space);
    if (grid == NULL)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "the dense engine explores plain sliding puzzles only; use engine=striped");
    if (!dense_grid_fits(grid))
        return pz_fail(error, PZ_UNSUPPORTED,
                       "the dense engine knows 2x2 to 16 cells, not %ux%u; use engine=striped", grid->rows,
                       grid->columns);
    return PZ_OK;
}

static enum pz_status dense_can(const struct explore_request *request, struct pz_error *error)
{
    enum pz_status status = dense_knows(request->space, error);
    if (status == PZ_OK && request->keep == KEEP_TABLE && request->depth != EXPLORE_NO_LIMIT)
        status = pz_fail(error, PZ_UNSUPPORTED,
                         "the dense engine keeps tables of whole puzzles only: leave depth= out, or use "
                         "keep=levels or engine=striped");
    if (status == PZ_OK && request->planes != PLANES_AUTO && !can_keep(request, request->planes))
        status = pz_fail(error, PZ_UNSUPPORTED, "%s: use keep=levels",
                         slide_is_multi(request->space)   ? "by metric=multi only planes=memory keeps a table"
                         : request->planes == PLANES_DISK ? "planes=disk keeps no table on a cluster"
                                                          : "planes=coded keeps no table, planes=disk does");
    if (status == PZ_OK && request->planes == PLANES_DISK && request->scratch == NULL)
        status = pz_fail(error, PZ_UNSUPPORTED, "planes on disk: there is no scratch space");
    return status;
}

void dense_geometry_of(const struct explore_request *request, struct dense_geometry *geometry,
                       struct board_view *view)
{
    struct board root;
    struct board_view own;
    struct grid grid;
    if (view == NULL)
        view = &own;
    slide_board(request->space, request->root, &root);
    view_of_goal(slide_permutation(request->space), &root, view);
    (void)grid_init(&grid, view->rows, view->columns, NULL);
    dense_geometry_init(geometry, &grid, view->blank);
    geometry->multi = slide_is_multi(request->space);
}

bool dense_takes(const struct explore_request *request)
{
    const bool whole = request->depth == EXPLORE_NO_LIMIT || request->planes != PLANES_AUTO;
    if (!whole || request->roots > 1 || dense_knows(request->space, NULL) != PZ_OK)
        return false;
    if (!slide_is_multi(request->space))
        return true;
    if (is_on_ranks(request))
        return false;
    struct dense_geometry geometry;
    dense_geometry_of(request, &geometry, NULL);
    return request->planes <= PLANES_MEMORY || (request->keep != KEEP_TABLE && coded_fits(&geometry));
}

/* Says what is needed; advice.h says what would fit instead. */
static enum pz_status refuse_by_estimate(const struct explore_request *request,
                                         const struct explore_estimate *estimate, uint64_t limit,
                                         struct pz_error *error)
{
    char need[SIZE_TEXT];
    char have[SIZE_TEXT];
    char scratch[SIZE_TEXT];
    char room[SIZE_TEXT];
    const struct explore_cost *disk = &estimate->cost[PLANES_DISK];
    const uint64_t least = disk->memory - disk->movable;
    uint64_t bytes = request->planes == PLANES_DISK ? least : UINT64_MAX;
    for (enum explore_planes planes = PLANES_MEMORY; planes <= PLANES_CODED; planes++)
        if (estimate->cost[planes].memory > 0 && estimate->cost[planes].memory < bytes)
            bytes = estimate->cost[planes].memory;
    (void)size_text(bytes, need);
    (void)size_text(limit, have);
    if (request->keep == KEEP_TABLE && request->disk > 0 && disk->memory > 0 && least <= limit)
        return pz_fail(error, PZ_TOO_LARGE, "needs %s, limit %s, or %s of scratch space, limit %s", need,
                       have, size_text(explore_disk_within(disk, limit), scratch),
                       size_text(request->disk, room));
    if (disk->memory > 0 && request->planes == PLANES_AUTO)
        return pz_fail(error, PZ_TOO_LARGE, "needs %s, or %s with planes=disk, limit %s", need,
                       size_text(least, scratch), have);
    return pz_fail(error, PZ_TOO_LARGE, "needs %s, limit %s", need, have);
}

enum pz_status dense_check_memory(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error)
{
    struct explore_estimate estimate;
    enum pz_status status = dense_estimate(request, &estimate, error);
    struct dense_geometry geometry;
    if (status == PZ_OK)
        dense_geometry_of(request, &geometry, NULL);
    if (status == PZ_OK && dense_planes(&geometry, request, limit) == PLANES_AUTO)
        status = refuse_by_estimate(request, &estimate, limit, error);
    return status;
}

/* The number of levels after the root's, for the blank in a corner (OEIS A151944, and by metric:multi
 * lightln2/SlidingTilesSolver); with the blank elsewhere it may be another. */
static unsigned known_passes(const struct dense_geometry *geometry)
{
    static const struct {
        uint8_t rows, columns, passes[2]; /* by metric */
    } known[] = {{2, 2, {6, 6}},   {2, 3, {21, 20}},  {2, 4, {36, 25}},  {2, 5, {55, 36}},
                 {2, 6, {80, 41}}, {2, 7, {108, 52}}, {2, 8, {140, 57}}, {3, 3, {31, 24}},
                 {3, 4, {53, 33}}, {3, 5, {84, 44}},  {4, 4, {80, 43}}};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].rows == geometry->grid.rows && known[i].columns == geometry->grid.columns)
            return known[i].passes[geometry->multi];
    return 0;
}

/* Sets the cost of each kind of planes that the request may have. */
static void set_costs(const struct dense_geometry *geometry, const struct explore_request *request,
                      struct explore_estimate *estimate)
{
    for (enum explore_planes planes = PLANES_MEMORY; planes < PLANES_COUNT; planes++) {
        bool wanted = request->planes == PLANES_AUTO || request->planes == planes;
        if (wanted && can_have(geometry, request, planes))
            estimate->cost[planes] = cost_of(geometry, request, planes);
    }
}

enum pz_status dense_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error)
{
    enum pz_status status = dense_can(request, error);
    if (status == PZ_OK && request->roots > 1)
        status = pz_fail(error, PZ_UNSUPPORTED,
                         "the dense engine begins at one board; engine=striped takes %u", request->roots);
    if (status != PZ_OK)
        return status;
    struct dense_geometry geometry;
    dense_geometry_of(request, &geometry, NULL);
    *estimate = (struct explore_estimate){.engine = ENGINE_DENSE};
    bool table = request->keep == KEEP_TABLE;
    estimate->states = geometry.classes * geometry.places;
    enum explore_planes planes = request->planes != PLANES_AUTO ? request->planes : PLANES_MEMORY;
    if (!fits_planes(&geometry, planes) ||
        (geometry.multi && is_on_ranks(request) && planes != PLANES_MEMORY))
        return pz_fail(error, PZ_UNSUPPORTED,
                       geometry.multi
                           ? "metric=multi codes planes on one machine, of 10 to 16 cells with up to eight "
                             "lines and columns: use planes=memory"
                           : "planes of so few cells are not coded: use planes=memory");
    estimate->bytes = levels_bytes(&geometry, request, planes);
    struct explore_request levels_only = *request;
    levels_only.keep = KEEP_LEVELS;
    estimate->bytes_levels_only = levels_bytes(&geometry, &levels_only, PLANES_MEMORY);
    set_costs(&geometry, request, estimate);
    estimate->table_bytes = table ? dense_table_layout(&geometry).bytes : 0;
    estimate->passes = known_passes(&geometry);
    if (request->depth < estimate->passes)
        estimate->passes = request->depth;
    /* A pass reads one plane twice, and reads and writes the other; every second pass also reads and writes
     * the marks. By metric:multi it is a pass for each line and one more, and the other has two planes. */
    const unsigned sweeps = geometry.multi ? dense_lines(&geometry) + 1 : 1;
    estimate->bytes_moved = (double)geometry.classes * estimate->passes *
                            (geometry.multi ? 5 * sweeps + 3u * table
                             : table        ? 5
                                            : 4);
    return PZ_OK;
}

/* ---- the engine ---- */

enum pz_status dense_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    const struct explore_request *request = setup->request;
    const uint64_t limit = budget_free(request->budget);
    struct dense_geometry geometry;
    struct board_view view;
    enum pz_status status = dense_can(request, error);
    if (status != PZ_OK)
        return status;
    dense_geometry_of(request, &geometry, &view);
    const struct levels_options options = {.request = request,
                                           .geometry = &geometry,
                                           .view = &view,
                                           .planes = dense_planes(&geometry, request, limit),
                                           .control = setup->monitor->control};
    if (options.planes != PLANES_AUTO)
        return levels_open(&options, out, error);
    status = dense_check_memory(request, limit, error);
    return status != PZ_OK ? status : pz_fail(error, PZ_MEMORY, "no memory for a search");
}
