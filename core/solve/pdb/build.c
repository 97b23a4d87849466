/* SPDX-License-Identifier: MIT */
#include "solve/pdb/build.h"

#include "base/memory.h"
#include "solve/pdb/processor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Inlined, so that it is compiled for the processor level of its caller. */
#define INLINE static inline __attribute__((always_inline))

enum {
    BLOCK_ORDERS = 1 << 17,
    LISTED_SETS = 4096, /* between two looks at the world while components are listed: a few milliseconds */
    ORDERS_MAX = 40320,
    WORDS_MAX = (ORDERS_MAX + 63) / 64
};

struct build {
    const struct grid *grid;
    const struct rank *rank;
    struct team *team;
    struct progress_timer *timer;
    uint8_t *table;
    uint16_t *turned; /* rank_turn_table */

    uint64_t *mask;      /* of each set */
    uint32_t *first;     /* each set's first component; sets + 1 of them */
    uint64_t *region;    /* of each component */
    uint8_t *live;       /* of each component: 1 if its run holds any state */
    uint64_t *plane;     /* of each component: words, the newest level of the set's colour */
    size_t index_bytes;  /* of mask and first */
    size_t region_bytes; /* of region and live */
    size_t plane_bytes;
    uint32_t components;
    uint32_t words; /* of one component's run */
    uint32_t block; /* sets that a thread takes at once */

    uint64_t odd;              /* the cells of one of the two colours */
    unsigned home_colour;      /* of the goal's set */
    uint32_t distance;         /* of the level being made */
    unsigned colour;           /* of the sets that lie on it: their number of odd cells mod 2 */
    _Atomic uint32_t next_set; /* every member takes blocks from here */
    _Atomic uint64_t fresh;    /* states found in this level; every member adds */
    _Atomic bool halt;         /* written by the owner: members leave the level */
    enum pz_status halted;     /* why; the owner's */
};

static inline unsigned colour_of(const struct build *build, uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask & build->odd) & 1;
}

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

/* Cuts the free cells of every set into components, or only counts these with regions NULL. Returns their
 * number; 0 when the build is to end. */
static uint32_t list_components(struct build *build, uint64_t *regions)
{
    uint64_t all = ((uint64_t)1 << build->grid->cells) - 1;
    uint32_t count = 0;
    for (uint32_t set = 0; set < build->rank->sets; set++) {
        if (set % LISTED_SETS == 0)
            build->halted = progress_timer_poll(build->timer);
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
    build->turned = rank_turn_table(build->rank);
    return build->plane != NULL && build->turned != NULL ? PZ_OK : PZ_MEMORY;
}

static void build_clear(struct build *build, struct budget *budget)
{
    unmap_to(budget, build->mask, build->index_bytes);
    unmap_to(budget, build->region, build->region_bytes);
    unmap_to(budget, build->plane, build->plane_bytes);
    free(build->turned);
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

/* Joins the states that come into (set, component) by the move of a tile from `free_cell` to `home`. */
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
        join_turned(next, source, build->words,
                    build->turned + (size_t)(from * rank->tiles + to) * rank->turns->orders);
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

/* Keeps the new states of `next` as the component's run. Notes the distance of those that have none yet. */
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

V3_TARGET static uint64_t advance_v3(struct build *build, uint32_t begin, uint32_t end, uint64_t *next)
{
    return advance_body(build, begin, end, next);
}

static void owner_poll(struct build *build, uint32_t set)
{
    build->timer->progress.done = (double)set / build->rank->sets;
    build->halted = progress_timer_poll(build->timer);
    if (build->halted != PZ_OK)
        atomic_store_explicit(&build->halt, true, memory_order_relaxed);
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

/* Clears the table on all threads: to touch its pages first is as much work as several levels. */
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
    const bool v3 = V3_PRESENT;
    uint32_t begin;
    uint32_t end;
    while (take_block(build, &begin, &end)) {
        fresh += v3 ? advance_v3(build, begin, end, next) : advance_plain(build, begin, end, next);
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

static enum pz_status stopped(const struct build *build, struct pz_error *error)
{
    return pz_fail(error, build->halted, "building a pattern database was stopped");
}

/* Makes the next level. Returns how many states it has. */
static uint64_t make_level(struct build *build, uint64_t frontier, uint64_t states)
{
    struct progress *progress = &build->timer->progress;
    progress->level = build->distance;
    progress->frontier = frontier;
    progress->states = states;
    build->colour = build->home_colour ^ (build->distance & 1);
    atomic_store_explicit(&build->next_set, 0, memory_order_relaxed);
    atomic_store_explicit(&build->fresh, 0, memory_order_relaxed);
    team_run(build->team, member_level, build);
    return atomic_load_explicit(&build->fresh, memory_order_relaxed);
}

static enum pz_status run_levels(struct build *build, const struct shape *shape, struct pz_error *error)
{
    uint64_t states = 1;
    build->odd = odd_cells(build->grid);
    build->home_colour = colour_of(build, shape->cells);
    team_run(build->team, member_clear, build);
    place_goal(build, shape);
    for (uint64_t frontier = 1; frontier > 0 && build->halted == PZ_OK; states += frontier) {
        if (++build->distance == PDB_UNREACHED)
            return pz_fail(error, PZ_INTERNAL, "a pattern of %u tiles is farther than %d moves from home",
                           build->rank->tiles, PDB_UNREACHED - 1);
        frontier = make_level(build, frontier, states);
    }
    return build->halted == PZ_OK ? PZ_OK : stopped(build, error);
}

enum pz_status pdb_build(const struct table_build *request, struct pz_error *error)
{
    const struct rank *rank = request->rank;
    struct build build = {
        .grid = request->grid,
        .rank = rank,
        .team = request->team,
        .timer = request->timer,
        .table = request->table,
        .words = (rank->turns->orders + 63) / 64,
        .block = BLOCK_ORDERS / rank->turns->orders,
    };
    enum pz_status status = build_lists(&build, request->budget);
    if (status == PZ_OK)
        status = run_levels(&build, request->shape, error);
    else if (status == PZ_MEMORY)
        (void)pz_fail(error, status, "not enough memory to build a pattern database of %u tiles",
                      rank->tiles);
    else
        status = stopped(&build, error);
    build_clear(&build, request->budget);
    return status;
}
