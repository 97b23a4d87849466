/* SPDX-License-Identifier: MIT */
#include "explore/dense/level.h"

#include "base/clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANGE_CLASSES = 181440, /* 9!/2: what a run edge of a narrow path closes over stays in one range */
    NARROW_STATES = 4096
};

/* What one thread has for itself. */
struct worker {
    struct kernel_block block;
    struct kernel_scratch scratch;
    _Alignas(64) uint8_t gathered[DENSE_EDGES_MAX][KERNEL_STAGE];
    uint8_t digit[DENSE_PLACES_MAX]; /* of the block: the digits before it */
    unsigned parity;                 /* of their sum */
    uint64_t states;                 /* found in this level */
    uint64_t blocks;                 /* advanced in this level */
};

/* The padding keeps the counter, which every member writes, off the lines that every member reads. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct level_runner {
    _Alignas(64) _Atomic uint64_t next_range; /* taken by every member */
    _Alignas(64) _Atomic int failure;         /* an enum pz_status; set by any member, read by all */
    const struct plan *plan;
    struct planes *planes;
    const struct kernel *kernel;
    struct team *team;
    struct control *control;
    uint32_t range_blocks;
    uint64_t ranges;
    /* Of the level that runs; written by the owner before the team starts. */
    const struct plan_way *way;
    bool mark;
    level_tick *tick;
    void *tick_context;
    struct worker *workers; /* one a member */
};

uint64_t level_runner_bytes(unsigned threads)
{
    return sizeof(struct level_runner) + threads * sizeof(struct worker);
}

enum pz_status level_runner_new(const struct plan *plan, struct planes *planes, const struct kernel *kernel,
                                struct team *team, struct control *control, struct level_runner **out,
                                struct pz_error *error)
{
    struct level_runner *runner = aligned_alloc(64, sizeof *runner);
    size_t workers_bytes = team_size(team) * sizeof(struct worker);
    struct worker *workers = aligned_alloc(64, workers_bytes);
    if (runner == NULL || workers == NULL) {
        free(runner);
        free(workers);
        return pz_fail(error, PZ_MEMORY, "no memory for %u workers", team_size(team));
    }
    memset(runner, 0, sizeof *runner);
    memset(workers, 0, workers_bytes);
    runner->plan = plan;
    runner->planes = planes;
    runner->kernel = kernel;
    runner->team = team;
    runner->control = control;
    runner->workers = workers;
    runner->range_blocks = plan->block < RANGE_CLASSES ? RANGE_CLASSES / plan->block : 1;
    runner->ranges = (plan->blocks + runner->range_blocks - 1) / runner->range_blocks;
    *out = runner;
    return PZ_OK;
}

void level_runner_free(struct level_runner *runner)
{
    if (runner == NULL)
        return;
    free(runner->workers);
    free(runner);
}

/* A run of whole blocks: the source is a block too. */
static bool find_block(const struct level_runner *runner, const struct plan_run_edge *edge, uint32_t number,
                       const uint8_t **segment)
{
    const struct plan *plan = runner->plan;
    const struct planes *planes = runner->planes;
    uint32_t at = number % edge->cycle_blocks;
    uint32_t source = plan_spot(plan, edge, at / edge->run_blocks) + at % edge->run_blocks;
    uint32_t block = number - at + source;
    const uint8_t *bytes =
        planes_source(planes, 1 - runner->way->colour, block, 0, (uint8_t)(1u << edge->bits.from));
    for (uint32_t i = 0; i < plan->segments; i++)
        segment[i] = bytes + (size_t)i * plan->segment;
    return bytes != planes->zeros;
}

/* Runs that are shorter than a block have each a source of their own. */
static const uint8_t *find_run(const struct level_runner *runner, const struct plan_run_edge *edge,
                               uint32_t base, uint32_t number)
{
    uint32_t spot = plan_spot(runner->plan, edge, number);
    return planes_source(runner->planes, 1 - runner->way->colour, base + (spot >> 8),
                         (spot & 255u) * (uint32_t)edge->run, (uint8_t)(1u << edge->bits.from));
}

static bool find_runs(const struct level_runner *runner, const struct plan_run_edge *edge, uint32_t number,
                      const uint8_t **segment)
{
    const struct plan *plan = runner->plan;
    uint32_t at = number % edge->cycle_blocks;
    uint32_t pieces = (uint32_t)edge->run / plan->segment;
    bool found = false;
    for (uint32_t i = 0; i < edge->block_runs; i++) {
        const uint8_t *bytes = find_run(runner, edge, number - at, at * edge->block_runs + i);
        found |= bytes != runner->planes->zeros;
        for (uint32_t piece = 0; piece < pieces; piece++)
            *segment++ = bytes + (size_t)piece * plan->segment;
    }
    return found;
}

/* Runs shorter than a segment are copied together first (4x4 has one such edge). */
static bool gather_runs(const struct level_runner *runner, const struct plan_run_edge *edge, uint32_t number,
                        uint8_t *gathered, const uint8_t **segment)
{
    const struct plan *plan = runner->plan;
    uint32_t at = number % edge->cycle_blocks;
    bool found = false;
    for (uint32_t i = 0; i < edge->block_runs; i++) {
        const uint8_t *bytes = find_run(runner, edge, number - at, at * edge->block_runs + i);
        found |= bytes != runner->planes->zeros;
        memcpy(gathered + i * edge->run, bytes, edge->run);
    }
    for (uint32_t i = 0; i < plan->segments; i++)
        segment[i] = gathered + (size_t)i * plan->segment;
    return found;
}

static bool find_edge(const struct level_runner *runner, struct worker *worker, unsigned i, uint32_t number)
{
    const struct plan_run_edge *edge = &runner->way->run_edge[i];
    const uint8_t **segment = worker->block.segment[i];
    if (edge->run_blocks > 0)
        return find_block(runner, edge, number, segment);
    if (edge->run >= runner->plan->segment)
        return find_runs(runner, edge, number, segment);
    return gather_runs(runner, edge, number, worker->gathered[i], segment);
}

/* Fills worker->block; false when nothing can lead into the block. */
static bool find_sources(const struct level_runner *runner, struct worker *worker, uint32_t number)
{
    const struct plan_way *way = runner->way;
    struct planes *planes = runner->planes;
    struct kernel_block *block = &worker->block;
    uint64_t first = (uint64_t)number * runner->plan->block;
    block->own = planes_source(planes, 1 - way->colour, number, 0, 0xFF);
    block->target = planes->bytes[way->colour] + first;
    block->mark = runner->mark ? planes->mark[way->colour] + first : NULL;
    block->parity = worker->parity;
    bool found = block->own != planes->zeros;
    for (unsigned i = 0; i < way->run_edges; i++)
        found |= find_edge(runner, worker, i, number);
    return found;
}

static void advance_block(const struct level_runner *runner, struct worker *worker, uint32_t number)
{
    struct planes *planes = runner->planes;
    unsigned colour = runner->way->colour;
    struct kernel_tally tally = {0};
    if (find_sources(runner, worker, number)) {
        worker->blocks++;
        runner->kernel->advance(runner->plan, runner->way, &worker->block, &worker->scratch, &tally);
    } else if (planes->any[colour][number] != 0) {
        memset(worker->block.target, 0, runner->plan->block);
    }
    planes->any[colour][number] = tally.any;
    planes->count[colour][number] = tally.count;
    worker->states += tally.count;
}

/* The block's own digits, kept like an odometer so that the parity of their sum costs nothing. */
static void set_digits(const struct plan *plan, struct worker *worker, uint32_t block)
{
    struct dense_position position;
    dense_position_unrank(plan->geometry, (uint64_t)block * plan->block, 0, &position);
    memcpy(worker->digit, position.digit, sizeof worker->digit);
    worker->parity = dense_prefix_parity(plan->geometry, (uint64_t)block * plan->block, plan->prefix_digits);
}

static void next_digits(const struct plan *plan, struct worker *worker)
{
    for (unsigned k = plan->prefix_digits; k-- > 0;) {
        worker->parity ^= 1;
        if (++worker->digit[k] < plan->geometry->tiles - k)
            return;
        worker->parity ^= worker->digit[k] & 1u;
        worker->digit[k] = 0;
    }
}

static void advance_range(const struct level_runner *runner, struct worker *worker, uint64_t range)
{
    uint32_t first = (uint32_t)range * runner->range_blocks;
    uint32_t left = runner->plan->blocks - first;
    uint32_t end = first + (left < runner->range_blocks ? left : runner->range_blocks);
    set_digits(runner->plan, worker, first);
    for (uint32_t block = first; block < end; block++) {
        advance_block(runner, worker, block);
        next_digits(runner->plan, worker);
    }
}

/* Whether the search must end now. A member that sees it tells the others. */
static bool must_end(struct level_runner *runner)
{
    const struct control *control = runner->control;
    if (atomic_load_explicit(&runner->failure, memory_order_relaxed) != PZ_OK)
        return true;
    if (control == NULL)
        return false;
    enum pz_status status = PZ_OK;
    if (control_stopped(control))
        status = PZ_CANCELLED;
    else if (control->deadline > 0 && clock_seconds() > control->deadline)
        status = PZ_LIMIT;
    if (status != PZ_OK)
        atomic_store_explicit(&runner->failure, status, memory_order_relaxed);
    return status != PZ_OK;
}

static void member_run(void *context, unsigned member)
{
    struct level_runner *runner = context;
    struct worker *worker = &runner->workers[member];
    while (!must_end(runner)) {
        uint64_t range = atomic_fetch_add_explicit(&runner->next_range, 1, memory_order_relaxed);
        if (range >= runner->ranges)
            return;
        advance_range(runner, worker, range);
        if (member == 0 && runner->tick != NULL)
            runner->tick(runner->tick_context, (double)range / (double)runner->ranges);
    }
}

static void begin_level(struct level_runner *runner, unsigned target, bool mark)
{
    runner->way = &runner->plan->way[target];
    runner->mark = mark;
    atomic_store_explicit(&runner->next_range, 0, memory_order_relaxed);
    atomic_store_explicit(&runner->failure, PZ_OK, memory_order_relaxed);
    for (unsigned i = 0; i < team_size(runner->team); i++) {
        runner->workers[i].states = 0;
        runner->workers[i].blocks = 0;
    }
}

enum pz_status level_run(struct level_runner *runner, unsigned target, bool mark, uint64_t width,
                         level_tick *tick, void *context, uint64_t *states)
{
    begin_level(runner, target, mark);
    runner->tick = tick;
    runner->tick_context = context;
    if (width <= NARROW_STATES && runner->ranges <= 1024)
        member_run(runner, 0);
    else
        team_run(runner->team, member_run, runner);
    *states = 0;
    for (unsigned i = 0; i < team_size(runner->team); i++)
        *states += runner->workers[i].states;
    return (enum pz_status)atomic_load_explicit(&runner->failure, memory_order_relaxed);
}

uint64_t level_blocks(const struct level_runner *runner)
{
    uint64_t blocks = 0;
    for (unsigned i = 0; i < team_size(runner->team); i++)
        blocks += runner->workers[i].blocks;
    return blocks;
}

void level_advance_block(struct level_runner *runner, unsigned target, uint32_t block)
{
    begin_level(runner, target, false);
    set_digits(runner->plan, &runner->workers[0], block);
    advance_block(runner, &runner->workers[0], block);
}
