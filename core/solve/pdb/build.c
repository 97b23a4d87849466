/* SPDX-License-Identifier: MIT */
#include "solve/pdb/build.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/log.h"
#include "explore/run/monitor.h"
#include "solve/pdb/processor.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ORDERS = 1 << 17, ORDERS_MAX = 40320, WORDS_MAX = (ORDERS_MAX + 63) / 64, RUN_PARTS = 4 };

struct build {
    const struct grid *grid;
    const struct rank *rank;
    const struct components *components;
    struct team *team;
    struct monitor *monitor;
    uint64_t *bits;   /* the table's runs */
    uint16_t *turned; /* rank_turn_table */

    uint64_t *plane; /* of each component: words, the newest level of the set's colour */
    uint8_t *live;   /* of each component: 1 if its run there holds any state */
    size_t plane_bytes;
    uint32_t words; /* of one component's run */
    uint32_t block; /* sets that a thread takes at once */

    uint64_t odd;              /* mask_odd_cells */
    unsigned home_colour;      /* of the goal's set */
    uint32_t distance;         /* of the level being made */
    unsigned colour;           /* of the sets that lie on it */
    _Atomic uint32_t next_set; /* every worker takes blocks from here */
    _Atomic uint64_t fresh;    /* states found in this level; every worker adds */
    _Atomic bool halt;         /* written by the owner: workers leave the level */
    enum pz_status halted;     /* why; the owner's */
};

/* Takes memory for the planes and the turns. */
static enum pz_status build_planes(struct build *build, struct budget *budget, struct pz_error *error)
{
    const size_t count = build->components->count;
    build->plane_bytes = count * (build->words * sizeof *build->plane + 1);
    build->plane = budget_map(budget, build->plane_bytes);
    build->turned = build->plane != NULL ? rank_turn_table(build->rank) : NULL;
    if (build->turned == NULL)
        return pz_fail(error, PZ_MEMORY, "not enough memory to build a pattern database of %u tiles",
                       build->rank->tiles);
    build->live = (uint8_t *)(build->plane + count * build->words);
    return PZ_OK;
}

static void build_clear(struct build *build, struct budget *budget)
{
    budget_unmap(budget, build->plane, build->plane_bytes);
    free(build->turned);
}

/* ---- one level ---- */

static inline uint32_t component_at(const struct build *build, uint32_t set, unsigned cell)
{
    uint32_t component = build->components->first[set];
    while ((build->components->region[component] >> cell & 1) == 0)
        component++;
    return component;
}

/* A run in parts, of which it is the union. Neighbouring bits go to different parts: to add them to one word,
 * one after the other, would wait for each write. */
struct parts_of_run {
    uint64_t part[RUN_PARTS][WORDS_MAX];
};

static inline void join_turned(struct parts_of_run *next, const uint64_t *source, uint32_t words,
                               const uint16_t *turn)
{
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t bits = source[word]; bits != 0; bits &= bits - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(bits);
            const uint16_t order = turn[word * 64 + bit];
            next->part[bit % RUN_PARTS][order / 64] |= (uint64_t)1 << order % 64;
        }
    }
}

static inline void join_unturned(struct parts_of_run *next, const uint64_t *source, uint32_t words)
{
    for (uint32_t word = 0; word < words; word++)
        next->part[0][word] |= source[word];
}

static inline void clear_parts(struct parts_of_run *next, uint32_t words)
{
    for (unsigned i = 0; i < RUN_PARTS; i++)
        memset(next->part[i], 0, words * sizeof next->part[i][0]);
}

/* Joins the states that come into (set, component) by the move of a tile from `free_cell` to `home`. */
INLINE bool pull_edge(const struct build *build, uint64_t mask, unsigned home, unsigned free_cell,
                      struct parts_of_run *next)
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
        join_unturned(next, source, build->words);
    else
        join_turned(next, source, build->words,
                    build->turned + (size_t)(from * rank->tiles + to) * rank->turns->orders);
    return true;
}

INLINE bool pull_runs(const struct build *build, uint64_t mask, uint64_t region, struct parts_of_run *next)
{
    bool any = false;
    for (uint64_t cells = region; cells != 0; cells &= cells - 1) {
        unsigned free_cell = (unsigned)__builtin_ctzll(cells);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            unsigned home = build->grid->neighbour[free_cell][d];
            if (home == GRID_NO_CELL || (mask >> home & 1) == 0)
                continue;
            if (!any)
                clear_parts(next, build->words);
            any |= pull_edge(build, mask, home, free_cell, next);
        }
    }
    return any;
}

/* Keeps the new states of `next` as the component's run, and writes the table's bit of their distance. */
INLINE uint64_t settle(struct build *build, uint32_t component, const struct parts_of_run *next)
{
    uint64_t *run = build->plane + (size_t)component * build->words;
    uint64_t *bits = build->bits + (size_t)component * build->words;
    const uint64_t written = (build->distance & 2) != 0 ? UINT64_MAX : 0;
    uint64_t fresh = 0;
    for (uint32_t word = 0; word < build->words; word++) {
        uint64_t all = 0;
        for (unsigned i = 0; i < RUN_PARTS; i++)
            all |= next->part[i][word];
        run[word] = all & ~run[word];
        bits[word] |= run[word] & written;
        fresh += (uint64_t)__builtin_popcountll(run[word]);
    }
    build->live[component] = fresh > 0;
    return fresh;
}

INLINE uint64_t advance_set(struct build *build, uint32_t set, struct parts_of_run *next)
{
    const struct components *components = build->components;
    uint64_t fresh = 0;
    for (uint32_t component = components->first[set]; component < components->first[set + 1]; component++) {
        if (pull_runs(build, components->mask[set], components->region[component], next)) {
            fresh += settle(build, component, next);
        } else if (build->live[component]) {
            memset(build->plane + (size_t)component * build->words, 0, build->words * sizeof *build->plane);
            build->live[component] = 0;
        }
    }
    return fresh;
}

INLINE uint64_t advance_body(struct build *build, uint32_t begin, uint32_t end, struct parts_of_run *next)
{
    uint64_t fresh = 0;
    for (uint32_t set = begin; set < end; set++)
        if (mask_colour(build->odd, build->components->mask[set]) == build->colour)
            fresh += advance_set(build, set, next);
    return fresh;
}

static uint64_t advance_plain(struct build *build, uint32_t begin, uint32_t end, struct parts_of_run *next)
{
    return advance_body(build, begin, end, next);
}

V3_TARGET static uint64_t advance_v3(struct build *build, uint32_t begin, uint32_t end,
                                     struct parts_of_run *next)
{
    return advance_body(build, begin, end, next);
}

static void poll_build(struct build *build, uint32_t set)
{
    build->monitor->progress.done = (double)set / build->rank->sets;
    build->halted = monitor_poll(build->monitor);
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

static void worker_level(void *context, unsigned worker)
{
    struct build *build = context;
    struct parts_of_run next;
    uint64_t fresh = 0;
    const bool v3 = V3_PRESENT;
    uint32_t begin;
    uint32_t end;
    while (take_block(build, &begin, &end)) {
        fresh += v3 ? advance_v3(build, begin, end, &next) : advance_plain(build, begin, end, &next);
        if (worker == 0)
            poll_build(build, end);
    }
    atomic_fetch_add_explicit(&build->fresh, fresh, memory_order_relaxed);
}

/* ---- the whole ---- */

static void place_goal(struct build *build, const struct partition_shape *shape)
{
    uint32_t set = rank_set(build->rank, shape->cells);
    uint32_t component = component_at(build, set, (unsigned)__builtin_ctzll(shape->region));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): build_planes has made both */
    build->plane[(size_t)component * build->words] = 1; /* order 0: the tiles in the order of their cells */
    build->live[component] = 1; /* NOLINT(clang-analyzer-core.NullDereference): as above */
}

/* Makes the next level. Returns how many states it has. */
static uint64_t make_build_level(struct build *build, uint64_t frontier, uint64_t states)
{
    struct progress *progress = &build->monitor->progress;
    progress->level = build->distance;
    progress->frontier = frontier;
    progress->states = states;
    build->colour = build->home_colour ^ (build->distance & 1);
    atomic_store_explicit(&build->next_set, 0, memory_order_relaxed);
    atomic_store_explicit(&build->fresh, 0, memory_order_relaxed);
    team_run(build->team, worker_level, build);
    return atomic_load_explicit(&build->fresh, memory_order_relaxed);
}

static enum pz_status build_levels(struct build *build, const struct partition_shape *shape,
                                   struct pz_error *error)
{
    uint64_t states = 1;
    build->odd = mask_odd_cells(build->grid);
    build->home_colour = mask_colour(build->odd, shape->cells);
    place_goal(build, shape);
    for (uint64_t frontier = 1; frontier > 0 && build->halted == PZ_OK; states += frontier) {
        if (++build->distance > UINT8_MAX)
            return pz_fail(error, PZ_INTERNAL, "a pattern of %u tiles is farther than %d moves from home",
                           build->rank->tiles, UINT8_MAX);
        frontier = make_build_level(build, frontier, states);
    }
    if (build->halted != PZ_OK)
        return pz_fail(error, build->halted, "building a pattern database was stopped");
    return PZ_OK;
}

enum pz_status pdb_build(const struct table_build *request, struct pz_error *error)
{
    assert(request->team != NULL && request->monitor != NULL && request->bits != NULL);
    const struct rank *rank = request->components->rank;
    struct build build = {
        .grid = request->grid,
        .rank = rank,
        .components = request->components,
        .team = request->team,
        .monitor = request->monitor,
        .bits = request->bits,
        .words = rank_run_words(rank),
        .block = BLOCK_ORDERS / rank->turns->orders,
    };
    enum pz_status status = build_planes(&build, request->budget, error);
    if (status == PZ_OK)
        status = build_levels(&build, request->shape, error);
    build_clear(&build, request->budget);
    return status;
}

static struct {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool taken;
} build_turn = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

enum pz_status build_turn_take(struct control *control, struct pz_error *error)
{
    enum { WAIT_NS = 20000000 };
    struct monitor monitor;
    enum pz_status status = PZ_OK;
    monitor_init(&monitor, control, NULL, "wait");
    (void)pthread_mutex_lock(&build_turn.lock);
    while (build_turn.taken && status == PZ_OK) {
        clock_wait(&build_turn.ended, &build_turn.lock, WAIT_NS);
        (void)pthread_mutex_unlock(&build_turn.lock);
        status = monitor_poll(&monitor);
        (void)pthread_mutex_lock(&build_turn.lock);
    }
    if (status == PZ_OK)
        build_turn.taken = true;
    (void)pthread_mutex_unlock(&build_turn.lock);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "waiting for another build was stopped");
}

void build_turn_give(void)
{
    (void)pthread_mutex_lock(&build_turn.lock);
    build_turn.taken = false;
    (void)pthread_cond_broadcast(&build_turn.ended);
    (void)pthread_mutex_unlock(&build_turn.lock);
}

enum pz_status archive_load_fitting(const struct pattern_archive *archive, const char *name,
                                    archive_fits *fits, const void *context, const uint8_t **bytes,
                                    size_t *length, struct pz_error *error)
{
    struct pz_error why = {.code = PZ_OK};
    struct log_quote reason;
    if (*bytes != NULL || archive == NULL)
        return *bytes != NULL ? PZ_OK : PZ_NO_TABLE;
    enum pz_status status = archive->load(archive->context, name, bytes, length, &why);
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "loading a pattern database was stopped");
    if (status == PZ_OK && !fits(context, *bytes, *length)) {
        archive->release(archive->context, *bytes);
        status = pz_fail(&why, PZ_STORAGE, "%zu bytes", *length);
    }
    if (status == PZ_OK)
        return PZ_OK;
    *bytes = NULL;
    if (status != PZ_NO_TABLE)
        log_event(LOG_LEVEL_WARNING, 0, "event=pdb-rebuild table=%.200s reason=\"%s\"", name,
                  log_quote(&reason, why.text));
    return PZ_NO_TABLE;
}

enum pz_status archive_save_built(const struct pattern_archive *archive, const char *name,
                                  const uint8_t *bytes, size_t length, struct pz_error *error)
{
    struct pz_error why = {.code = PZ_OK};
    struct log_quote reason;
    assert(bytes != NULL && length > 0);
    if (archive == NULL)
        return PZ_OK;
    enum pz_status status = archive->save(archive->context, name, bytes, length, &why);
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "saving a pattern database was stopped");
    if (status != PZ_OK)
        log_event(LOG_LEVEL_WARNING, 0, "event=pdb-not-saved table=%.200s reason=\"%s\"", name,
                  log_quote(&reason, why.text));
    return PZ_OK;
}
