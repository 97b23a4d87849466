/* SPDX-License-Identifier: MIT */
/* The published histograms of the 7-8 pair, found level by level in its tables. */
#include "pdb_fixture.h"

/* The states of one value: their sets and orders, and with each a cell of the blank's component. */
struct value_level {
    struct value_state {
        uint64_t entry; /* set and order */
        uint64_t mask;
        uint32_t order;
        unsigned cell; /* the least of the component */
    } * state;
    size_t count, room;
};

static int by_entry(const void *a, const void *b)
{
    const struct value_state *one = a;
    const struct value_state *other = b;
    if (one->entry != other->entry)
        return one->entry < other->entry ? -1 : 1;
    return (one->cell > other->cell) - (one->cell < other->cell);
}

static void add_state(struct value_level *level, const struct pdb *pdb, const struct pdb_slot *slot,
                      struct pdb_place place, unsigned cell)
{
    const uint64_t all = ((uint64_t)1 << pdb->grid.cells) - 1;
    if (level->count == level->room) {
        level->room = level->room * 2 + 1024;
        level->state = realloc(level->state, level->room * sizeof *level->state);
        assert_non_null(level->state);
    }
    level->state[level->count++] = (struct value_state){
        .entry = (uint64_t)rank_set(slot->rank, place.mask) * slot->rank->turns->orders + place.order,
        .mask = place.mask,
        .order = place.order,
        .cell = (unsigned)__builtin_ctzll(mask_region(&pdb->grid, all & ~place.mask, cell))};
}

/* Adds the neighbours of a state of that value whose bits say that they are one farther. */
static void add_farther(struct value_level *level, const struct pdb *pdb, const struct pdb_slot *slot,
                        const struct value_state *state, unsigned value)
{
    const uint64_t all = ((uint64_t)1 << pdb->grid.cells) - 1;
    uint64_t region = mask_region(&pdb->grid, all & ~state->mask, state->cell);
    for (; region != 0; region &= region - 1) {
        const unsigned to = (unsigned)__builtin_ctzll(region);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            const unsigned from = pdb->grid.neighbour[to][d];
            if (from == GRID_NO_CELL || (state->mask >> from & 1) == 0)
                continue;
            struct pdb_place place = {state->mask, state->order};
            place = pdb_place_moved(slot, place, from, to);
            if (pdb_value_next(value, pdb_bit_of(slot, place, from, true)) > value)
                add_state(level, pdb, slot, place, from);
        }
    }
}

/* Leaves each state once. Returns how many entries have one, and had none before: their values. */
static uint64_t settle_level(struct value_level *level, uint8_t *seen)
{
    uint64_t entries = 0;
    size_t kept = 0;
    qsort(level->state, level->count, sizeof *level->state, by_entry);
    for (size_t i = 0; i < level->count; i++) {
        const uint64_t entry = level->state[i].entry;
        if (i > 0 && by_entry(&level->state[i], &level->state[i - 1]) == 0)
            continue;
        entries += (seen[entry / 8] >> entry % 8 & 1) == 0;
        seen[entry / 8] |= (uint8_t)(1u << entry % 8);
        level->state[kept++] = level->state[i];
    }
    level->count = kept;
    return entries;
}

/* Reads the published counts of the pattern with that first tile. */
static unsigned read_histogram(FILE *file, unsigned first_tile, uint64_t *counts)
{
    char line[256];
    bool mine = false;
    unsigned values = 0;
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *tile = strstr(line, "first tile ");
        const char *value = strstr(line, "value ");
        const char *entries = strstr(line, "entries ");
        if (tile != NULL)
            mine = strtoul(tile + strlen("first tile "), NULL, 10) == first_tile;
        if (!mine || tile != NULL || value == NULL || entries == NULL)
            continue;
        counts[strtoul(value + strlen("value "), NULL, 10) % 256] =
            strtoul(entries + strlen("entries "), NULL, 10);
        values++;
    }
    return values;
}

/* Goes from the goal upwards by the table's bits alone, while a level has no more than that many states. */
static void check_histogram(FILE *file, const struct pdb *pdb, unsigned number, unsigned first_tile,
                            uint64_t most)
{
    const struct pdb_slot *slot = &pdb->slot[number];
    struct value_level level = {0};
    uint64_t counts[256] = {0};
    unsigned value = 0;
    const unsigned values = read_histogram(file, first_tile, counts);
    uint8_t *seen = calloc(rank_count(slot->rank->cells, slot->rank->tiles) / 8 + 1, 1);
    assert_non_null(seen);
    add_state(&level, pdb, slot, (struct pdb_place){slot->home, 0}, (unsigned)__builtin_ctzll(slot->region));
    for (; level.count > 0 && level.count <= most; value++) {
        struct value_level next = {0};
        const uint64_t entries = settle_level(&level, seen);
        if (entries != counts[value])
            fail_msg("%lu entries of value %u", (unsigned long)entries, value);
        for (size_t i = 0; i < level.count; i++)
            add_farther(&next, pdb, slot, &level.state[i], value);
        free(level.state);
        level = next;
    }
    assert_true(value > 10 && (level.count > 0 || value >= values));
    free(level.state);
    free(seen);
}

TEST(the_7_8_pair_has_the_published_histograms)
{
    if (SANITIZED)
        skip();
    const char *most = getenv("PUZZLED_HISTOGRAM_STATES"); /* all values of the pattern of 7: 100000000 */
    struct pdb *pdb = open_databases("4x4", 15, "7-8", 2);
    FILE *file = test_data("pdb15_7-8_histograms.txt");
    /* The published goal has its blank first: turned by 180 degrees. */
    check_histogram(file, pdb, 0, 1, most != NULL ? strtoull(most, NULL, 10) : 1000000);
    check_histogram(file, pdb, 1, 8, 1000000);
    (void)fclose(file);
    assert_true(atomic_load(&pdb->budget->peak) < (uint64_t)500 << 20);
    pdb_close(pdb);
}
