/* SPDX-License-Identifier: MIT */
#include "solve/pdb/components.h"

#include "base/budget.h"
#include "solve/pdb/partition.h"

#include <assert.h>

enum { LISTED_SETS = 4096 /* between two looks at the world: a few milliseconds */ };

static void list_masks(struct components *components)
{
    uint64_t mask = ((uint64_t)1 << components->rank->tiles) - 1;
    for (uint32_t set = 0; set < components->rank->sets; set++) {
        components->mask[set] = mask;
        uint64_t lowest = mask & (0 - mask); /* the next mask with as many bits: Gosper's hack */
        uint64_t ripple = mask + lowest;
        mask = ripple == 0 ? 0 : ripple | (((mask ^ ripple) >> 2) / lowest);
    }
}

/* Cuts the free cells of every set, or only counts the components while there is no room for regions. */
static enum pz_status list_regions(struct components *components, const struct grid *grid,
                                   struct monitor *monitor)
{
    const uint64_t all = ((uint64_t)1 << grid->cells) - 1;
    uint32_t count = 0;
    for (uint32_t set = 0; set < components->rank->sets; set++) {
        enum pz_status status = set % LISTED_SETS == 0 ? monitor_poll(monitor) : PZ_OK;
        if (status != PZ_OK)
            return status;
        components->first[set] = count;
        for (uint64_t open = all & ~components->mask[set]; open != 0; count++) {
            uint64_t region = mask_region(grid, open, (unsigned)__builtin_ctzll(open));
            open &= ~region;
            if (components->region != NULL)
                components->region[count] = region;
        }
    }
    components->first[components->rank->sets] = count;
    components->count = count;
    return PZ_OK;
}

static enum pz_status list_components(struct components *components, const struct grid *grid,
                                      struct monitor *monitor)
{
    const size_t sets = components->rank->sets;
    struct budget *budget = components->budget;
    components->set_bytes = sets * sizeof *components->mask + (sets + 1) * sizeof *components->first;
    components->mask = budget_map(budget, components->set_bytes);
    if (components->mask == NULL)
        return PZ_MEMORY;
    components->first = (uint32_t *)(components->mask + sets);
    list_masks(components);
    enum pz_status status = list_regions(components, grid, monitor);
    if (status != PZ_OK)
        return status;
    components->region_bytes = components->count * sizeof *components->region;
    components->region = budget_map(budget, components->region_bytes);
    return components->region == NULL ? PZ_MEMORY : list_regions(components, grid, monitor);
}

enum pz_status components_init(struct components *components, const struct grid *grid,
                               const struct rank *rank, struct monitor *monitor, struct budget *budget,
                               struct pz_error *error)
{
    *components = (struct components){.rank = rank, .budget = budget};
    enum pz_status status = list_components(components, grid, monitor);
    if (status == PZ_MEMORY)
        return pz_fail(error, status, "not enough memory to list the places of %u tiles", rank->tiles);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "building a pattern database was stopped");
}

void components_clear(struct components *components)
{
    budget_unmap(components->budget, components->mask, components->set_bytes);
    budget_unmap(components->budget, components->region, components->region_bytes);
    *components = (struct components){0};
}

/* ---- the index ---- */

uint64_t component_regions_at(const struct rank *rank)
{
    return COMPONENT_INDEX_AT + ((uint64_t)rank->sets + 1) / 2;
}

uint64_t component_runs_at(const struct rank *rank, uint64_t count)
{
    enum { LINE_WORDS = 8 };
    const uint64_t end = rank->cells <= RANK_SMALL_CELLS ? COMPONENT_INDEX_AT + rank->sets
                                                         : component_regions_at(rank) + count;
    return (end + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
}

uint64_t component_table_words(const struct rank *rank, uint64_t count)
{
    return component_runs_at(rank, count) + count * rank_run_words(rank);
}

static uint64_t small_word(const struct components *components, uint32_t set)
{
    const uint32_t first = components->first[set];
    uint64_t word = first;
    assert(first < 1u << COMPONENT_FIRST_BITS);
    for (uint32_t component = first; component < components->first[set + 1]; component++) {
        assert(component - first < 1u << COMPONENT_CELL_BITS);
        for (uint64_t cells = components->region[component]; cells != 0; cells &= cells - 1)
            word |= (uint64_t)(component - first)
                    << (COMPONENT_FIRST_BITS + COMPONENT_CELL_BITS * (unsigned)__builtin_ctzll(cells));
    }
    return word;
}

static void write_large(const struct components *components, uint64_t *index, uint64_t *region)
{
    const uint32_t *first = components->first;
    assert(components->count < component_several);
    for (uint32_t set = 0; set < components->rank->sets; set++) {
        const uint64_t half = first[set] | (first[set + 1] > first[set] + 1 ? component_several : 0);
        index[set / 2] = set % 2 == 0 ? half : index[set / 2] | half << 32;
    }
    for (uint32_t i = 0; i < components->count; i++)
        region[i] = components->region[i];
}

void component_index_write(const struct components *components, uint64_t *table)
{
    const struct rank *rank = components->rank;
    table[0] = components->count;
    if (rank->cells > RANK_SMALL_CELLS)
        write_large(components, table + COMPONENT_INDEX_AT, table + component_regions_at(rank));
    for (uint32_t set = 0; set < rank->sets && rank->cells <= RANK_SMALL_CELLS; set++)
        table[COMPONENT_INDEX_AT + set] = small_word(components, set);
}

/* ---- the finder ---- */

void component_finder_write(const struct rank *rank, const uint64_t *table, uint64_t *finder)
{
    const uint64_t *region = table + component_regions_at(rank);
    for (uint32_t set = rank->sets, next = (uint32_t)table[0]; set-- > 0;) {
        const uint64_t word = table[component_word_at(rank, set)];
        const uint32_t first = component_first(rank, word, set);
        const uint64_t second = next - first == 2 ? region[first + 1] : 0;
        assert(next > first);
        finder[set] = first | second << COMPONENT_SECOND_AT;
        if (next - first > 2 || second >> COMPONENT_SECOND_CELLS != 0 ||
            (next - first == 2 && rank->cells > COMPONENT_SECOND_CELLS))
            finder[set] = first | component_several;
        next = first;
    }
}
