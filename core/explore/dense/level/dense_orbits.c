/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/dense_orbits.h"

#include "explore/dense/level/pull.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ORBITS_BLOCK = PLAN_BLOCK_MAX + 2 * PLANES_PAD, ORBITS_LINES = 8 };

/* Owned by one thread. */
struct orbits_worker {
    _Alignas(64) uint8_t first[ORBITS_BLOCK];
    struct pull_room room;
    struct kernel_scratch scratch;
    struct orbits_counts counts;
    struct orbit_sample sample;
    struct kernel_block block;
    uint8_t inward[ORBITS_BLOCK];
    uint8_t line[ORBITS_LINES][ORBITS_BLOCK]; /* from the third on: the places that a column reaches */
};

struct orbits {
    struct turns turns;       /* a range each */
    struct planes *inner;     /* what comes inward to line 2: its places, by their columns */
    _Atomic uint8_t *reached; /* marks of middle */
    struct orbits_worker *workers;
    uint8_t *crossed; /* theirs */
    level_tick *tick;
    void *context;
    struct level_parts parts;
    struct planes middle; /* the known level, as line 1 leads outward: with other marks of what is reached */
    struct orbit_examples examples;
    bool sparse;  /* the group has few orbits: what inner and middle reach is marked */
    bool gathers; /* the first half of the work: fills inner */
};

uint64_t orbits_bytes(const struct dense_geometry *geometry, uint64_t classes, unsigned threads)
{
    const uint64_t blocks = classes / plan_block_classes(geometry);
    return sizeof(struct orbits) + classes + blocks * (2 * (2 + sizeof(uint32_t)) + 2 * DENSE_EDGES_MAX) +
           PLAN_BLOCK_MAX + (2 * threads + 5) * EXPLORE_DEEPEST_MAX * sizeof(struct bottom_k_entry) +
           threads * (sizeof(struct orbits_worker) + DENSE_EDGES_MAX * PULL_CROSSED);
}

static bool make_orbits_workers(struct orbits *orbits, unsigned threads)
{
    orbits->workers = aligned_alloc(64, threads * sizeof *orbits->workers);
    orbits->crossed = malloc((size_t)threads * DENSE_EDGES_MAX * PULL_CROSSED);
    if (orbits->workers == NULL || orbits->crossed == NULL)
        return false;
    memset(orbits->workers, 0, threads * sizeof *orbits->workers);
    bool whole = true;
    for (unsigned i = 0; i < threads; i++) {
        orbits->workers[i].room.crossed = orbits->crossed + (size_t)i * DENSE_EDGES_MAX * PULL_CROSSED;
        whole = orbit_sample_init(&orbits->workers[i].sample) && whole;
    }
    return whole;
}

enum pz_status orbits_new(const struct level_parts *parts, uint64_t seed, struct orbits **out,
                          struct pz_error *error)
{
    struct orbits *orbits = aligned_alloc(64, sizeof *orbits);
    if (orbits == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for levels by orbits");
    memset(orbits, 0, sizeof *orbits);
    orbits->parts = *parts;
    orbits->turns.control = parts->control;
    assert(parts->plan->geometry->orbits && orbits_fit(parts->plan->geometry));
    for (unsigned line = 2; line + 1 < dense_lines(parts->plan->geometry); line++)
        assert(plan_outward(parts->plan, line)->run_edges == 0); /* beyond line 2 moves stay in their block */
    orbits->reached = calloc((size_t)DENSE_EDGES_MAX * parts->planes->blocks, sizeof *orbits->reached);
    const bool whole = orbits->reached != NULL && make_orbits_workers(orbits, team_size(parts->team)) &&
                       orbit_examples_init(&orbits->examples, parts->plan->geometry, seed);
    enum pz_status status =
        whole ? planes_new_group(parts->plan, parts->planes->group_digits, &orbits->inner, error)
              : pz_fail(error, PZ_MEMORY, "no memory for levels by orbits");
    if (status != PZ_OK) {
        orbits_free(orbits);
        return status;
    }
    orbits->inner->bytes[0] = orbits->inner->plane;
    *out = orbits;
    return PZ_OK;
}

void orbits_free(struct orbits *orbits)
{
    if (orbits == NULL)
        return;
    for (unsigned i = 0; orbits->workers != NULL && i < team_size(orbits->parts.team); i++)
        orbit_sample_clear(&orbits->workers[i].sample);
    orbit_examples_clear(&orbits->examples);
    planes_free(orbits->inner);
    free(orbits->workers);
    free(orbits->crossed);
    free(orbits->reached);
    free(orbits);
}

/* ---- one block ---- */

/* Brings what a transition takes from a block, or from where it pulls, to out. Returns false if that is
 * nothing. */
static bool carry(const struct orbits *orbits, struct orbits_worker *worker,
                  const struct plan_transition *transition, uint8_t *out)
{
    struct kernel_counts counts;
    worker->block.previous = orbits->inner->zeros;
    worker->block.target = out;
    orbits->parts.kernel->advance(orbits->parts.plan, transition, &worker->block, &worker->scratch, &counts);
    return counts.present != 0;
}

/* Returns out with what a transition takes from other blocks of the planes; zeros if that is nothing. */
static const uint8_t *pull_orbits(const struct orbits *orbits, struct orbits_worker *worker,
                                  const struct pull *pull, uint32_t number, uint8_t *out)
{
    return pull_block(pull, number, &worker->room, &worker->block) &&
                   carry(orbits, worker, pull->transition, out)
               ? out
               : orbits->inner->zeros;
}

/* Return what leads to and from line 0, from line 1 to line 2, and from there to line 1. */
static struct pull pull_first(const struct orbits *orbits)
{
    return (struct pull){orbits->parts.plan, orbits->parts.planes, &orbits->parts.plan->transition[0], NULL};
}

static struct pull pull_outward(const struct orbits *orbits)
{
    const struct plan *plan = orbits->parts.plan;
    return (struct pull){plan, &orbits->middle, plan_outward(plan, 1), plan_inward(plan, 1)};
}

static struct pull pull_inward(const struct orbits *orbits)
{
    const struct plan *plan = orbits->parts.plan;
    return (struct pull){plan, orbits->inner, plan_inward(plan, 1), plan_outward(plan, 1)};
}

static void begin_block(const struct orbits *orbits, struct orbits_worker *worker, uint32_t number)
{
    const struct plan *plan = orbits->parts.plan;
    const uint64_t first = ((uint64_t)orbits->parts.planes->first_block + number) * plan->block;
    worker->block.parity = dense_prefix_parity(plan->geometry, first, plan->prefix_digits);
    worker->block.mark = NULL;
    worker->block.coming = NULL;
}

static struct kernel_orbits kernel_block_of(const struct orbits *orbits, uint32_t number)
{
    const struct planes *planes = orbits->parts.planes;
    const struct dense_geometry *geometry = orbits->parts.plan->geometry;
    return (struct kernel_orbits){.now = planes_source(planes, 0, number, 0, 0xFF),
                                  .width = geometry->width,
                                  .lines = (uint8_t)dense_lines(geometry),
                                  .length = planes->block};
}

/* Collects what the lines from the last to the third lead to inward, at line 2. */
static void gather_block(struct orbits *orbits, struct orbits_worker *worker, uint32_t number)
{
    struct planes *inner = orbits->inner;
    const struct plan *plan = orbits->parts.plan;
    const unsigned lines = dense_lines(plan->geometry);
    const uint8_t present = orbits->parts.planes->present[0][number];
    const struct pull outward = pull_outward(orbits);
    const struct pull inward = pull_inward(orbits);
    inner->present[0][number] = 0;
    if (orbits->sparse && present != 0)
        pull_reach(&outward, number);
    if (present >> (plan->geometry->width + 2) == 0)
        return;
    const struct kernel_orbits block = kernel_block_of(orbits, number);
    const uint8_t *more = inner->zeros;
    begin_block(orbits, worker, number);
    for (unsigned line = lines - 1; line > 2; line--) {
        orbits->parts.kernel->line(&block, line, more, worker->line[line % 2]);
        worker->block.own = worker->line[line % 2];
        more = carry(orbits, worker, plan_inward(plan, line - 1), worker->inward) ? worker->inward
                                                                                  : inner->zeros;
    }
    orbits->parts.kernel->line(&block, 2, more, inner->bytes[0] + (uint64_t)number * plan->block);
    inner->present[0][number] = (uint8_t)((1u << plan->geometry->width) - 1);
    if (orbits->sparse)
        pull_reach(&inward, number);
}

/* Finds what leads to a block. Returns false if that is nothing. */
static bool find_reached(const struct orbits *orbits, struct orbits_worker *worker, uint32_t number,
                         struct kernel_orbits *block)
{
    const struct plan *plan = orbits->parts.plan;
    const uint8_t *zeros = orbits->inner->zeros;
    const struct pull first = pull_first(orbits);
    const struct pull inward = pull_inward(orbits);
    const struct pull outward = pull_outward(orbits);
    begin_block(orbits, worker, number);
    block->first = pull_orbits(orbits, worker, &first, number, worker->first);
    block->inward = pull_orbits(orbits, worker, &inward, number, worker->inward);
    block->places[2] = pull_orbits(orbits, worker, &outward, number, worker->line[2]);
    for (unsigned line = 3; line < block->lines; line++) {
        worker->block.own = block->places[line - 1];
        block->places[line] = worker->block.own != zeros &&
                                      carry(orbits, worker, plan_outward(plan, line - 1), worker->line[line])
                                  ? worker->line[line]
                                  : zeros;
    }
    return block->now != orbits->parts.planes->zeros || block->first != zeros || block->inward != zeros ||
           block->places[2] != zeros;
}

/* Returns the columns by which a line of a class was reached. */
static unsigned reached_columns(const struct kernel_orbits *block, uint32_t at, unsigned line)
{
    const unsigned columns = (1u << block->width) - 1;
    const unsigned now = block->now[at];
    const unsigned first = block->first[at];
    if (line == 0)
        return (first >> block->width & columns) | (now & 1u << (block->width - 1));
    return line == 1 ? now & columns : block->places[line][at];
}

/* Samples the new lines of a class. */
static void sample_class(const struct orbits *orbits, struct orbits_worker *worker, uint64_t number,
                         uint32_t at, const struct kernel_orbits *block)
{
    for (unsigned lines = (unsigned)block->target[at] >> block->width; lines != 0; lines &= lines - 1) {
        const unsigned line = (unsigned)__builtin_ctz(lines);
        orbit_sample_add(&worker->sample, &orbits->examples, number, line, reached_columns(block, at, line));
    }
}

static void sample_block(const struct orbits *orbits, struct orbits_worker *worker, uint64_t first,
                         const struct kernel_orbits *block)
{
    const uint32_t stride = orbits->examples.stride;
    assert(stride > 0); /* of each class, or of every so many-th */
    uint64_t word = 0;
    for (uint32_t at = (uint32_t)((stride - first % stride) % stride); at < block->length; at += stride) {
        if (stride == 1 && at % sizeof word == 0 && at + sizeof word <= block->length) {
            memcpy(&word, block->target + at, sizeof word);
            at += word == 0 ? (uint32_t)sizeof word - 1 : 0; /* a narrow level has nothing in most */
        }
        if (block->target[at] != 0)
            sample_class(orbits, worker, first + at, at, block);
    }
}

static void make_block(const struct orbits *orbits, struct orbits_worker *worker, uint32_t number,
                       uint8_t *target)
{
    struct planes *planes = orbits->parts.planes;
    assert(number < planes->blocks && target != NULL);
    struct kernel_orbits block = kernel_block_of(orbits, number);
    struct kernel_orbits_counts counts = {0};
    if (find_reached(orbits, worker, number, &block)) {
        block.before = planes->present[1][number] != 0 ? target : planes->zeros;
        block.target = target;
        orbits->parts.kernel->orbits(&block, &counts);
    }
    planes->present[1][number] = counts.present;
    planes->count[1][number] = counts.orbits;
    worker->counts.orbits += counts.orbits;
    worker->counts.fresh += counts.fresh;
    worker->counts.rest += (uint64_t)block.width * counts.lines - counts.fresh;
    if (counts.lines > 0)
        sample_block(orbits, worker, ((uint64_t)planes->first_block + number) * planes->block, &block);
}

/* ---- a group ---- */

static void gather_range(struct orbits *orbits, struct orbits_worker *worker, uint32_t range)
{
    const struct planes *planes = orbits->parts.planes;
    const uint32_t first = range * planes->range_blocks;
    const uint32_t end = planes_range_end(planes, range);
    uint8_t busy = 0;
    for (uint32_t number = first; number < end; number++) {
        gather_block(orbits, worker, number);
        busy |= orbits->inner->present[0][number] != 0;
    }
    orbits->inner->busy[0][range] = busy;
}

/* Returns true if a state may lead into the range. */
static bool range_reached(const struct orbits *orbits, uint32_t range)
{
    const struct pull first = pull_first(orbits);
    const struct pull outward = pull_outward(orbits);
    const struct pull inward = pull_inward(orbits);
    return pull_range(&first, range) || pull_range(&outward, range) || pull_range(&inward, range);
}

/* Returns false if the planes could not provide or store the range. */
static bool make_range(const struct orbits *orbits, struct orbits_worker *worker, unsigned number,
                       uint32_t range)
{
    struct planes *planes = orbits->parts.planes;
    const struct planes_windows *windows = planes->windows;
    const uint32_t first = range * planes->range_blocks;
    const uint32_t end = planes_range_end(planes, range);
    if (!range_reached(orbits, range)) {
        memset(planes->present[1] + first, 0, end - first);
        return windows->close(windows->context, number, range, NULL);
    }
    uint8_t *window = windows->open(windows->context, number, range);
    const uint64_t before = worker->counts.orbits;
    if (window == NULL)
        return false;
    for (uint32_t block = first; block < end; block++)
        make_block(orbits, worker, block, window + (size_t)(block - first) * planes->block);
    return windows->close(windows->context, number, range, worker->counts.orbits > before ? window : NULL);
}

static void orbits_work(void *context, unsigned number)
{
    struct orbits *orbits = context;
    struct orbits_worker *worker = &orbits->workers[number];
    const uint32_t ranges = orbits->parts.planes->ranges;
    uint64_t turn;
    while (turns_take(&orbits->turns, number, &turn)) {
        const uint32_t range = plan_range_of_turn(ranges, (uint32_t)turn);
        if (orbits->gathers)
            gather_range(orbits, worker, range);
        else if (!make_range(orbits, worker, number, range))
            turns_end(&orbits->turns, PZ_STORAGE);
    }
}

static bool tick_orbits(void *context, double done)
{
    const struct orbits *orbits = context;
    return orbits->tick(orbits->context, (orbits->gathers ? 0 : 0.5) + done / 2);
}

/* In a sparse group, prepares the marks of the blocks to which orbits lead by short runs. */
static void set_orbits_reached(struct orbits *orbits, bool sparse)
{
    struct planes *planes = orbits->parts.planes;
    const struct plan *plan = orbits->parts.plan;
    orbits->sparse = sparse;
    orbits->middle = *planes;
    memset((void *)orbits->middle.reached, 0, sizeof orbits->middle.reached);
    memset((void *)orbits->inner->reached, 0, sizeof orbits->inner->reached);
    for (unsigned i = 0; sparse && i < plan_outward(plan, 1)->run_edges; i++) {
        const size_t at = (size_t)i * planes->blocks;
        for (uint32_t block = 0; block < planes->blocks; block++) {
            atomic_store_explicit(&orbits->reached[at + block], 0, memory_order_relaxed);
            atomic_store_explicit(&orbits->inner->reach[at + block], 0, memory_order_relaxed);
        }
        if (plan_outward(plan, 1)->run_edge[i].run_blocks == 0)
            orbits->middle.reached[i] = orbits->reached + at;
        if (plan_inward(plan, 1)->run_edge[i].run_blocks == 0)
            orbits->inner->reached[i] = orbits->inner->reach + at;
    }
}

enum pz_status orbits_run(struct orbits *orbits, bool sparse, level_tick *tick, void *context,
                          struct orbits_counts *counts)
{
    const unsigned threads = team_size(orbits->parts.team);
    enum pz_status status = PZ_OK;
    set_orbits_reached(orbits, sparse);
    orbits->tick = tick;
    orbits->context = context;
    orbits->turns.tick = tick != NULL ? tick_orbits : NULL;
    orbits->turns.context = orbits;
    for (unsigned i = 0; i < threads; i++)
        orbits->workers[i].counts = (struct orbits_counts){0};
    for (unsigned half = 0; half < 2 && status == PZ_OK; half++) {
        orbits->gathers = half == 0;
        turns_begin(&orbits->turns, 0, orbits->parts.planes->ranges);
        team_run(orbits->parts.team, orbits_work, orbits);
        status = turns_status(&orbits->turns);
    }
    *counts = (struct orbits_counts){0};
    for (unsigned i = 0; i < threads; i++) {
        counts->orbits += orbits->workers[i].counts.orbits;
        counts->fresh += orbits->workers[i].counts.fresh;
        counts->rest += orbits->workers[i].counts.rest;
    }
    return status;
}

/* ---- levels ---- */

/* The root is the class of all zeros. Its column is named where the blank has gone to line 1. */
struct orbits_root orbits_root(const struct dense_geometry *geometry)
{
    const unsigned column = dense_column(geometry, geometry->root_place);
    const unsigned line = geometry->root_place / geometry->width;
    uint8_t digit[DENSE_PLACES_MAX] = {0};
    for (unsigned at = line; at != 1; at += at < 1 ? 1 : -1u) {
        const unsigned to = at < 1 ? 1 : at - 1;
        const unsigned one = dense_place(geometry, at, column);
        const unsigned other = dense_place(geometry, to, column);
        const struct dense_edge edge = {(uint8_t)(one < other ? one : other),
                                        (uint8_t)(one < other ? other : one)};
        if (edge.high - edge.low > 1) /* going back from there leads here */
            dense_unrotate(digit, &edge, one > other);
    }
    struct orbits_root root = {.bit = {(uint8_t)(geometry->width + line), (uint8_t)column}};
    for (unsigned k = 0; k + 2 < geometry->tiles; k++)
        root.number[1] += digit[k] * geometry->span[k + 1];
    return root;
}

void orbits_end_level(struct orbits *orbits, uint32_t level, uint64_t count)
{
    const unsigned threads = team_size(orbits->parts.team);
    const struct dense_geometry *geometry = orbits->parts.plan->geometry;
    const unsigned line = geometry->root_place / geometry->width;
    if (level == 0) {
        orbits->examples.stride = 1;
        orbit_sample_add(&orbits->workers[0].sample, &orbits->examples, 0, line,
                         1u << dense_column(geometry, geometry->root_place));
    }
    for (unsigned i = 0; i < threads; i++)
        orbit_examples_take(&orbits->examples, level, &orbits->workers[i].sample);
    orbit_examples_choose(&orbits->examples, level, count);
}

struct orbit_examples *orbits_examples(struct orbits *orbits)
{
    return &orbits->examples;
}
