/* SPDX-License-Identifier: MIT */
#include "pdb_fixture.h"

enum { REFERENCE_FAR = 0xFF };

TEST(sets_are_numbered_in_the_order_of_their_masks)
{
    static const unsigned sizes[][3] = {{2, 2, 3}, {3, 3, 4}, {4, 4, 5}, {4, 4, 8}, {5, 5, 6}, {6, 7, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct rank rank;
        struct pz_error error;
        const unsigned cells = sizes[i][0] * sizes[i][1];
        const unsigned tiles = sizes[i][2];
        assert_ok(rank_init(&rank, sizes[i][0], sizes[i][1], tiles, &error), error);
        uint64_t mask = ((uint64_t)1 << tiles) - 1;
        for (uint32_t set = 0; set < rank.sets; set++) {
            if (rank_set(&rank, mask) != set)
                fail_msg("%u of %u cells: set %u has number %u", tiles, cells, set, rank_set(&rank, mask));
            uint64_t ripple = mask + (mask & (0 - mask));
            mask = ripple | ((mask ^ ripple) >> 2) / (mask & (0 - mask));
        }
        assert_int_equal((uint64_t)rank.sets * rank.turns->orders, rank_count(cells, tiles));
        rank_clear(&rank);
    }
}

/* Makes the components of sets of so many tiles and a table of their index alone, and asks the finder for
 * every cell. */
static void assert_finder_finds(const char *size, unsigned tiles)
{
    struct grid grid;
    struct rank rank;
    struct components components;
    struct monitor monitor;
    struct pz_error error;
    assert_ok(grid_parse(&grid, size, &error), error);
    assert_ok(rank_init(&rank, grid.rows, grid.columns, tiles, &error), error);
    monitor_init(&monitor, NULL, NULL, "pdb");
    assert_ok(components_init(&components, &grid, &rank, &monitor, NULL, &error), error);
    uint64_t *table = calloc(component_runs_at(&rank, components.count), sizeof *table);
    uint64_t *finder = calloc(rank.sets, sizeof *finder);
    assert_true(table != NULL && finder != NULL);
    component_index_write(&components, table);
    component_finder_write(&rank, table, finder);
    for (uint32_t set = 0; set < rank.sets; set++)
        for (uint32_t i = components.first[set]; i < components.first[set + 1]; i++)
            for (uint64_t cells = components.region[i]; cells != 0; cells &= cells - 1)
                if (component_large(finder, table + component_regions_at(&rank), set,
                                    (unsigned)__builtin_ctzll(cells)) != i)
                    fail_msg("%s, %u tiles, set %u: component %u is not found", size, tiles, set, i);
    free(finder);
    free(table);
    components_clear(&components);
    rank_clear(&rank);
}

TEST(a_finder_finds_the_component_of_every_cell_also_where_there_are_many)
{
    assert_finder_finds("2x10", 6); /* up to seven components */
    assert_finder_finds("5x5", 4);
    assert_finder_finds("4x8", 4); /* as many cells as a word has room for */
    assert_finder_finds("5x7", 4); /* more */
}

/* The next order in lexicographic sequence; false after the last. */
static bool next_order(uint8_t *order, unsigned count)
{
    unsigned i = count - 1;
    while (i > 0 && order[i - 1] > order[i])
        i--;
    if (i == 0)
        return false;
    unsigned j = count - 1;
    while (order[j] < order[i - 1])
        j--;
    uint8_t swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
    for (unsigned a = i, b = count - 1; a < b; a++, b--) {
        swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
    return true;
}

static void check_turns(const struct rank *placements, const uint16_t *table, const uint8_t *order,
                        uint32_t rank)
{
    const unsigned tiles = placements->tiles;
    for (unsigned from = 0; from < tiles; from++) {
        for (unsigned to = 0; to < tiles; to++) {
            uint8_t moved[PDB_TILES_MAX];
            unsigned count = 0;
            for (unsigned i = 0; i < tiles; i++)
                if (i != from)
                    moved[count++] = order[i];
            memmove(moved + to + 1, moved + to, tiles - 1 - to);
            moved[to] = order[from];
            const uint32_t expected = rank_order(moved, tiles);
            if (table[(from * tiles + to) * placements->turns->orders + rank] != expected ||
                rank_turned(placements, rank, from, to) != expected)
                fail_msg("%u tiles, order %u, from %u to %u", tiles, rank, from, to);
        }
    }
}

TEST(a_moved_tile_turns_the_order_as_written_out)
{
    for (unsigned tiles = 1; tiles <= (SANITIZED ? 6 : PDB_TILES_MAX); tiles++) {
        struct rank placements;
        uint8_t order[PDB_TILES_MAX];
        assert_int_equal(rank_init(&placements, 1, 16, tiles, NULL), PZ_OK);
        uint16_t *table = rank_turn_table(&placements);
        assert_non_null(table);
        for (unsigned i = 0; i < tiles; i++)
            order[i] = (uint8_t)i;
        uint32_t rank = 0;
        do {
            assert_int_equal(rank_order(order, tiles), rank);
            check_turns(&placements, table, order, rank++);
        } while (next_order(order, tiles));
        assert_int_equal(rank, placements.turns->orders);
        free(table);
        rank_clear(&placements);
    }
}

/* ---- entries ---- */

/*
 * The least number of pattern moves for each placement, by a breadth-first search over tile cells and blank
 * cell that knows nothing of components, ranks or symmetries: rounds of free moves, then one that costs.
 */
struct reference {
    const struct grid *grid;
    unsigned cells; /* of the grid */
    unsigned tiles;
    uint8_t *best; /* by tile cells and blank, base cells, the first tile most significant */
    uint32_t count;
};

static uint32_t reference_number(const struct reference *reference, const uint8_t *cell, unsigned blank)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < reference->tiles; i++)
        number = number * reference->cells + cell[i];
    return number * reference->cells + blank;
}

static unsigned tile_on(const struct reference *reference, const uint8_t *cell, unsigned at)
{
    unsigned i = 0;
    while (i < reference->tiles && cell[i] != at)
        i++;
    return i;
}

/* Improves the neighbours of one state; true when any was improved. */
static bool relax(struct reference *reference, uint32_t number)
{
    uint8_t cell[PDB_TILES_MAX];
    uint32_t rest = number / reference->cells;
    unsigned blank = number % reference->cells;
    bool changed = false;
    for (unsigned i = reference->tiles; i-- > 0; rest /= reference->cells)
        cell[i] = (uint8_t)(rest % reference->cells);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        unsigned to = reference->grid->neighbour[blank][d];
        if (to == GRID_NO_CELL)
            continue;
        unsigned tile = tile_on(reference, cell, to);
        bool costs = tile < reference->tiles;
        if (costs)
            cell[tile] = (uint8_t)blank;
        uint8_t *best = &reference->best[reference_number(reference, cell, to)];
        if (*best > reference->best[number] + costs) {
            *best = (uint8_t)(reference->best[number] + costs);
            changed = true;
        }
        if (costs)
            cell[tile] = (uint8_t)to;
    }
    return changed;
}

static void reference_init(struct reference *reference, const struct grid *grid, const uint8_t *home,
                           unsigned tiles, unsigned blank)
{
    reference->grid = grid;
    reference->cells = grid->cells;
    reference->tiles = tiles;
    reference->count = grid->cells;
    for (unsigned i = 0; i < tiles; i++)
        reference->count *= grid->cells;
    reference->best = malloc(reference->count);
    assert_non_null(reference->best);
    memset(reference->best, REFERENCE_FAR, reference->count);
    reference->best[reference_number(reference, home, blank)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t number = 0; number < reference->count; number++)
            if (reference->best[number] != REFERENCE_FAR)
                changed |= relax(reference, number);
    }
}

/* Compares the states of one placement: the table's bit with every place of the blank, and with some of them
 * the way down. Returns how many there are. */
static uint32_t check_placement(const struct pdb *pdb, unsigned number, struct pdb_place place,
                                const uint8_t *best)
{
    const struct pdb_slot *slot = &pdb->slot[number];
    const bool small = pdb->grid.cells <= RANK_SMALL_CELLS;
    uint32_t compared = 0;
    for (unsigned blank = 0; blank < pdb->grid.cells; blank++) {
        const unsigned cell = slot->map[blank];
        if ((place.mask >> cell & 1) != 0 || best[blank] == REFERENCE_FAR)
            continue;
        const struct pdb_bit bit = pdb_bit_of(slot, place, cell, small);
        struct pdb_words words = {.table = slot->table};
        if ((*bit.word >> bit.shift & 1) != (unsigned)best[blank] / 2 % 2 ||
            (place.order % 8 == 0 && pdb_walk_down(pdb, slot, &words, place, cell) != best[blank]))
            fail_msg("pattern %u, set %lx, order %u, blank in %u: not %u moves", number,
                     (unsigned long)place.mask, place.order, blank, best[blank]);
        compared++;
    }
    return compared;
}

/* Compares one pattern of an opened database, with every placement of its tiles. */
static void check_pattern(const struct pdb *pdb, unsigned number)
{
    struct reference reference;
    if (pdb->grid.cells == 0) {
        fail_msg("no grid");
        return;
    }
    uint8_t home[PDB_TILES_MAX];
    unsigned tiles = 0;
    for (uint64_t cells = pdb->partition.cells[number]; cells != 0; cells &= cells - 1)
        home[tiles++] = (uint8_t)__builtin_ctzll(cells);
    reference_init(&reference, &pdb->grid, home, tiles, pdb->blank);
    const struct pdb_slot *slot = &pdb->slot[number];
    uint32_t compared = 0;
    for (uint32_t i = 0; i < reference.count; i += reference.cells) {
        uint8_t ordinal_at[GRID_CELLS_MAX];
        struct pdb_place place = {0, 0};
        uint32_t rest = i / reference.cells;
        for (unsigned t = tiles; t-- > 0; rest /= reference.cells) {
            unsigned cell = slot->map[rest % reference.cells];
            place.mask |= (uint64_t)1 << cell;
            ordinal_at[cell] = (uint8_t)rank_index(slot->home, slot->map[home[t]]);
        }
        if ((unsigned)__builtin_popcountll(place.mask) != tiles)
            continue;
        uint8_t ordinal[PDB_TILES_MAX];
        unsigned count = 0;
        for (uint64_t cells = place.mask; cells != 0; cells &= cells - 1)
            ordinal[count++] = ordinal_at[__builtin_ctzll(cells)];
        place.order = rank_order(ordinal, tiles);
        compared += check_placement(pdb, number, place, reference.best + i);
    }
    const uint64_t states = rank_count(slot->rank->cells, slot->rank->tiles) * (pdb->grid.cells - tiles);
    assert_true(compared == states || (compared == states / 2 && pdb->grid.cells == tiles + 1));
    free(reference.best);
}

TEST(entries_tell_the_least_pattern_moves_for_every_place_of_the_blank)
{
    static const struct {
        const char *size, *partition;
        unsigned blank;
    } cases[] = {{"2x2", "3", 3},       {"2x3", "2-3", 5},      {"3x3", "4-4", 8},     {"3x3", "4-4", 7},
                 {"3x3", "3-5", 4},     {"2x4", "3-4", 7},      {"2x5", "4-5", 7},     {"3x4", "3-4-4", 11},
                 {"2x7", "3-3-3-4", 9}, {"4x4", "4-4-4-3", 15}, {"4x4", "4-4-4-3", 10}};
    for (size_t i = 0; i < (SANITIZED ? 6 : sizeof cases / sizeof *cases); i++) {
        struct pdb *pdb = open_databases(cases[i].size, cases[i].blank, cases[i].partition, 2);
        for (unsigned number = 0; number < pdb->partition.patterns; number++)
            check_pattern(pdb, number);
        pdb_close(pdb);
    }
}

TEST(the_database_is_the_same_with_any_number_of_threads)
{
    const char *partition = SANITIZED ? "4-4-4-3" : "5-5-5";
    struct pdb *one = open_databases("4x4", 15, partition, 1);
    static const unsigned threads[] = {2, 8};
    for (size_t i = 0; i < 2; i++) {
        struct pdb *more = open_databases("4x4", 15, partition, threads[i]);
        for (unsigned number = 0; number < one->partition.patterns; number++)
            assert_memory_equal(one->slot[number].table, more->slot[number].table,
                                component_table_words(one->slot[number].rank, *one->slot[number].table) *
                                    sizeof(uint64_t));
        pdb_close(more);
    }
    pdb_close(one);
}

TEST(symmetric_patterns_share_one_table)
{
    struct grid grid;
    struct partition partition;
    struct partition_shape shape;
    struct partition_shape canonical[4];
    assert_int_equal(grid_init(&grid, 5, 5, NULL), PZ_OK);
    assert_true(partition_choice(&grid, 24, 0, &partition));
    unsigned same = 0;
    for (unsigned i = 0; i < 4; i++) {
        partition_shape_of(&grid, 24, partition.cells[i], &shape);
        (void)shape_canonical(&grid, &shape, &canonical[i]);
        for (unsigned j = 0; j < i; j++)
            same += canonical[i].cells == canonical[j].cells && canonical[i].region == canonical[j].region;
    }
    assert_int_equal(same, 3); /* three blocks of 2x3 are one */
}
