/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/dense_level.h"

#include "explore/dense/kernel/kernel_lines.h"
#include "explore/dense/level/pull.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW_STATES = 512, NARROW_RANGES = 1024 };

/* Owned by one thread. */
struct worker {
    struct kernel_block block[2]; /* by their numbers' parity: the current one and the one that comes next */
    struct pull_room room[2];     /* by the same */
    struct kernel_scratch scratch;
    uint8_t digit[DENSE_PLACES_MAX]; /* of the block: the digits before it */
    unsigned parity;                 /* of their sum */
    uint8_t *target;                 /* of the range's first block */
    uint32_t first;                  /* block of the range */
    uint64_t blocks;                 /* advanced in this level */
    uint8_t pulled[PLAN_BLOCK_MAX];  /* of metric:multi: what the kernel writes */
};

struct level_runner {
    struct turns turns; /* a range each */
    struct level_parts parts;
    /* Of the level that runs; written by the owner before the team starts. */
    struct pull pull;
    struct level_task task;
    uint32_t sweep;         /* of the level, from 0 on */
    struct worker *workers; /* one a worker */
    uint8_t *crossed;       /* theirs */
};

/* Returns the bytes that one worker needs for the bits that cross into the current block and into the next
 * one. */
static size_t crossed_bytes(const struct planes *planes)
{
    return planes->group_digits > 0 ? 2u * DENSE_EDGES_MAX * PULL_CROSSED : 0;
}

uint64_t level_runner_bytes(unsigned threads)
{
    return sizeof(struct level_runner) + threads * sizeof(struct worker);
}

enum pz_status level_runner_new(const struct level_parts *parts, struct level_runner **out,
                                struct pz_error *error)
{
    unsigned threads = team_size(parts->team);
    size_t crossed = crossed_bytes(parts->planes);
    struct level_runner *runner = aligned_alloc(64, sizeof *runner);
    if (runner == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for levels");
    memset(runner, 0, sizeof *runner);
    runner->parts = *parts;
    runner->turns.control = parts->control;
    runner->workers = aligned_alloc(64, threads * sizeof *runner->workers);
    runner->crossed = malloc(threads * crossed + 1);
    if (runner->workers == NULL || runner->crossed == NULL) {
        level_runner_free(runner);
        return pz_fail(error, PZ_MEMORY, "no memory for %u workers", threads);
    }
    memset(runner->workers, 0, threads * sizeof *runner->workers);
    for (unsigned i = 0; i < 2 * threads; i++)
        runner->workers[i / 2].room[i % 2].crossed = runner->crossed + i * crossed / 2;
    *out = runner;
    return PZ_OK;
}

void level_runner_free(struct level_runner *runner)
{
    if (runner == NULL)
        return;
    free(runner->workers);
    free(runner->crossed);
    free(runner);
}

/* Finds what leads to a block. Returns it, or NULL when nothing does. */
static struct kernel_block *find_level_block(const struct level_runner *runner, struct worker *worker,
                                             uint32_t number)
{
    struct planes *planes = runner->parts.planes;
    unsigned colour = runner->pull.transition->colour;
    uint64_t first = (uint64_t)number * runner->parts.plan->block;
    assert(number >= worker->first && number < planes->blocks);
    struct kernel_block *block = &worker->block[number % 2];
    block->target = worker->target + (size_t)(number - worker->first) * runner->parts.plan->block;
    block->previous = planes->present[colour][number] != 0 ? block->target : planes->zeros;
    block->mark = runner->task.mark ? planes->mark[colour] + first : NULL;
    block->coming = NULL;
    if (planes->before[colour] != NULL) {
        block->target = worker->pulled;
        block->previous =
            planes->present[colour][number] != 0 ? planes->before[colour] + first : planes->zeros;
        block->mark = NULL;
    }
    return pull_block(&runner->pull, number, &worker->room[number % 2], block) ? block : NULL;
}

/* Advances a block by metric:multi. The last two sweeps of a level turn their colours. */
static void advance_lines(const struct level_runner *runner, struct worker *worker, uint32_t number,
                          struct kernel_block *block)
{
    struct planes *planes = runner->parts.planes;
    const struct plan *plan = runner->parts.plan;
    const unsigned colour = runner->pull.transition->colour;
    const uint64_t first = (uint64_t)number * plan->block;
    const uint8_t own = planes->present[1 - colour][number];
    struct kernel_counts counts = {0};
    if (block != NULL) {
        block->parity = worker->parity;
        worker->blocks++;
        runner->parts.kernel->advance(plan, runner->pull.transition, block, &worker->scratch, &counts);
    }
    const struct lines_block lines = {.now = planes->bytes[colour] + first,
                                      .before = planes->before[colour] + first,
                                      .pulled = counts.present != 0 ? worker->pulled : NULL,
                                      .own = own != 0 ? planes->bytes[1 - colour] + first : planes->zeros,
                                      .own_before =
                                          own != 0 ? planes->before[1 - colour] + first : planes->zeros,
                                      .turned = runner->sweep + 1 == plan->sweeps,
                                      .mark = {runner->task.mark ? planes->mark[colour] + first : NULL,
                                               runner->task.mark0 ? planes->mark0[colour] + first : NULL},
                                      .length = plan->block};
    if (runner->sweep + 2 < plan->sweeps) {
        if (lines.pulled != NULL)
            planes->present[colour][number] = lines_add(&lines);
        return;
    }
    counts = (struct kernel_counts){0};
    if (lines.pulled != NULL || own != 0 || planes->present[colour][number] != 0)
        planes->older[colour][number] = lines_turn(&lines, &plan->lines[colour], &counts);
    planes->present[colour][number] = counts.present;
    planes->count[colour][number] = counts.count;
}

static void advance_block(const struct level_runner *runner, struct worker *worker, uint32_t number,
                          struct kernel_block *block)
{
    struct planes *planes = runner->parts.planes;
    unsigned colour = runner->pull.transition->colour;
    struct kernel_counts counts = {0};
    if (block != NULL) {
        block->parity = worker->parity;
        worker->blocks++;
        runner->parts.kernel->advance(runner->parts.plan, runner->pull.transition, block, &worker->scratch,
                                      &counts);
    } else if (planes->present[colour][number] != 0) {
        memset(worker->target + (size_t)(number - worker->first) * runner->parts.plan->block, 0,
               runner->parts.plan->block);
    }
    planes->present[colour][number] = counts.present;
    assert((counts.present == 0) == (counts.count == 0));
    planes->count[colour][number] = counts.count;
}

/* Counts the block's digits up like an odometer, so that the parity of their sum costs nothing. */
static void set_digits(const struct level_runner *runner, struct worker *worker, uint32_t block)
{
    const struct plan *plan = runner->parts.plan;
    struct dense_position position;
    uint64_t number = ((uint64_t)runner->parts.planes->first_block + block) * plan->block;
    dense_position_unrank(plan->geometry, number, 0, &position);
    memcpy(worker->digit, position.digit, sizeof worker->digit);
    worker->parity = dense_prefix_parity(plan->geometry, number, plan->prefix_digits);
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

/* Skips a range that nothing leads to, and empties it. Returns false if the planes could not do that. */
static bool clear_range(const struct level_runner *runner, unsigned number, uint32_t range)
{
    struct planes *planes = runner->parts.planes;
    const struct planes_windows *windows = planes->windows;
    unsigned colour = runner->pull.transition->colour;
    uint32_t first = range * planes->range_blocks;
    uint32_t end = planes_range_end(planes, range);
    if (windows == NULL && planes->busy[colour][range] == 0)
        return true;
    for (uint32_t block = first; windows == NULL && block < end; block++)
        if (planes->present[colour][block] != 0)
            memset(planes->bytes[colour] + (uint64_t)block * planes->block, 0, planes->block);
    memset(planes->present[colour] + first, 0, end - first);
    memset(planes->count[colour] + first, 0, (end - first) * sizeof *planes->count[colour]);
    planes->busy[colour][range] = 0;
    return windows == NULL || windows->close(windows->context, number, range, NULL);
}

static bool open_range(const struct level_runner *runner, unsigned number, uint32_t range)
{
    const struct planes *planes = runner->parts.planes;
    const struct planes_windows *windows = planes->windows;
    struct worker *worker = &runner->workers[number];
    worker->first = range * planes->range_blocks;
    worker->target = windows != NULL ? windows->open(windows->context, number, range)
                                     : planes->bytes[runner->pull.transition->colour] +
                                           (uint64_t)worker->first * planes->block;
    return worker->target != NULL;
}

static bool close_range(const struct level_runner *runner, unsigned number, uint32_t range)
{
    struct planes *planes = runner->parts.planes;
    assert(number < team_size(runner->parts.team) && range < planes->ranges);
    const struct planes_windows *windows = planes->windows;
    const uint8_t *present = planes->present[runner->pull.transition->colour];
    bool busy = false;
    for (uint32_t block = range * planes->range_blocks; block < planes_range_end(planes, range); block++)
        busy |= present[block] != 0;
    planes->busy[runner->pull.transition->colour][range] = busy;
    return windows == NULL ||
           windows->close(windows->context, number, range, busy ? runner->workers[number].target : NULL);
}

/* Returns false if the planes could not provide or store a range. */
static bool advance_range(const struct level_runner *runner, unsigned number, uint32_t range)
{
    struct worker *worker = &runner->workers[number];
    const struct planes *planes = runner->parts.planes;
    const bool multi = planes->before[0] != NULL;
    const bool turns = multi && runner->sweep + 2 >= runner->parts.plan->sweeps;
    if (!pull_range(&runner->pull, range) &&
        !(turns && planes->busy[runner->pull.transition->colour][range] != 0))
        return multi || clear_range(runner, number, range);
    if (!open_range(runner, number, range))
        return false;
    uint32_t end = planes_range_end(planes, range);
    set_digits(runner, worker, worker->first);
    struct kernel_block *coming = find_level_block(runner, worker, worker->first);
    for (uint32_t at = worker->first; at < end; at++) {
        struct kernel_block *block = coming;
        coming = at + 1 < end ? find_level_block(runner, worker, at + 1) : NULL;
        if (block != NULL)
            block->coming = coming;
        (multi ? advance_lines : advance_block)(runner, worker, at, block);
        next_digits(runner->parts.plan, worker);
    }
    return close_range(runner, number, range);
}

static void worker_run(void *context, unsigned number)
{
    struct level_runner *runner = context;
    const uint32_t ranges = runner->parts.planes->ranges;
    uint64_t turn;
    while (turns_take(&runner->turns, number, &turn))
        if (!advance_range(runner, number, plan_range_of_turn(ranges, (uint32_t)turn)))
            turns_end(&runner->turns, PZ_STORAGE);
}

static bool tick_level(void *context, double done)
{
    struct level_runner *runner = context;
    return runner->task.tick(runner->task.context, (runner->sweep + done) / runner->parts.plan->sweeps);
}

static void begin_level(struct level_runner *runner, const struct level_task *task)
{
    assert(task->target < 2);
    runner->task = *task;
    runner->turns.tick = task->tick != NULL ? tick_level : NULL;
    runner->turns.context = runner;
    runner->sweep = task->turn / runner->parts.planes->ranges;
    runner->sweep -= runner->sweep == runner->parts.plan->sweeps; /* all are done: a stop is still seen */
    for (unsigned i = 0; i < team_size(runner->parts.team); i++)
        runner->workers[i].blocks = 0;
}

static void begin_sweep(struct level_runner *runner, uint32_t turn)
{
    const struct level_parts *parts = &runner->parts;
    const bool multi = parts->plan->geometry->multi;
    assert(turn <= parts->planes->ranges && runner->sweep < parts->plan->sweeps);
    runner->pull = (struct pull){parts->plan, parts->planes,
                                 &parts->plan->transition[multi ? runner->sweep : runner->task.target], NULL};
    turns_begin(&runner->turns, turn, parts->planes->ranges);
}

static uint64_t level_states(const struct planes *planes, unsigned target)
{
    uint64_t states = 0;
    for (unsigned colour = 0; colour < 2; colour++)
        for (uint32_t block = 0; block < planes->blocks; block++)
            if (colour == target || planes->before[0] != NULL)
                states += planes->count[colour][block];
    return states;
}

enum pz_status level_run(struct level_runner *runner, const struct level_task *task, uint64_t *states)
{
    const uint32_t ranges = runner->parts.planes->ranges;
    const uint32_t sweeps = runner->parts.plan->sweeps;
    enum pz_status status = PZ_OK;
    begin_level(runner, task);
    for (uint32_t turn = task->turn - runner->sweep * ranges; runner->sweep < sweeps;
         runner->sweep++, turn = 0) {
        begin_sweep(runner, turn);
        if (ranges == 1 || (task->width <= NARROW_STATES && ranges <= NARROW_RANGES))
            worker_run(runner, 0);
        else
            team_run(runner->parts.team, worker_run, runner);
        status = turns_status(&runner->turns);
        if (status != PZ_OK)
            break;
    }
    *states = level_states(runner->parts.planes, task->target);
    return status;
}

uint32_t level_turns(const struct level_runner *runner)
{
    return runner->sweep * runner->parts.planes->ranges + (uint32_t)turns_done(&runner->turns);
}

uint64_t level_blocks(const struct level_runner *runner)
{
    uint64_t blocks = 0;
    for (unsigned i = 0; i < team_size(runner->parts.team); i++)
        blocks += runner->workers[i].blocks;
    return blocks;
}

void level_advance_block(struct level_runner *runner, unsigned target, uint32_t block)
{
    begin_level(runner, &(struct level_task){.target = target});
    begin_sweep(runner, 0);
    struct worker *worker = &runner->workers[0];
    set_digits(runner, worker, block);
    worker->first = 0;
    worker->target = runner->parts.planes->bytes[target];
    advance_block(runner, worker, block, find_level_block(runner, worker, block));
}
