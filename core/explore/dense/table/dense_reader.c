/* SPDX-License-Identifier: MIT */
/* The dense engine's tables as a format to read, and the reader of boards below it. */
#include "explore/dense/table/walk.h"

#include "board/pack.h"
#include "explore/dense/table/dense_table.h"
#include "space/slide/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- by boards ---- */

static void add_step(struct dense_table *table, unsigned from, unsigned to, unsigned edge)
{
    const struct dense_geometry *geometry = &table->geometry;
    unsigned cell = geometry->cell_of[from];
    for (unsigned direction = 0; direction < DIRECTION_COUNT; direction++) {
        if (geometry->grid.neighbour[cell][direction] != geometry->cell_of[to])
            continue;
        struct walk_steps *place = &table->place[from];
        place->step[place->count++] = (struct walk_step){
            .to = (uint8_t)to, .edge = (uint8_t)edge, .direction = (uint8_t)direction, .cells = 1};
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

enum pz_status dense_table_new(const struct grid *grid, unsigned blank, bool multi,
                               const struct table_source *source, struct dense_table **out,
                               struct pz_error *error)
{
    if (!dense_grid_fits(grid) || grid->rows > grid->columns)
        return pz_fail(error, PZ_UNSUPPORTED, "dense tables do not support %ux%u", grid->rows, grid->columns);
    struct dense_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a table's reader");
    dense_geometry_init(&table->geometry, grid, blank);
    table->geometry.multi = multi;
    table->layout = dense_table_layout(&table->geometry);
    table->base =
        (struct table_reader){.format = &dense_format, .about.depth = DENSE_DEPTH_MAX, .source = *source};
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

/* ---- by states ---- */

static struct dense_table *dense_of(struct table_reader *reader)
{
    return (struct dense_table *)reader;
}

static enum pz_status dense_check(const struct table_about *about, struct pz_error *error)
{
    const struct grid *grid = slide_permutation(about->space);
    if (grid == NULL || !dense_grid_fits(grid) || grid->rows > grid->columns)
        return pz_fail(error, PZ_STORAGE, "the table %.300s is dense, its puzzle is not", about->name);
    if (about->depth > DENSE_DEPTH_MAX)
        return pz_fail(error, PZ_STORAGE, "the table %.300s has depth %" PRIu32 ", more than %d", about->name,
                       about->depth, DENSE_DEPTH_MAX);
    return PZ_OK;
}

static void dense_close(struct table_reader *reader)
{
    dense_table_free(dense_of(reader));
}

static enum pz_status dense_reader_open(const struct table_about *about, struct table_reader **out,
                                        struct pz_error *error)
{
    static const struct table_source none;
    struct dense_table *table = NULL;
    struct board root;
    slide_board(about->space, about->root, &root);
    enum pz_status status = dense_table_new(slide_permutation(about->space), board_blank(&root),
                                            slide_is_multi(about->space), &none, &table, error);
    *out = table != NULL ? &table->base : NULL;
    return status;
}

static void dense_renew(struct table_reader *reader)
{
    struct dense_table *table = dense_of(reader);
    memset((void *)table->chunk, 0, table->layout.chunks * sizeof(const uint8_t *));
}

static enum pz_status dense_start(struct table_reader *reader, const void *state, uint32_t *distance,
                                  struct pz_error *error)
{
    struct dense_table *table = dense_of(reader);
    struct dense_position position;
    slide_board(reader->about.space, state, &table->board);
    *distance = TABLE_WALK;
    if (!dense_position_of(&table->geometry, &table->board, &position))
        return pz_fail(error, PZ_NO_TABLE, "the table's root cannot be reached from this board");
    return walk_start(table, &position, error);
}

static void dense_here(const struct table_reader *reader, void *state)
{
    slide_state(reader->about.space, &((const struct dense_table *)reader)->board, state);
}

static enum pz_status dense_sample_states(struct table_reader *reader, struct table_sample *sample,
                                          struct pz_error *error)
{
    const struct pz_space *space = reader->about.space;
    struct dense_sample dense = {.depth = sample->depth,
                                 .level_states = sample->level_states,
                                 .wanted = sample->count,
                                 .seed = sample->seed,
                                 .boards = calloc(sample->count, sizeof *dense.boards)};
    if (dense.boards == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %u boards", sample->count);
    enum pz_status status = dense_table_sample(dense_of(reader), &dense, error);
    for (unsigned i = 0; status == PZ_OK && i < dense.found; i++)
        slide_state(space, &dense.boards[i], sample->states + (size_t)i * space->state_bytes);
    sample->found = status == PZ_OK ? dense.found : 0;
    sample->skewed = !dense.uniform;
    free(dense.boards);
    return status;
}

static enum pz_status dense_boards(struct table_reader *reader, struct ranking_cursor *cursor,
                                   uint8_t *memo, // NOLINT(readability-non-const-parameter): written to
                                   size_t count, uint8_t *distances, struct pz_error *error)
{
    struct board_view view;
    _Static_assert((int)TABLE_BOARD_FAR == (int)DENSE_UNKNOWN, "what the caller fills a memo with");
    view_of_goal(cursor->grid, &cursor->goal, &view);
    const struct dense_ranking ranking = {dense_of(reader), &view, memo};
    return dense_table_ranking(&ranking, cursor, count, distances, error);
}

const struct table_format dense_format = {.check = dense_check,
                                          .open = dense_reader_open,
                                          .close = dense_close,
                                          .renew = dense_renew,
                                          .start = dense_start,
                                          .nearer = walk_nearer,
                                          .home = walk_home,
                                          .here = dense_here,
                                          .sample = dense_sample_states,
                                          .boards = dense_boards};

struct dense_layout dense_table_layout(const struct dense_geometry *geometry)
{
    const unsigned each = geometry->multi ? 4 : 2;
    const uint64_t bytes = geometry->classes * each;
    return (struct dense_layout){.classes = geometry->classes,
                                 .class_bytes = each,
                                 .chunks = (bytes + DENSE_CHUNK_BYTES - 1) / DENSE_CHUNK_BYTES,
                                 .bytes = bytes};
}

void dense_table_join(const uint8_t *restrict even, const uint8_t *restrict odd, size_t count,
                      uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = even[i];
        out[2 * i + 1] = odd[i];
    }
}

size_t dense_table_encode(const struct dense_layout *layout, const uint8_t *const marks[4], uint64_t number,
                          uint8_t *chunk)
{
    const uint64_t most = DENSE_CHUNK_BYTES / layout->class_bytes;
    const uint64_t first = number * most;
    const uint64_t left = layout->classes - first;
    const size_t count = (size_t)(left < most ? left : most);
    if (layout->class_bytes == 2)
        dense_table_join(marks[0] + first, marks[1] + first, count, chunk);
    for (size_t i = 0; layout->class_bytes == 4 && i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            chunk[4 * i + k] = marks[k][first + i];
    return layout->class_bytes * count;
}
