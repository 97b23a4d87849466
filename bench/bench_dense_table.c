/* SPDX-License-Identifier: MIT */
/*
 * How fast a dense table answers, on one thread, from chunks in memory.
 *
 *     bench_dense_table [size [lookups]]     3x4 and 1,000,000 without arguments
 */
#include "measuring.h"

#include "base/random.h"
#include "explore/dense/dense.h"
#include "explore/dense/table/walk.h"
#include "space/slide/slide.h"

struct memory {
    uint8_t *bytes;
    uint64_t length;
};

static enum pz_status keep_begin(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    struct memory *memory = context;
    memory->bytes = malloc(plan->table_bytes);
    return memory->bytes != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for the table");
}

static enum pz_status keep_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                                 struct pz_error *error)
{
    struct memory *memory = context;
    (void)error;
    memcpy(memory->bytes + number * DENSE_CHUNK_BYTES, bytes, length);
    memory->length += length;
    return PZ_OK;
}

static enum pz_status read_chunk(void *context, uint64_t number, const uint8_t **bytes, size_t *length,
                                 struct pz_error *error)
{
    const struct memory *memory = context;
    uint64_t left = memory->length - number * DENSE_CHUNK_BYTES;
    (void)error;
    *bytes = memory->bytes + number * DENSE_CHUNK_BYTES;
    *length = left < DENSE_CHUNK_BYTES ? (size_t)left : DENSE_CHUNK_BYTES;
    return PZ_OK;
}

static enum pz_status explore(const struct pz_space *space, struct memory *memory, struct pz_error *error)
{
    struct explore_result result;
    const struct explore_sink sink = {.context = memory, .begin = keep_begin, .chunk = keep_chunk};
    const struct explore_request request = {.depth = EXPLORE_NO_LIMIT, .threads = 2, .keep = KEEP_TABLE};
    const enum pz_status status = explore_in(UINT64_MAX, space, request, &sink, &result, error);
    if (status == PZ_OK)
        printf("explored in %.3f s, table of %.1f MB\n", result.search_seconds, (double)memory->length / 1e6);
    return status;
}

static enum pz_status look_up(struct dense_table *table, const struct grid *grid, unsigned lookups,
                              struct pz_error *error)
{
    struct dense_geometry geometry;
    struct random random = {.state = 1};
    struct board *boards = calloc(lookups, sizeof *boards);
    if (boards == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %u boards", lookups);
    dense_geometry_init(&geometry, grid, grid->cells - 1u);
    for (unsigned i = 0; i < lookups; i++) {
        struct dense_position position;
        uint64_t number = random_below(&random, geometry.classes);
        dense_position_unrank(&geometry, number, (unsigned)random_below(&random, geometry.places), &position);
        dense_board_of(&geometry, &position, &boards[i]);
    }
    double began = clock_seconds();
    uint64_t moves = 0;
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < lookups && status == PZ_OK; i++) {
        uint32_t distance = 0;
        struct dense_position position;
        (void)dense_position_of(&geometry, &boards[i], &position);
        status = walk_distance(table, &position, &distance, error);
        moves += distance;
    }
    double seconds = clock_seconds() - began;
    printf("%u distances in %.3f s: %.0f a second, %.1f moves on average\n", lookups, seconds,
           lookups / seconds, (double)moves / lookups);
    free(boards);
    return status;
}

int main(int count, char **argument)
{
    struct pz_space *space = open_space(count > 1 ? argument[1] : "3x4", NULL);
    const unsigned lookups = count > 2 ? (unsigned)strtoul(argument[2], NULL, 10) : 1000000;
    struct pz_error error = {0};
    struct memory memory = {0};
    struct dense_table *table = NULL;
    struct table_source source = {.context = &memory, .chunk = read_chunk};
    const struct grid *grid = slide_grid(space);
    if (grid == NULL) {
        (void)fprintf(stderr, "a sliding puzzle is needed\n");
        return 2;
    }
    enum pz_status status = explore(space, &memory, &error);
    if (status == PZ_OK)
        status = dense_table_new(grid, grid->cells - 1u, false, &source, &table, &error);
    if (status == PZ_OK)
        status = look_up(table, grid, lookups > 0 ? lookups : 1, &error);
    if (status != PZ_OK)
        die(&error);
    dense_table_free(table);
    free(memory.bytes);
    space_close(space);
    return 0;
}
