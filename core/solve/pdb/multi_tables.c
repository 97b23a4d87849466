/* SPDX-License-Identifier: MIT */
#include "solve/pdb/multi_tables.h"

#include "explore/run/monitor.h"
#include "solve/pdb/build.h"
#include "space/slide/slide.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES_MAX = 1 << 24, /* of a table: five tiles and the blank on 16 cells */
    UNREACHED = UINT8_MAX,
    POLL_ENTRIES = 1 << 16
};

bool multi_takes(const struct pz_space *space)
{
    const struct grid *grid = slide_permutation(space);
    return grid != NULL && slide_grid(space) == NULL && grid->rows > 1 && grid->columns > 1 &&
           grid->cells <= MULTI_CELLS_MAX;
}

/* ---- which tables ---- */

/* Chooses patterns of so many tiles. Returns false where there would be too many or too large ones. */
static bool set_patterns(struct multi_tables *tables, unsigned tiles)
{
    const unsigned all = tables->grid.cells - 1u;
    size_t length = 0;
    tables->tiles = tiles;
    tables->bytes = tables->grid.cells;
    for (unsigned i = 0; i < tiles && tables->bytes <= ENTRIES_MAX; i++)
        tables->bytes *= tables->grid.cells;
    tables->tables = (all + tiles - 1) / tiles;
    for (unsigned i = 0; i < tables->tables && i < MULTI_TABLES_MAX; i++)
        length += (size_t)snprintf(tables->text + length, sizeof tables->text - length, "%s%u",
                                   i > 0 ? "-" : "", tiles);
    return tables->tables >= 2 && tables->tables <= MULTI_TABLES_MAX && tables->bytes <= ENTRIES_MAX;
}

/* Returns what all tables take, and the queue of a build. */
static uint64_t bytes_to_build(const struct multi_tables *tables)
{
    return tables->tables * tables->bytes +
           rank_count(tables->grid.cells, tables->tiles + 1) * sizeof(uint32_t);
}

/* Chooses the largest patterns that so many bytes let be built. */
static bool choose_patterns(struct multi_tables *tables, uint64_t bytes)
{
    for (unsigned tiles = tables->grid.cells / 2u; tiles > 0; tiles--)
        if (set_patterns(tables, tiles) && bytes_to_build(tables) <= bytes)
            return true;
    return false;
}

static enum pz_status name_patterns(struct multi_tables *tables, const char *partition,
                                    struct pz_error *error)
{
    const unsigned long tiles = strtoul(partition, NULL, 10);
    if (tiles > 0 && tiles <= tables->grid.cells / 2u && set_patterns(tables, (unsigned)tiles) &&
        strcmp(tables->text, partition) == 0)
        return PZ_OK;
    (void)choose_patterns(tables, UINT64_MAX);
    return pz_fail(error, PZ_BAD_REQUEST, "partition=%.40s: %ux%u by metric=multi has %s, or smaller ones",
                   partition, tables->grid.rows, tables->grid.columns, tables->text);
}

enum pz_status multi_check(const struct grid *grid, const char *partition, struct pz_error *error)
{
    struct multi_tables *tables = calloc(1, sizeof *tables);
    if (tables == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for tables");
    tables->grid = *grid;
    const enum pz_status status = name_patterns(tables, partition, error);
    free(tables);
    return status;
}

/* ---- lookups ---- */

static unsigned first_tile(const struct multi_tables *tables, unsigned table)
{
    const unsigned last = tables->grid.cells - tables->tiles;
    const unsigned first = table * tables->tiles + 1;
    return first < last ? first : last;
}

/* Writes what tiles add to the numbers of one lookup. map: cell here → cell in the table's grid. */
static void add_lookup(struct multi_tables *tables, unsigned table, const struct board *goal,
                       const uint8_t *map)
{
    const unsigned lookup = tables->lookups++;
    const unsigned first = first_tile(tables, table);
    assert(lookup < MULTI_LOOKUPS_MAX);
    tables->lookup[lookup] = tables->table[table];
    for (unsigned home = 0; home < goal->cells; home++) {
        const unsigned there = goal->tile[map[home]];
        uint32_t weight = 1;
        if (there != BOARD_BLANK && (there < first || there >= first + tables->tiles))
            continue;
        for (unsigned i = first; there != BOARD_BLANK && i <= there; i++)
            weight *= tables->grid.cells;
        for (unsigned cell = 0; cell < goal->cells; cell++)
            tables->term[goal->tile[home]][cell][lookup] = map[cell] * weight;
    }
}

/* Looks the board up in each table and, where a reflection keeps the goal's blank, that one, too. */
static void add_lookups(struct multi_tables *tables)
{
    uint8_t maps[8][GRID_CELLS_MAX];
    struct board goal;
    const unsigned count = symmetry_maps(&tables->grid, maps);
    board_ordered(&tables->grid, tables->blank, &goal);
    tables->lookups = 0;
    for (unsigned m = 0; m < count && tables->lookups < 2 * tables->tables; m++)
        for (unsigned i = 0; maps[m][tables->blank] == tables->blank && i < tables->tables; i++)
            add_lookup(tables, i, &goal, maps[m]);
}

void multi_places_of(const struct multi_tables *tables, const struct board *board,
                     struct multi_places *places)
{
    memset(places, 0, sizeof *places);
    for (unsigned cell = 0; cell < board->cells; cell++)
        for (unsigned i = 0; i < tables->lookups; i++)
            places->number[i] += tables->term[board->tile[cell]][cell][i];
}

unsigned multi_value(const struct multi_tables *tables, const struct board *board)
{
    struct multi_places places;
    assert(board->cells == tables->grid.cells);
    multi_places_of(tables, board, &places);
    return multi_places_value(tables, &places, UINT_MAX);
}

/* ---- building ---- */

/* The entries of a table in the order of their values, as far as they are known. */
struct multi_build {
    const struct grid *grid;
    uint8_t *table;
    uint32_t *queue;
    uint32_t count;
    unsigned tiles;
};

static inline void reach_entry(struct multi_build *build, uint32_t entry, uint8_t value)
{
    if (build->table[entry] != UNREACHED)
        return;
    build->table[entry] = value;
    build->queue[build->count++] = entry;
}

/* Reaches all entries that are a move away: the blank goes on in each direction, and shifts the pattern's
 * tiles on its way. */
static void reach_from(struct multi_build *build, uint32_t entry)
{
    const struct grid *grid = build->grid;
    const unsigned home = entry % grid->cells;
    uint32_t weight_at[MULTI_CELLS_MAX] = {0}; /* of the digit of the tile in that cell */
    uint32_t weight = grid->cells;
    for (unsigned i = 0; i < build->tiles; i++, weight *= grid->cells)
        weight_at[entry / weight % grid->cells] = weight;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        unsigned blank = home;
        uint32_t next = entry;
        for (unsigned cell = grid->neighbour[blank][d]; cell != GRID_NO_CELL;
             blank = cell, cell = grid->neighbour[cell][d]) {
            next += cell - blank + (blank - cell) * weight_at[cell];
            reach_entry(build, next, (uint8_t)(build->table[entry] + 1));
        }
    }
}

static uint32_t goal_entry(const struct multi_tables *tables, unsigned table)
{
    struct board goal;
    uint32_t entry = tables->blank;
    uint32_t weight = 1;
    board_ordered(&tables->grid, tables->blank, &goal);
    for (unsigned tile = first_tile(tables, table), i = 0; i < tables->tiles; i++, tile++) {
        unsigned cell = 0;
        while (goal.tile[cell] != tile)
            cell++;
        weight *= tables->grid.cells;
        entry += cell * weight;
    }
    return entry;
}

static enum pz_status fill_multi_table(const struct multi_tables *tables, unsigned table,
                                       struct multi_build *build, struct monitor *monitor,
                                       struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    build->table = tables->built[table];
    build->count = 0;
    memset(build->table, UNREACHED, tables->bytes);
    reach_entry(build, goal_entry(tables, table), 0);
    for (uint32_t next = 0; next < build->count && status == PZ_OK; next++) {
        reach_from(build, build->queue[next]);
        if (next % POLL_ENTRIES == 0) {
            monitor->progress.level = build->table[build->queue[next]];
            monitor->progress.states = build->count;
            status = monitor_poll(monitor);
        }
    }
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "stopped while databases were built");
}

/* ---- open and close ---- */

static void multi_name(const struct multi_tables *tables, unsigned table, char name[PDB_NAME_MAX])
{
    (void)snprintf(name, PDB_NAME_MAX, "pdb:multi:%ux%u:%s:blank=%u:%u", tables->grid.rows,
                   tables->grid.columns, tables->text, tables->blank, table + 1);
}

static bool multi_table_fits(const void *context, const uint8_t *bytes, size_t length)
{
    (void)bytes;
    return length == ((const struct multi_tables *)context)->bytes;
}

static enum pz_status load_multi_tables(struct multi_tables *tables, struct pz_error *error)
{
    enum pz_status all = PZ_OK;
    char name[PDB_NAME_MAX];
    for (unsigned i = 0; i < tables->tables && all != PZ_CANCELLED; i++) {
        size_t length = 0;
        multi_name(tables, i, name);
        const enum pz_status status = archive_load_fitting(tables->archive, name, multi_table_fits, tables,
                                                           &tables->table[i], &length, error);
        all = status == PZ_OK ? all : status;
    }
    return all;
}

static enum pz_status make_multi_table(struct multi_tables *tables, unsigned table, struct multi_build *build,
                                       struct monitor *monitor, struct pz_error *error)
{
    char name[PDB_NAME_MAX];
    multi_name(tables, table, name);
    tables->built[table] = budget_map(tables->budget, tables->bytes);
    if (tables->built[table] == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a pattern database of %" PRIu64 " bytes",
                       tables->bytes);
    tables->built_bytes += tables->bytes;
    tables->table[table] = tables->built[table];
    const enum pz_status status = fill_multi_table(tables, table, build, monitor, error);
    return status == PZ_OK
               ? archive_save_built(tables->archive, name, tables->table[table], tables->bytes, error)
               : status;
}

static enum pz_status make_multi_tables(struct multi_tables *tables, struct control *control,
                                        struct pz_error *error)
{
    struct monitor monitor;
    const size_t bytes = rank_count(tables->grid.cells, tables->tiles + 1) * sizeof(uint32_t);
    struct multi_build build = {
        .grid = &tables->grid, .queue = budget_map(tables->budget, bytes), .tiles = tables->tiles};
    if (build.queue == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to build a pattern database");
    enum pz_status status = PZ_OK;
    monitor_init(&monitor, control, tables->budget, "pdb");
    for (unsigned i = 0; i < tables->tables && status == PZ_OK; i++)
        if (tables->table[i] == NULL)
            status = make_multi_table(tables, i, &build, &monitor, error);
    budget_unmap(tables->budget, build.queue, bytes);
    return status;
}

static enum pz_status load_or_make(struct multi_tables *tables, const struct pdb_request *request,
                                   struct pz_error *error)
{
    enum pz_status status = load_multi_tables(tables, error);
    if (status != PZ_NO_TABLE)
        return status;
    status = request->before_build != NULL
                 ? request->before_build(request->context, tables->tables * tables->bytes, error)
                 : PZ_OK;
    if (status == PZ_OK && tables->archive == NULL) /* for a near board, which waits for nobody */
        return make_multi_tables(tables, request->control, error);
    if (status == PZ_OK)
        status = build_turn_take(request->control, error);
    if (status != PZ_OK)
        return status;
    status = load_multi_tables(tables, error); /* another search may have made them meanwhile */
    if (status == PZ_NO_TABLE)
        status = make_multi_tables(tables, request->control, error);
    build_turn_give();
    return status;
}

static enum pz_status choose_tables(struct multi_tables *tables, const char *partition,
                                    struct pz_error *error)
{
    if (partition != NULL)
        return name_patterns(tables, partition, error);
    return choose_patterns(tables, budget_most(tables->budget))
               ? PZ_OK
               : pz_fail(error, PZ_TOO_LARGE, "no pattern databases for %ux%u fit into the memory budget",
                         tables->grid.rows, tables->grid.columns);
}

enum pz_status multi_open(const struct pdb_request *request, struct multi_tables **out,
                          struct pz_error *error)
{
    assert(request->grid->cells <= MULTI_CELLS_MAX && request->budget != NULL);
    struct multi_tables *tables = calloc(1, sizeof *tables);
    if (tables == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pattern databases");
    tables->grid = *request->grid;
    tables->blank = request->blank;
    tables->budget = request->budget;
    tables->archive = request->archive;
    enum pz_status status = choose_tables(tables, request->partition, error);
    if (status != PZ_OK) {
        free(tables);
        return status;
    }
    status = load_or_make(tables, request, error);
    if (status != PZ_OK) {
        multi_close(tables);
        return status;
    }
    add_lookups(tables);
    *out = tables;
    return PZ_OK;
}

void multi_close(struct multi_tables *tables)
{
    for (unsigned i = 0; tables != NULL && i < tables->tables; i++)
        if (tables->built[i] != NULL)
            budget_unmap(tables->budget, tables->built[i], tables->bytes);
        else if (tables->table[i] != NULL)
            tables->archive->release(tables->archive->context, tables->table[i]);
    free(tables);
}

enum pz_status multi_look_up(const struct pdb_request *request, const struct board *board,
                             pdb_read_function *read, void *context, unsigned *value, struct pz_error *error)
{
    struct multi_places places;
    struct multi_tables *tables = calloc(1, sizeof *tables);
    if (tables == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pattern databases");
    tables->grid = *request->grid;
    tables->blank = request->blank;
    *value = 0;
    enum pz_status status = name_patterns(tables, request->partition, error);
    if (status == PZ_OK) {
        add_lookups(tables);
        multi_places_of(tables, board, &places);
    }
    for (unsigned i = 0, table = 0; i < tables->lookups && status == PZ_OK; i++) {
        char name[PDB_NAME_MAX];
        uint64_t word = 0;
        multi_name(tables, table, name);
        table = table + 1 < tables->tables ? table + 1 : 0;
        status = read(context, name, places.number[i] / sizeof word, &word, error);
        const unsigned entry = ((const uint8_t *)&word)[places.number[i] % sizeof word];
        *value = entry > *value ? entry : *value;
    }
    free(tables);
    return status;
}
