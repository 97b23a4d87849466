/* SPDX-License-Identifier: MIT */
#include "solve/pdb/pdb.h"

#include "base/budget.h"
#include "base/log.h"
#include "base/team.h"
#include "explore/run/monitor.h"
#include "solve/pdb/build.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_BYTES = 1 << 20,
    COMPONENTS = 3, /* a set, for estimates: a 4x4 cut by 8 tiles has 2.7 on average, 2x8 3.1, larger grids
                     * and smaller patterns fewer */
    SET_BYTES = sizeof(uint64_t) + sizeof(uint32_t), /* in a build, of each set */
    COMPONENT_BYTES = sizeof(uint64_t) + 1           /* and of each component, beside its run */
};

/* ---- sizes ---- */

/* Returns about how many bytes a table of so many tiles takes, and in *beside what building it takes beside
 * itself. */
static uint64_t pdb_table_bytes(const struct grid *grid, unsigned tiles, uint64_t *beside)
{
    const unsigned index = grid->cells > RANK_SMALL_CELLS ? 2 : 1; /* words a set: the table's, a finder's */
    const uint64_t orders = rank_count(tiles, tiles);
    const uint64_t sets = rank_count(grid->cells, tiles) / orders;
    const uint64_t run = (orders + 63) / 64 * sizeof(uint64_t);
    /* In a row, a component begins at each free cell that is the first or follows a tile. */
    const uint64_t components =
        sets * (grid->rows > 1 ? COMPONENTS : 1 + (grid->cells - tiles) * (tiles + 1) / grid->cells);
    *beside = sets * SET_BYTES + components * (run + COMPONENT_BYTES);
    return sets * index * sizeof(uint64_t) + components * (run + sizeof(uint64_t));
}

/* Returns about how many bytes all tables take, and building the one that needs most beside itself. */
static uint64_t partition_bytes(const struct grid *grid, unsigned blank, const struct partition *partition)
{
    struct partition_shape shapes[PARTITION_PATTERNS_MAX];
    unsigned count = pdb_shapes(grid, blank, partition, shapes);
    uint64_t tables = 0;
    uint64_t build = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t beside;
        tables += pdb_table_bytes(grid, (unsigned)__builtin_popcountll(shapes[i].cells), &beside);
        build = beside > build ? beside : build;
    }
    return tables + build;
}

static bool choice_that_fits(const struct grid *grid, unsigned blank, uint64_t bytes,
                             struct partition *partition)
{
    for (unsigned attempt = 0; partition_choice(grid, blank, attempt, partition); attempt++)
        if (partition_bytes(grid, blank, partition) <= bytes)
            return true;
    return false;
}

static enum pz_status too_large(const struct grid *grid, unsigned blank, const char *partition,
                                uint64_t needed, uint64_t available, struct pz_error *error)
{
    struct partition fits;
    if (!choice_that_fits(grid, blank, available, &fits))
        return pz_fail(error, PZ_TOO_LARGE,
                       "no pattern databases for %ux%u fit into the %" PRIu64 " bytes that are free",
                       grid->rows, grid->columns, available);
    return pz_fail(error, PZ_TOO_LARGE,
                   "the %s databases of %ux%u take %" PRIu64 " bytes to build and %" PRIu64
                   " are free: %s fits, with %" PRIu64,
                   partition, grid->rows, grid->columns, needed, available, fits.text,
                   partition_bytes(grid, blank, &fits));
}

/* ---- tables ---- */

/* A table, of a grid of so many cells. */
struct fitting_table {
    const struct pdb_table *table;
    unsigned cells;
};

/* An archive_fits. */
static bool pdb_table_fits(const void *context, const uint8_t *bytes, size_t length)
{
    const struct fitting_table *fitting = context;
    const struct rank *rank = &fitting->table->rank;
    const uint64_t *words = (const uint64_t *)(const void *)bytes;
    return length >= sizeof *words && words[0] <= (uint64_t)rank->sets * fitting->cells &&
           length == component_table_words(rank, words[0]) * sizeof *words;
}

static enum pz_status table_load(struct pdb *pdb, struct pdb_table *table, struct pz_error *error)
{
    const struct fitting_table fitting = {table, pdb->grid.cells};
    const uint8_t *bytes = NULL;
    size_t length = 0;
    const enum pz_status status =
        archive_load_fitting(pdb->archive, table->name, pdb_table_fits, &fitting, &bytes, &length, error);
    if (status != PZ_OK)
        return status;
    table->words = (const uint64_t *)(const void *)bytes;
    table->bytes = length;
    pdb->loaded_bytes += length;
    return PZ_OK;
}

/* Maps memory for a table of those components, and writes its index. */
static enum pz_status table_map(struct pdb *pdb, struct pdb_table *table, const struct components *components,
                                struct pz_error *error)
{
    const uint64_t bytes = component_table_words(&table->rank, components->count) * sizeof(uint64_t);
    table->built = budget_map(pdb->budget, bytes);
    if (table->built == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a pattern database of %" PRIu64 " bytes", bytes);
    component_index_write(components, table->built);
    table->words = table->built;
    table->bytes = bytes;
    pdb->built_bytes += bytes;
    return PZ_OK;
}

static enum pz_status table_fill(struct pdb *pdb, struct pdb_table *table,
                                 const struct components *components, struct team *team,
                                 struct monitor *monitor, struct pz_error *error)
{
    enum pz_status status = table_map(pdb, table, components, error);
    if (status != PZ_OK)
        return status;
    const struct table_build build = {
        .grid = &pdb->grid,
        .shape = &table->shape,
        .components = components,
        .team = team,
        .monitor = monitor,
        .budget = pdb->budget,
        .bits = table->built + component_runs_at(&table->rank, components->count),
    };
    return pdb_build(&build, error);
}

static enum pz_status table_make(struct pdb *pdb, struct pdb_table *table, struct team *team,
                                 struct monitor *monitor, struct pz_error *error)
{
    struct components components;
    enum pz_status status =
        components_init(&components, &pdb->grid, &table->rank, monitor, pdb->budget, error);
    if (status == PZ_OK)
        status = table_fill(pdb, table, &components, team, monitor, error);
    components_clear(&components);
    return status == PZ_OK ? archive_save_built(pdb->archive, table->name, (const uint8_t *)table->words,
                                                table->bytes, error)
                           : status;
}

static void table_close(struct pdb *pdb, struct pdb_table *table)
{
    if (table->built != NULL)
        budget_unmap(pdb->budget, table->built, table->bytes);
    else if (table->words != NULL)
        pdb->archive->release(pdb->archive->context, (const uint8_t *)table->words);
    budget_unmap(pdb->budget, table->finder, table->finder_bytes);
    rank_clear(&table->rank);
}

/* Loads the tables that the archive has. PZ_NO_TABLE when some are missing. */
static enum pz_status load_tables(struct pdb *pdb, struct pz_error *error)
{
    enum pz_status all = PZ_OK;
    for (unsigned i = 0; i < pdb->table_count && all != PZ_CANCELLED; i++) {
        if (pdb->tables[i].words != NULL)
            continue;
        enum pz_status status = table_load(pdb, &pdb->tables[i], error);
        all = status == PZ_OK ? all : status;
    }
    return all;
}

static enum pz_status build_missing_tables(struct pdb *pdb, const struct pdb_request *request,
                                           struct pz_error *error)
{
    struct team *team = NULL;
    struct monitor monitor;
    monitor_init(&monitor, request->control, pdb->budget, "pdb");
    /* One thread makes small tables in milliseconds: waking others for each level would not help. */
    bool small = partition_bytes(&pdb->grid, pdb->blank, &pdb->partition) < SMALL_BYTES;
    enum pz_status status = team_new(small ? 1 : request->threads, &team, error);
    for (unsigned i = 0; i < pdb->table_count && status == PZ_OK; i++)
        if (pdb->tables[i].words == NULL)
            status = table_make(pdb, &pdb->tables[i], team, &monitor, error);
    team_free(team);
    return status;
}

/* ---- open and close ---- */

static void drop_tables(struct pdb *pdb)
{
    for (unsigned i = 0; i < pdb->table_count; i++)
        table_close(pdb, &pdb->tables[i]);
    free(pdb->tables);
    pdb->tables = NULL;
    pdb->table_count = 0;
    pdb->loaded_bytes = pdb->built_bytes = 0;
}

/* Makes the finders of tables on larger grids, one for all tables of as many tiles. */
static enum pz_status make_finders(struct pdb *pdb, struct pz_error *error)
{
    unsigned made = 0; /* a bit for each number of tiles */
    for (unsigned i = 0; i < pdb->table_count && pdb->grid.cells > RANK_SMALL_CELLS; i++) {
        struct pdb_table *table = &pdb->tables[i];
        const size_t bytes = table->rank.sets * sizeof *table->finder;
        if ((made >> table->rank.tiles & 1) != 0)
            continue;
        made |= 1u << table->rank.tiles;
        table->finder = budget_map(pdb->budget, bytes);
        if (table->finder == NULL)
            return pz_fail(error, PZ_MEMORY, "no memory for an index of %zu bytes", bytes);
        table->finder_bytes = bytes;
        component_finder_write(&table->rank, table->words, table->finder);
    }
    return PZ_OK;
}

static enum pz_status build_in_turn(struct pdb *pdb, const struct pdb_request *request,
                                    struct pz_error *error)
{
    uint64_t needed = partition_bytes(&pdb->grid, pdb->blank, &pdb->partition);
    uint64_t available = budget_free(pdb->budget);
    if (needed > available)
        return too_large(&pdb->grid, pdb->blank, pdb->partition.text, needed, available, error);
    return build_missing_tables(pdb, request, error);
}

/* Asks the caller, who may do without, if the missing tables are to be built. */
static enum pz_status ask_before_build(const struct pdb *pdb, const struct pdb_request *request,
                                       struct pz_error *error)
{
    uint64_t bytes = 0;
    uint64_t beside;
    if (request->before_build == NULL)
        return PZ_OK;
    for (unsigned i = 0; i < pdb->table_count; i++)
        if (pdb->tables[i].words == NULL)
            bytes += pdb_table_bytes(&pdb->grid, pdb->tables[i].rank.tiles, &beside);
    return request->before_build(request->context, bytes, error);
}

static enum pz_status load_or_build(struct pdb *pdb, const struct pdb_request *request,
                                    struct pz_error *error)
{
    enum pz_status status = pdb_name_tables(pdb, error);
    if (status == PZ_OK)
        status = load_tables(pdb, error);
    if (status != PZ_NO_TABLE)
        return status;
    status = ask_before_build(pdb, request, error);
    if (status == PZ_OK)
        status = build_turn_take(request->control, error);
    if (status != PZ_OK)
        return status;
    status = load_tables(pdb, error); /* another search may have made them meanwhile */
    if (status == PZ_NO_TABLE)
        status = build_in_turn(pdb, request, error);
    build_turn_give();
    return status;
}

/* Opens pdb->partition from the archive, and builds the tables that it lacks if they fit. */
static enum pz_status open_partition(struct pdb *pdb, const struct pdb_request *request,
                                     struct pz_error *error)
{
    enum pz_status status = load_or_build(pdb, request, error);
    return status == PZ_OK ? make_finders(pdb, error) : status;
}

/* Logs that stronger databases, which make a search faster, found no memory. */
static void remark_smaller(const struct pdb *pdb)
{
    struct partition strongest;
    if (partition_choice(&pdb->grid, pdb->blank, 0, &strongest))
        log_event(LOG_LEVEL_INFO, 0,
                  "event=smaller-databases puzzle=%ux%u partition=%s strongest=%s needs=%" PRIu64,
                  pdb->grid.rows, pdb->grid.columns, pdb->partition.text, strongest.text,
                  partition_bytes(&pdb->grid, pdb->blank, &strongest));
}

/* Goes through the choices from the strongest on. Leaves out a choice that the limits do not let anybody
 * build, even if it is stored: the same limits give the same choice. */
static enum pz_status open_choice(struct pdb *pdb, const struct pdb_request *request, struct pz_error *error)
{
    enum pz_status status = PZ_TOO_LARGE;
    for (unsigned attempt = 0; partition_choice(&pdb->grid, pdb->blank, attempt, &pdb->partition);
         attempt++) {
        if (partition_bytes(&pdb->grid, pdb->blank, &pdb->partition) > budget_most(pdb->budget))
            continue;
        status = open_partition(pdb, request, error);
        if (status == PZ_OK && attempt > 0)
            remark_smaller(pdb);
        if (status != PZ_TOO_LARGE && status != PZ_MEMORY)
            return status;
        drop_tables(pdb);
    }
    return pz_fail(error, status, "no pattern databases for %ux%u fit into the memory budget", pdb->grid.rows,
                   pdb->grid.columns);
}

enum pz_status pdb_open(const struct pdb_request *request, struct pdb **out, struct pz_error *error)
{
    assert(request->grid != NULL && request->blank < request->grid->cells && request->budget != NULL);
    struct pdb *pdb = calloc(1, sizeof *pdb);
    if (pdb == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pattern databases");
    pdb->grid = *request->grid;
    pdb->blank = request->blank;
    pdb->budget = request->budget;
    pdb->archive = request->archive;
    enum pz_status status = PZ_OK;
    const bool chosen = request->partition == NULL && request->patterns == NULL;
    if (chosen)
        status = open_choice(pdb, request, error);
    else if (request->patterns != NULL)
        pdb->partition = *request->patterns;
    else
        status = partition_parse(&pdb->grid, pdb->blank, request->partition, &pdb->partition, error);
    if (status == PZ_OK && !chosen)
        status = open_partition(pdb, request, error);
    if (status != PZ_OK) {
        pdb_close(pdb);
        return status;
    }
    pdb_make_slots(pdb);
    *out = pdb;
    return PZ_OK;
}

void pdb_close(struct pdb *pdb)
{
    if (pdb == NULL)
        return;
    drop_tables(pdb);
    free(pdb);
}
