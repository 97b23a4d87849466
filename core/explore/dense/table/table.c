/* SPDX-License-Identifier: MIT */
#include "explore/dense/table/table.h"

#include "explore/dense/table/walk.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_CLASSES = DENSE_CHUNK_BYTES / 2 };

struct dense_layout dense_table_layout(const struct dense_geometry *geometry)
{
    uint64_t classes = geometry->classes;
    return (struct dense_layout){
        .classes = classes, .chunks = (classes + CHUNK_CLASSES - 1) / CHUNK_CLASSES, .bytes = classes * 2};
}

void dense_table_join(const uint8_t *restrict even, const uint8_t *restrict odd, size_t count,
                      uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = even[i];
        out[2 * i + 1] = odd[i];
    }
}

size_t dense_table_encode(const struct dense_layout *layout, const uint8_t *const marks[2], uint64_t number,
                          uint8_t *chunk)
{
    uint64_t first = number * CHUNK_CLASSES;
    uint64_t left = layout->classes - first;
    size_t count = left < CHUNK_CLASSES ? (size_t)left : CHUNK_CLASSES;
    dense_table_join(marks[0] + first, marks[1] + first, count, chunk);
    return 2 * count;
}

static void add_step(struct dense_table *table, unsigned from, unsigned to, unsigned edge)
{
    const struct dense_geometry *geometry = &table->geometry;
    unsigned cell = geometry->cell_of[from];
    for (unsigned way = 0; way < DIRECTION_COUNT; way++) {
        if (geometry->grid.neighbour[cell][way] != geometry->cell_of[to])
            continue;
        struct walk_steps *place = &table->place[from];
        place->step[place->count++] =
            (struct walk_step){.to = (uint8_t)to, .edge = (uint8_t)edge, .direction = (uint8_t)way};
    }
}

static void find_steps(struct dense_table *table)
{
    const struct dense_geometry *geometry = &table->geometry;
    for (unsigned place = 0; place + 1 < geometry->places; place++) {
        add_step(table, place, place + 1, WALK_NO_EDGE);
        add_step(table, place + 1, place, WALK_NO_EDGE);
    }
    for (unsigned i = 0; i < geometry->edge_count; i++) {
        add_step(table, geometry->edge[i].low, geometry->edge[i].high, i);
        add_step(table, geometry->edge[i].high, geometry->edge[i].low, i);
    }
}

enum pz_status dense_table_new(const struct grid *grid, unsigned blank, const struct dense_source *source,
                               struct dense_table **out, struct pz_error *error)
{
    if (!dense_grid_fits(grid) || grid->rows > grid->columns)
        return pz_fail(error, PZ_UNSUPPORTED, "no dense table is of %ux%u", grid->rows, grid->columns);
    struct dense_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a table's reader");
    dense_geometry_init(&table->geometry, grid, blank);
    table->layout = dense_table_layout(&table->geometry);
    table->source = *source;
    find_steps(table);
    table->chunk = calloc(table->layout.chunks, sizeof(const uint8_t *));
    if (table->chunk == NULL) {
        free(table);
        return pz_fail(error, PZ_MEMORY, "no memory for a table's reader");
    }
    *out = table;
    return PZ_OK;
}

void dense_table_free(struct dense_table *table)
{
    if (table == NULL)
        return;
    free((void *)table->chunk);
    free(table);
}

void dense_table_forget(struct dense_table *table, const struct dense_source *source)
{
    table->source = *source;
    memset((void *)table->chunk, 0, table->layout.chunks * sizeof(const uint8_t *));
}

static enum pz_status locate(const struct dense_table *table, const struct board *board,
                             struct dense_position *position, struct pz_error *error)
{
    if (!dense_position_of(&table->geometry, board, position))
        return pz_fail(error, PZ_BAD_BOARD, "the table's root cannot be reached from this board");
    return PZ_OK;
}

enum pz_status dense_table_distance(struct dense_table *table, const struct board *board, uint32_t *distance,
                                    struct pz_error *error)
{
    struct dense_position position;
    enum pz_status status = locate(table, board, &position, error);
    return status == PZ_OK ? walk_home(table, position, NULL, distance, error) : status;
}

enum pz_status dense_table_path(struct dense_table *table, const struct board *board,
                                uint8_t directions[DENSE_DEPTH_MAX], uint32_t *moves, struct pz_error *error)
{
    struct dense_position position;
    enum pz_status status = locate(table, board, &position, error);
    return status == PZ_OK ? walk_home(table, position, directions, moves, error) : status;
}
