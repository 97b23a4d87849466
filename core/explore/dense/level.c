/* SPDX-License-Identifier: MIT */
#include "explore/dense/level.h"

#include "base/clock.h"
#include "explore/dense/pull.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW_STATES = 512, NARROW_RANGES = 1024 };

/* What one thread has for itself. */
struct worker {
    struct kernel_block block[2]; /* by their numbers' parity: the one at hand and the one that comes next */
    struct pull_room room[2];     /* by the same */
    struct kernel_scratch scratch;
    uint8_t digit[DENSE_PLACES_MAX]; /* of the block: the digits before it */
    unsigned parity;                 /* of their sum */
    uint64_t states;                 /* found in this level */
    uint64_t blocks;                 /* advanced in this level */
};

/* The padding keeps the counter, which every member writes, off the lines that every member reads. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct level_runner {
    _Alignas(64) _Atomic uint64_t next_turn; /* taken by every member */
    _Alignas(64) _Atomic int failure;        /* an enum pz_status; set by any member, read by all */
    const struct plan *plan;
    struct planes *planes;
    const struct kernel *kernel;
    struct team *team;
    struct control *control;
    /* Of the level that runs; written by the owner before the team starts. */
    struct pull pull;
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

/* Finds what leads to a block. Returns it, or NULL when nothing does. */
static struct kernel_block *find_block(const struct level_runner *runner, struct worker *worker,
                                       uint32_t number)
{
    struct planes *planes = runner->planes;
    unsigned colour = runner->pull.way->colour;
    uint64_t first = (uint64_t)number * runner->plan->block;
    struct kernel_block *block = &worker->block[number % 2];
    block->target = planes->bytes[colour] + first;
    block->previous = planes_source(planes, colour, number, 0, 0xFF);
    block->mark = runner->mark ? planes->mark[colour] + first : NULL;
    block->coming = NULL;
    return pull_block(&runner->pull, number, &worker->room[number % 2], block) ? block : NULL;
}

static void advance_block(const struct level_runner *runner, struct worker *worker, uint32_t number,
                          struct kernel_block *block)
{
    struct planes *planes = runner->planes;
    unsigned colour = runner->pull.way->colour;
    struct kernel_tally tally = {0};
    if (block != NULL) {
        block->parity = worker->parity;
        worker->blocks++;
        runner->kernel->advance(runner->plan, runner->pull.way, block, &worker->scratch, &tally);
    } else if (planes->any[colour][number] != 0) {
        memset(planes->bytes[colour] + (uint64_t)number * runner->plan->block, 0, runner->plan->block);
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

/* A range that nothing leads to: its states, if any, are left behind. */
static void clear_range(const struct level_runner *runner, uint32_t range)
{
    struct planes *planes = runner->planes;
    const struct plan *plan = runner->plan;
    unsigned colour = runner->pull.way->colour;
    uint32_t first = range * plan->range_blocks;
    uint32_t end = plan_range_end(plan, range);
    if (planes->busy[colour][range] == 0)
        return;
    for (uint32_t block = first; block < end; block++)
        if (planes->any[colour][block] != 0)
            memset(planes->bytes[colour] + (uint64_t)block * plan->block, 0, plan->block);
    memset(planes->any[colour] + first, 0, end - first);
    memset(planes->count[colour] + first, 0, (end - first) * sizeof *planes->count[colour]);
    planes->busy[colour][range] = 0;
}

static void advance_range(const struct level_runner *runner, struct worker *worker, uint32_t range)
{
    const struct plan *plan = runner->plan;
    if (!pull_range(&runner->pull, range)) {
        clear_range(runner, range);
        return;
    }
    uint32_t first = range * plan->range_blocks;
    uint32_t end = plan_range_end(plan, range);
    uint64_t before = worker->states;
    set_digits(plan, worker, first);
    struct kernel_block *coming = find_block(runner, worker, first);
    for (uint32_t number = first; number < end; number++) {
        struct kernel_block *block = coming;
        coming = number + 1 < end ? find_block(runner, worker, number + 1) : NULL;
        if (block != NULL)
            block->coming = coming;
        advance_block(runner, worker, number, block);
        next_digits(plan, worker);
    }
    runner->planes->busy[runner->pull.way->colour][range] = worker->states != before;
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
    uint32_t ranges = runner->plan->ranges;
    while (!must_end(runner)) {
        uint64_t turn = atomic_fetch_add_explicit(&runner->next_turn, 1, memory_order_relaxed);
        if (turn >= ranges)
            return;
        advance_range(runner, worker, plan_range_of_turn(ranges, (uint32_t)turn));
        if (member == 0 && runner->tick != NULL &&
            runner->tick(runner->tick_context, (double)turn / (double)ranges))
            atomic_store_explicit(&runner->failure, PZ_BUSY, memory_order_relaxed);
    }
}

static void begin_level(struct level_runner *runner, unsigned target, bool mark, uint32_t turn)
{
    runner->pull = (struct pull){runner->plan, runner->planes, &runner->plan->way[target]};
    runner->mark = mark;
    atomic_store_explicit(&runner->next_turn, turn, memory_order_relaxed);
    atomic_store_explicit(&runner->failure, PZ_OK, memory_order_relaxed);
    for (unsigned i = 0; i < team_size(runner->team); i++) {
        runner->workers[i].states = 0;
        runner->workers[i].blocks = 0;
    }
}

/* States in the ranges whose turn was in an earlier call. */
static uint64_t states_before(const struct level_runner *runner, unsigned target, uint32_t turns)
{
    const struct plan *plan = runner->plan;
    uint64_t states = 0;
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint32_t range = plan_range_of_turn(plan->ranges, turn);
        for (uint32_t block = range * plan->range_blocks; block < plan_range_end(plan, range); block++)
            states += runner->planes->count[target][block];
    }
    return states;
}

enum pz_status level_go_on(struct level_runner *runner, uint32_t turn, unsigned target, bool mark,
                           uint64_t width, level_tick *tick, void *context, uint64_t *states)
{
    begin_level(runner, target, mark, turn);
    runner->tick = tick;
    runner->tick_context = context;
    *states = states_before(runner, target, turn);
    if (runner->plan->ranges == 1 || (width <= NARROW_STATES && runner->plan->ranges <= NARROW_RANGES))
        member_run(runner, 0);
    else
        team_run(runner->team, member_run, runner);
    for (unsigned i = 0; i < team_size(runner->team); i++)
        *states += runner->workers[i].states;
    return (enum pz_status)atomic_load_explicit(&runner->failure, memory_order_relaxed);
}

enum pz_status level_run(struct level_runner *runner, unsigned target, bool mark, uint64_t width,
                         level_tick *tick, void *context, uint64_t *states)
{
    return level_go_on(runner, 0, target, mark, width, tick, context, states);
}

/* Who takes a turn does it: all before the next one are done when nobody is at work. */
uint32_t level_turns(const struct level_runner *runner)
{
    uint64_t next = atomic_load_explicit(&runner->next_turn, memory_order_relaxed);
    return next < runner->plan->ranges ? (uint32_t)next : runner->plan->ranges;
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
    begin_level(runner, target, false, 0);
    set_digits(runner->plan, &runner->workers[0], block);
    advance_block(runner, &runner->workers[0], block, find_block(runner, &runner->workers[0], block));
}
