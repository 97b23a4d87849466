/* SPDX-License-Identifier: MIT */
/* The tables of a partition, and the slots that look boards up in them. */
#include "board/board.h"
#include "solve/pdb/pdb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

unsigned pdb_shapes(const struct grid *grid, unsigned blank, const struct partition *partition,
                    struct partition_shape canonical[PARTITION_PATTERNS_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < partition->patterns; i++) {
        struct partition_shape shape;
        partition_shape_of(grid, blank, partition->cells[i], &shape);
        (void)shape_canonical(grid, &shape, &canonical[count]);
        unsigned same = 0;
        while (canonical[same].cells != canonical[count].cells ||
               canonical[same].region != canonical[count].region)
            same++;
        count += same == count;
    }
    return count;
}

static void table_name(const struct pdb *pdb, const struct partition_shape *shape, char name[PDB_NAME_MAX])
{
    (void)snprintf(name, PDB_NAME_MAX, "pdb:%ux%u:%s:blank=%u:cells=%" PRIx64 ":region=%" PRIx64,
                   pdb->grid.rows, pdb->grid.columns, pdb->partition.text, pdb->blank, shape->cells,
                   shape->region);
}

enum pz_status pdb_name_tables(struct pdb *pdb, struct pz_error *error)
{
    struct partition_shape shapes[PARTITION_PATTERNS_MAX];
    unsigned count = pdb_shapes(&pdb->grid, pdb->blank, &pdb->partition, shapes);
    pdb->tables = calloc(PARTITION_PATTERNS_MAX, sizeof *pdb->tables);
    if (pdb->tables == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %u pattern databases", count);
    pdb->table_count = count;
    for (unsigned i = 0; i < count; i++) {
        struct pdb_table *table = &pdb->tables[i];
        table->shape = shapes[i];
        table_name(pdb, &shapes[i], table->name);
        enum pz_status status = rank_init(&table->rank, pdb->grid.rows, pdb->grid.columns,
                                          (unsigned)__builtin_popcountll(shapes[i].cells), error);
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

/* ---- slots ---- */

static void fill_slot(struct pdb *pdb, unsigned number, uint64_t cells, const uint8_t *reflection,
                      uint8_t maps[8][GRID_CELLS_MAX])
{
    struct pdb_slot *slot = &pdb->slot[number];
    struct partition_shape shape;
    struct partition_shape canonical;
    partition_shape_of(&pdb->grid, pdb->blank, cells, &shape);
    const uint8_t *turn = maps[shape_canonical(&pdb->grid, &shape, &canonical)];
    const struct pdb_table *table = pdb->tables;
    while (table->shape.cells != canonical.cells || table->shape.region != canonical.region)
        table++;
    /* Tables of as many tiles have the same numbering and the same index: one for all stays in the caches. */
    const struct pdb_table *first = pdb->tables;
    while (first->rank.tiles != table->rank.tiles)
        first++;
    slot->rank = &first->rank;
    slot->name = table->name;
    slot->run_words = rank_run_words(&table->rank);
    slot->home = canonical.cells;
    slot->region = canonical.region;
    if (table->words != NULL) {
        slot->table = table->words;
        slot->index = first->finder != NULL ? first->finder : first->words + COMPONENT_INDEX_AT;
        slot->regions = first->words + component_regions_at(&table->rank);
        slot->runs = table->words + component_runs_at(&table->rank, table->words[0]);
    }
    for (unsigned cell = 0; cell < pdb->grid.cells; cell++)
        slot->map[cell] = turn[reflection[cell]];
}

static unsigned goal_cell(const struct pdb *pdb, unsigned tile)
{
    return tile - 1 < pdb->blank ? tile - 1 : tile;
}

/* Returns true if the tile is one of the slot's pattern. */
static bool slot_has(const struct pdb *pdb, const struct pdb_slot *slot, unsigned tile)
{
    return (slot->home >> slot->map[goal_cell(pdb, tile)] & 1) != 0;
}

static void assign_tiles(struct pdb *pdb)
{
    for (unsigned tile = 1; tile < pdb->grid.cells; tile++)
        for (unsigned i = 0; i < pdb->slots; i++)
            if (slot_has(pdb, &pdb->slot[i], tile))
                pdb->touched[tile][pdb->touched_count[tile]++] = (uint8_t)i;
}

/* Makes the slots of the board, or of its reflection, and the lookups that add them up. */
static void add_turn(struct pdb *pdb, const uint8_t *reflection, uint8_t maps[8][GRID_CELLS_MAX])
{
    const struct partition *partition = &pdb->partition;
    for (unsigned i = 0; i < partition->patterns; i++) {
        struct pdb_slot *slot = &pdb->slot[pdb->slots];
        fill_slot(pdb, pdb->slots++, partition->cells[i], reflection, maps);
        for (unsigned layout = 0; layout < partition->layouts; layout++) {
            if ((partition->layout[layout] >> i & 1) == 0)
                continue;
            slot->lookups |= (uint16_t)(1u << (pdb->lookups + layout));
            slot->lanes[pdb->lookups + layout] = UINT16_MAX;
        }
    }
    pdb->lookups += partition->layouts;
}

/* Returns true if a symmetry only permutes the patterns: its lookup would add nothing. */
static bool keeps_partition(const struct partition *partition, const uint8_t *map)
{
    for (unsigned i = 0; i < partition->patterns; i++) {
        uint64_t image = mask_map(partition->cells[i], map);
        unsigned same = 0;
        while (same < partition->patterns && partition->cells[same] != image)
            same++;
        if (same == partition->patterns)
            return false;
    }
    return true;
}

void pdb_make_slots(struct pdb *pdb)
{
    uint8_t maps[8][GRID_CELLS_MAX];
    unsigned count = symmetry_maps(&pdb->grid, maps);
    add_turn(pdb, maps[0], maps);
    for (unsigned i = 1; i < count; i++) {
        if (maps[i][pdb->blank] != pdb->blank || keeps_partition(&pdb->partition, maps[i]))
            continue;
        add_turn(pdb, maps[i], maps);
        break;
    }
    assign_tiles(pdb);
}

/* ---- places ---- */

static struct pdb_place slot_place(const struct pdb *pdb, unsigned number, const struct board *board)
{
    const struct pdb_slot *slot = &pdb->slot[number];
    struct pdb_place place = {0, 0};
    uint8_t home_at[GRID_CELLS_MAX]; /* by cell of the table's grid: home cell of the tile that is there */
    for (unsigned cell = 0; cell < board->cells; cell++) {
        unsigned tile = board->tile[cell];
        if (tile == BOARD_BLANK || !slot_has(pdb, slot, tile))
            continue;
        place.mask |= (uint64_t)1 << slot->map[cell];
        home_at[slot->map[cell]] = slot->map[goal_cell(pdb, tile)];
    }
    uint8_t ordinal[PDB_TILES_MAX];
    unsigned count = 0;
    for (uint64_t cells = place.mask; cells != 0; cells &= cells - 1)
        ordinal[count++] = (uint8_t)rank_index(slot->home, home_at[__builtin_ctzll(cells)]);
    place.order = rank_order(ordinal, count);
    return place;
}

void pdb_places(const struct pdb *pdb, const struct board *board, struct pdb_place places[PDB_SLOTS_MAX])
{
    for (unsigned i = 0; i < pdb->slots; i++)
        places[i] = slot_place(pdb, i, board);
}
