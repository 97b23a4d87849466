/* SPDX-License-Identifier: MIT */
#include "solve/pdb/build.h"

#include "base/memory.h"
#include "solve/pdb/build_parts.h"
#include "solve/pdb/popcount.h"
#include "solve/pdb/resume.h"

#include <string.h>

/* Counts bits: has to become part of the function that is compiled for it. */
#define INLINE static inline __attribute__((always_inline))

enum {
    BLOCK_ORDERS = 1 << 17,
    LISTED_SETS = 4096, /* between two looks at the world while components are listed: a few milliseconds */
    ORDERS_MAX = 40320,
    WORDS_MAX = (ORDERS_MAX + 63) / 64
};

uint64_t pdb_build_bytes(const struct grid *grid, unsigned tiles)
{
    /* Three components a set: a 4x4 cut by 8 tiles has 2.7 on average, larger grids and smaller patterns
     * fewer. */
    uint64_t orders = rank_count(tiles, tiles);
    uint64_t sets = rank_count(grid->cells, tiles) / orders;
    uint64_t words = (orders + 63) / 64;
    return sets * (sizeof(uint64_t) + sizeof(uint32_t)) + sets * 3 * (words + 1) * sizeof(uint64_t) +
           sets * 3;
}

/* ---- the list of sets and components ---- */

static void list_masks(struct build *build)
{
    uint64_t mask = ((uint64_t)1 << build->rank->tiles) - 1;
    for (uint32_t set = 0; set < build->rank->sets; set++) {
        build->mask[set] = mask;
        uint64_t lowest = mask & (0 - mask); /* the next mask with as many bits: Gosper's hack */
        uint64_t ripple = mask + lowest;
        mask = ripple == 0 ? 0 : ripple | (((mask ^ ripple) >> 2) / lowest);
    }
}

/* Cuts the free cells of every set into components; with regions NULL only counts. Left early when the build
 * is to end. */
static uint32_t list_components(struct build *build, uint64_t *regions)
{
    uint64_t all = ((uint64_t)1 << build->grid->cells) - 1;
    uint32_t count = 0;
    for (uint32_t set = 0; set < build->rank->sets; set++) {
        if (set % LISTED_SETS == 0)
            build->halted = pace_poll(build->pace);
        if (build->halted != PZ_OK)
            return 0;
        build->first[set] = count;
        for (uint64_t open = all & ~build->mask[set]; open != 0; count++) {
            uint64_t region = mask_region(build->grid, open, (unsigned)__builtin_ctzll(open));
            open &= ~region;
            if (regions != NULL)
                regions[count] = region;
        }
    }
    build->first[build->rank->sets] = count;
    return count;
}

static void *map_from(struct budget *budget, size_t *taken, size_t bytes, enum memory_pages pages)
{
    if (budget != NULL && !budget_take(budget, bytes))
        return NULL;
    void *memory = memory_map(bytes, pages);
    if (memory == NULL && budget != NULL)
        budget_give(budget, bytes);
    if (memory != NULL)
        *taken = bytes;
    return memory;
}

static void unmap_to(struct budget *budget, void *memory, size_t bytes)
{
    if (memory == NULL)
        return;
    memory_unmap(memory, bytes);
    if (budget != NULL)
        budget_give(budget, bytes);
}

/* PZ_MEMORY, or why the build is to end. */
static enum pz_status build_lists(struct build *build, struct budget *budget)
{
    size_t sets = build->rank->sets;
    build->mask = map_from(budget, &build->index_bytes,
                           sets * sizeof *build->mask + (sets + 1) * sizeof *build->first, MEMORY_HUGE_PAGES);
    if (build->mask == NULL)
        return PZ_MEMORY;
    build->first = (uint32_t *)(build->mask + sets);
    list_masks(build);
    build->components = list_components(build, NULL);
    if (build->halted != PZ_OK)
        return build->halted;
    size_t count = build->components;
    build->region = map_from(budget, &build->region_bytes,
                             count * (sizeof *build->region + sizeof *build->live), MEMORY_HUGE_PAGES);
    if (build->region == NULL)
        return PZ_MEMORY;
    build->live = (uint8_t *)(build->region + count);
    (void)list_components(build, build->region);
    if (build->halted != PZ_OK)
        return build->halted;
    build->plane =
        map_from(budget, &build->plane_bytes, count * build->words * sizeof *build->plane, MEMORY_HUGE_PAGES);
    return build->plane != NULL ? PZ_OK : PZ_MEMORY;
}

static void build_clear(struct build *build, struct budget *budget)
{
    unmap_to(budget, build->mask, build->index_bytes);
    unmap_to(budget, build->region, build->region_bytes);
    unmap_to(budget, build->plane, build->plane_bytes);
}

/* ---- one level ---- */

static inline uint32_t component_at(const struct build *build, uint32_t set, unsigned cell)
{
    uint32_t component = build->first[set];
    while ((build->region[component] >> cell & 1) == 0)
        component++;
    return component;
}

static inline void join_turned(uint64_t *next, const uint64_t *source, uint32_t words, const uint16_t *turn)
{
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t bits = source[word]; bits != 0; bits &= bits - 1) {
            uint16_t order = turn[word * 64 + (uint32_t)__builtin_ctzll(bits)];
            next[order / 64] |= (uint64_t)1 << order % 64;
        }
    }
}

static inline void join(uint64_t *next, const uint64_t *source, uint32_t words)
{
    for (uint32_t word = 0; word < words; word++)
        next[word] |= source[word];
}

/* Joins what comes into (set, component) when the tile now at `home` came from `free` in the component. */
INLINE bool pull_edge(const struct build *build, uint64_t mask, unsigned home, unsigned free_cell,
                      uint64_t *next)
{
    const struct rank *rank = build->rank;
    uint64_t before = mask ^ (uint64_t)1 << home ^ (uint64_t)1 << free_cell;
    uint32_t component = component_at(build, rank_set(rank, before), home);
    if (!build->live[component])
        return false;
    const uint64_t *source = build->plane + (size_t)component * build->words;
    unsigned from = rank_index(before, free_cell);
    unsigned to = rank_index(mask, home);
    if (from == to)
        join(next, source, build->words);
    else
        join_turned(next, source, build->words, rank_turn(rank, from, to));
    return true;
}

INLINE bool pull(const struct build *build, uint64_t mask, uint64_t region, uint64_t *next)
{
    bool any = false;
    for (uint64_t cells = region; cells != 0; cells &= cells - 1) {
        unsigned free_cell = (unsigned)__builtin_ctzll(cells);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            unsigned home = build->grid->neighbour[free_cell][d];
            if (home == GRID_NO_CELL || (mask >> home & 1) == 0)
                continue;
            if (!any)
                memset(next, 0, build->words * sizeof *next);
            any |= pull_edge(build, mask, home, free_cell, next);
        }
    }
    return any;
}

/* Keeps what is new of `next` as the component's run, and notes the distance where it is the first. */
INLINE uint64_t settle(struct build *build, uint32_t set, uint32_t component, const uint64_t *next)
{
    uint64_t *run = build->plane + (size_t)component * build->words;
    uint8_t *distances = build->table + (size_t)set * build->rank->turns->orders;
    uint64_t fresh = 0;
    for (uint32_t word = 0; word < build->words; word++) {
        uint64_t bits = next[word] & ~run[word];
        run[word] = bits;
        fresh += (uint64_t)__builtin_popcountll(bits);
        for (; bits != 0; bits &= bits - 1) {
            uint8_t *distance = &distances[word * 64 + (uint32_t)__builtin_ctzll(bits)];
            if (*distance == PDB_UNREACHED)
                *distance = (uint8_t)build->distance;
        }
    }
    build->live[component] = fresh > 0;
    return fresh;
}

INLINE uint64_t advance_set(struct build *build, uint32_t set, uint64_t *next)
{
    uint64_t fresh = 0;
    for (uint32_t component = build->first[set]; component < build->first[set + 1]; component++) {
        if (pull(build, build->mask[set], build->region[component], next)) {
            fresh += settle(build, set, component, next);
        } else if (build->live[component]) {
            memset(build->plane + (size_t)component * build->words, 0, build->words * sizeof *next);
            build->live[component] = 0;
        }
    }
    return fresh;
}

INLINE uint64_t advance_body(struct build *build, uint32_t begin, uint32_t end, uint64_t *next)
{
    uint64_t fresh = 0;
    for (uint32_t set = begin; set < end; set++)
        if (colour_of(build, build->mask[set]) == build->colour)
            fresh += advance_set(build, set, next);
    return fresh;
}

static uint64_t advance_plain(struct build *build, uint32_t begin, uint32_t end, uint64_t *next)
{
    return advance_body(build, begin, end, next);
}

POPCOUNT_TARGET static uint64_t advance_popcount(struct build *build, uint32_t begin, uint32_t end,
                                                 uint64_t *next)
{
    return advance_body(build, begin, end, next);
}

static void owner_poll(struct build *build, uint32_t set)
{
    build->pace->progress.done = (double)set / build->rank->sets;
    build->halted = pace_poll(build->pace);
    if (build->halted != PZ_OK)
        atomic_store_explicit(&build->halt, true, memory_order_relaxed);
    else
        resume_look_after(build);
}

/* Takes the next block of sets; false when there is none or the build is to end. */
static bool take_block(struct build *build, uint32_t *begin, uint32_t *end)
{
    uint32_t sets = build->rank->sets;
    if (atomic_load_explicit(&build->halt, memory_order_relaxed))
        return false;
    *begin = atomic_fetch_add_explicit(&build->next_set, build->block, memory_order_relaxed);
    if (*begin >= sets)
        return false;
    *end = sets - *begin < build->block ? sets : *begin + build->block;
    return true;
}

/* The first touch of the table's pages: as much work as several levels. */
static void member_clear(void *context, unsigned member)
{
    struct build *build = context;
    size_t orders = build->rank->turns->orders;
    uint32_t begin;
    uint32_t end;
    while (take_block(build, &begin, &end)) {
        memset(build->table + begin * orders, PDB_UNREACHED, (end - begin) * orders);
        if (member == 0)
            owner_poll(build, end);
    }
}

static void member_level(void *context, unsigned member)
{
    struct build *build = context;
    uint64_t next[WORDS_MAX];
    uint64_t fresh = 0;
    bool popcount = POPCOUNT_PRESENT;
    uint32_t begin;
    uint32_t end;
    while (take_block(build, &begin, &end)) {
        if (build->snapshot != NULL)
            snapshot_guard(build->snapshot, build->colour, begin / build->block, member == 0);
        fresh +=
            popcount ? advance_popcount(build, begin, end, next) : advance_plain(build, begin, end, next);
        if (member == 0)
            owner_poll(build, end);
    }
    atomic_fetch_add_explicit(&build->fresh, fresh, memory_order_relaxed);
}

/* ---- the whole ---- */

static void place_goal(struct build *build, const struct shape *shape)
{
    uint32_t set = rank_set(build->rank, shape->cells);
    uint32_t component = component_at(build, set, (unsigned)__builtin_ctzll(shape->region));
    build->plane[(size_t)component * build->words] = 1; /* order 0: the tiles in the order of their cells */
    build->live[component] = 1;
    build->table[(size_t)set * build->rank->turns->orders] = 0;
}

static uint64_t odd_cells(const struct grid *grid)
{
    uint64_t odd = 0;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        if ((cell / grid->columns + cell % grid->columns) % 2 == 1)
            odd |= (uint64_t)1 << cell;
    return odd;
}

/* The place to begin at: where a checkpoint was left, or at home. */
static enum pz_status begin_levels(struct build *build, const struct shape *shape, struct build_place *place)
{
    team_run(build->team, member_clear, build);
    if (build->halted == PZ_OK && !resume_load(build, place)) {
        /* A checkpoint may have been read in part. */
        memset(build->plane, 0, (size_t)build->components * build->words * sizeof *build->plane);
        memset(build->live, 0, build->components);
        atomic_store_explicit(&build->next_set, 0, memory_order_relaxed);
        team_run(build->team, member_clear, build);
        place_goal(build, shape);
        *place = (struct build_place){.distance = 1, .frontier = 1, .states = 1};
    }
    return build->halted;
}

/* The level at the place, from the block on that comes next. */
static enum pz_status make_level(struct build *build, struct build_place *place)
{
    struct progress *progress = &build->pace->progress;
    progress->level = place->distance;
    progress->frontier = place->frontier;
    progress->states = place->states;
    build->distance = place->distance;
    build->colour = build->home_colour ^ (place->distance & 1);
    atomic_store_explicit(&build->next_set, place->first * build->block, memory_order_relaxed);
    atomic_store_explicit(&build->fresh, place->fresh, memory_order_relaxed);
    team_run(build->team, member_level, build);
    uint64_t fresh = atomic_load_explicit(&build->fresh, memory_order_relaxed);
    if (build->halted != PZ_OK) {
        uint32_t next = atomic_load_explicit(&build->next_set, memory_order_relaxed) / build->block;
        place->first = next < build_blocks(build) ? next : build_blocks(build);
        place->fresh = fresh;
        return build->halted;
    }
    *place = (struct build_place){
        .distance = place->distance + 1, .frontier = fresh, .states = place->states + fresh};
    return PZ_OK;
}

static enum pz_status run_levels(struct build *build, const struct shape *shape, struct pz_error *error)
{
    struct build_place place;
    build->odd = odd_cells(build->grid);
    build->home_colour = colour_of(build, shape->cells);
    enum pz_status status = begin_levels(build, shape, &place);
    while (status == PZ_OK && place.frontier > 0) {
        if (place.distance == PDB_UNREACHED)
            return pz_fail(error, PZ_INTERNAL, "a pattern of %u tiles is farther than %d moves from home",
                           build->rank->tiles, PDB_UNREACHED - 1);
        status = make_level(build, &place);
        resume_level_ended(build, &place, status);
    }
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "building a pattern database was stopped");
}

enum pz_status pdb_build(const struct grid *grid, const struct shape *shape, const struct rank *rank,
                         struct team *team, struct pace *pace, struct budget *budget,
                         struct checkpointer *checkpointer, uint8_t *table, struct pz_error *error)
{
    struct build build = {
        .grid = grid, .rank = rank, .team = team, .pace = pace, .checkpointer = checkpointer};
    build.table = table;
    build.words = (rank->turns->orders + 63) / 64;
    build.block = BLOCK_ORDERS / rank->turns->orders;
    enum pz_status status = build_lists(&build, budget);
    if (status == PZ_OK)
        status = resume_init(&build, budget, error);
    else if (status == PZ_MEMORY)
        (void)pz_fail(error, status, "not enough memory to build a pattern database of %u tiles",
                      rank->tiles);
    else
        (void)pz_fail(error, status, "building a pattern database was stopped");
    if (status == PZ_OK)
        status = run_levels(&build, shape, error);
    snapshot_free(build.snapshot);
    build_clear(&build, budget);
    return status;
}
