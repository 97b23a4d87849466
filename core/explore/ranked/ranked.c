/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked.h"

#include "base/budget.h"
#include "explore/ranked/ranked_own.h"
#include "explore/ranked/ranked_table.h"
#include "space/registry.h"
#include "space/root_set.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    NARROW_LEVEL = 1 << 12, /* smaller levels are not worth the threads */
    FILL_BYTES = 16 << 20   /* of states, between two looks at the control */
};

/* ---- making levels ---- */

enum pz_status ranked_make_turns(struct ranked *ranked, bool wide, struct pz_error *error)
{
    struct ranked_level *level = &ranked->level;
    const enum pz_status status = ranked_level_make(level, ranked->place.turns, wide ? ranked->team : NULL);
    struct bottom_k *examples = &ranked->examples[level->level & 1];
    for (unsigned i = 0; i < level->worker_count; i++) {
        const struct ranked_worker *worker = &level->workers[i];
        ranked->place.found += worker->found;
        *(ranked->ranks.exchange != NULL ? &ranked->ranks.generated : &ranked->place.generated) +=
            worker->generated;
        if (level->blocks.again)
            block_examples_join(examples, &worker->examples);
        else
            bottom_k_merge(examples, &worker->examples, EXAMPLE_WORDS);
    }
    ranked->place.turns = (uint32_t)turns_done(&level->turns);
    return level->blocks.file != NULL && (status == PZ_STORAGE || status == PZ_STORAGE_FULL)
               ? block_file_failed(level->blocks.file, error)
               : status;
}

/* Makes the level just made the newest one; with other ranks, when all have made it. */
static enum pz_status settle_level(struct ranked *ranked, enum pz_status status, struct pz_error *error)
{
    struct ranked_place *place = &ranked->place;
    status = ranked_ranks_settle(ranked, status, error);
    if (status != PZ_OK)
        return status;
    place->level = ranked->level.level;
    place->width = place->found;
    place->states += place->found;
    place->found = place->turns = 0;
    if (ranked->level.blocks.file != NULL)
        block_file_end_level(ranked->level.blocks.file, place->level);
    ranked->base.level = place->level;
    ranked->base.width = place->width;
    return ranked_ranks_keep(ranked, error);
}

static enum pz_status ranked_next(struct explorer *explorer, level_tick *tick, void *context,
                                  struct pz_error *error)
{
    struct ranked *ranked = ranked_of(explorer);
    struct ranked_level *level = &ranked->level;
    const struct ranked_place *place = &ranked->place;
    const uint64_t left = level->states.numbers - place->states;
    enum pz_status status = PZ_OK;
    level->turns.tick = tick;
    level->turns.context = context;
    level->level = place->level + 1;
    level->way = left / 2 < place->width ? RANKED_PULL : RANKED_PUSH;
    if (place->turns == 0)
        bottom_k_empty(&ranked->examples[level->level & 1]);
    const bool wide = place->width >= NARROW_LEVEL;
    if (left > 0 && place->width > 0)
        status = ranked->ranks.exchange != NULL ? ranked_ranks_level(ranked, wide, error)
                                                : ranked_make_turns(ranked, wide, error);
    return settle_level(ranked, status, error);
}

struct root_numbers {
    unsigned count;
    uint64_t number[ROOTS_MAX];
};

static bool is_root(const void *context, uint64_t number)
{
    const struct root_numbers *roots = context;
    return root_set_has(roots->number, roots->count, sizeof number, &number);
}

/* Reaches all roots of a block, if it is this rank's and none of the roots before was in it. */
static void reach_root_block(struct ranked *ranked, const struct root_numbers *roots, unsigned which)
{
    struct ranked_level *level = &ranked->level;
    struct block_sink sink = {.examples = &ranked->examples[0], .parts = level->parts};
    const uint64_t size = (uint64_t)level->blocks.shape.rows * level->blocks.shape.columns;
    const uint64_t block = roots->number[which] / size;
    bool before = false;
    for (unsigned i = 0; i < which && !before; i++)
        before = roots->number[i] / size == block;
    if (before || !block_share_has(level->blocks.share, block))
        return;
    block_level_choose(&level->blocks, &level->workers[0].block, &sink, block, is_root, roots);
    ranked->place.found += sink.found;
}

static void reach_roots(struct ranked *ranked)
{
    const struct explore_request *request = ranked->setup.request;
    const struct pz_space *space = request->space;
    struct ranked_level *level = &ranked->level;
    struct root_numbers roots = {.count = explore_roots(request)};
    for (unsigned i = 0; i < roots.count; i++)
        roots.number[i] = space->puzzle->rank(space, root_set_at(request->root, space->state_bytes, i));
    for (unsigned i = 0; i < roots.count; i++) {
        const uint64_t key[EXAMPLE_WORDS] = {roots.number[i], 0};
        if (level->blocks.runs != NULL) {
            reach_root_block(ranked, &roots, i);
            continue;
        }
        ranked->place.found += states_reach(&level->states, 0, key[0]);
        if (level->parts != NULL)
            ranked_components_note(level->parts, key[0], 0);
        bottom_k_offer(&ranked->examples[0], bottom_k_hash(key, level->seed, 1), key, EXAMPLE_WORDS);
    }
}

/* Passes over all states before there is a level. */
static enum pz_status make_pass(struct ranked *ranked, enum ranked_way way, struct pz_error *error)
{
    struct ranked_level *level = &ranked->level;
    level->way = way;
    level->turns.tick = monitor_tick;
    level->turns.context = ranked->setup.monitor;
    const enum pz_status status = ranked_make_turns(ranked, true, error);
    ranked->place.turns = 0;
    ranked->base.limit = STOP_TIME;
    return status != PZ_CANCELLED ? status
                                  : pz_fail(error, status, "cancelled before the first level was known");
}

/* Finds the connected components. Their farthest states are recorded while levels are made. */
static enum pz_status find_components(struct ranked *ranked, struct pz_error *error)
{
    const uint64_t states = ranked->level.states.numbers;
    if (!ranked_components_init(&ranked->parts, states, ranked->setup.request->budget))
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the parts of %" PRIu64 " states",
                       states);
    ranked->level.parts = &ranked->parts;
    enum pz_status status = make_pass(ranked, RANKED_JOIN, error);
    if (status == PZ_OK && !ranked_components_number(&ranked->parts))
        status = pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the list of parts");
    /* The last chunk of states is padded, and the components follow. */
    ranked->base.plan.table_bytes =
        ranked_table_parts_at(states) + ranked->parts.count * sizeof(struct ranked_component);
    return status;
}

static enum pz_status ranked_begin(struct explorer *explorer, struct pz_error *error)
{
    struct ranked *ranked = ranked_of(explorer);
    const struct explore_request *request = ranked->setup.request;
    enum pz_status status = request->ranked.parts ? find_components(ranked, error) : PZ_OK;
    if (status == PZ_OK && request->from == FROM_ROOT)
        reach_roots(ranked);
    else if (status == PZ_OK)
        status = make_pass(ranked, RANKED_GOALS, error);
    return settle_level(ranked, status, error);
}

static enum pz_status ranked_examples(struct explorer *explorer, uint32_t level, unsigned most,
                                      uint8_t *states, unsigned *count, struct pz_error *error)
{
    assert(level + 1 >= explorer->level && most <= EXPLORE_DEEPEST_MAX);
    struct ranked *ranked = ranked_of(explorer);
    const struct pz_space *space = ranked->setup.request->space;
    uint64_t numbers[EXPLORE_DEEPEST_MAX];
    struct bottom_k *examples = &ranked->examples[level & 1];
    (void)error;
    if (ranked->ranks.exchange != NULL)
        examples = ranked_ranks_choose(ranked, examples, most);
    *count = ranked_level_examples(&ranked->level, examples, numbers, most);
    for (unsigned i = 0; i < *count; i++)
        space->puzzle->unrank(space, numbers[i], states + (size_t)i * space->state_bytes);
    return PZ_OK;
}

/* ---- the table ---- */

/* Writes a chunk of states or of components. */
static enum pz_status ranked_chunk(struct explorer *explorer, uint64_t number, uint8_t *bytes, size_t *length,
                                   struct pz_error *error)
{
    struct ranked *ranked = ranked_of(explorer);
    const bool parts = ranked->setup.request->ranked.parts;
    const uint64_t states = ranked->level.states.numbers;
    const uint64_t parts_from = ranked_table_parts_at(states) / RANKED_CHUNK_BYTES;
    if (number == 0 && parts)
        ranked_components_sort(&ranked->parts);
    if (parts && number >= parts_from) {
        *length = ranked_table_encode_parts(&ranked->parts, number - parts_from, bytes);
        return PZ_OK;
    }
    *length = ranked->level.blocks.runs != NULL
                  ? ranked_table_encode_blocks(&ranked->level.blocks, &ranked->level.workers[0].block, number,
                                               bytes)
                  : ranked_table_encode(&ranked->level.states, number, bytes);
    if (ranked->level.blocks.file != NULL)
        return block_file_failed(ranked->level.blocks.file, error);
    if (parts) {
        memset(bytes + *length, 0, RANKED_CHUNK_BYTES - *length);
        *length = RANKED_CHUNK_BYTES;
    }
    return PZ_OK;
}

static void ranked_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct ranked *ranked = (const struct ranked *)explorer;
    out->generated = ranked->place.generated;
    out->parts = ranked->parts.count;
    if (ranked->setup.request->from == FROM_GOALS && ranked->setup.result->complete)
        out->dead = ranked->level.states.numbers - ranked->place.states;
    if (ranked->level.blocks.file == NULL)
        return;
    out->planes = PLANES_DISK;
    explorer_scratch(block_file_store(ranked->level.blocks.file), out);
}

/* ---- life ---- */

static void ranked_free(struct explorer *explorer)
{
    struct ranked *ranked = ranked_of(explorer);
    struct states *states = &ranked->level.states;
    team_free(ranked->team);
    memory_unmap((void *)states->levels, states_all_bytes(states->count, states->grain));
    budget_give(ranked->setup.request->budget, ranked->taken);
    for (unsigned i = 0; i < ranked->level.worker_count; i++)
        ranked_worker_clear(&ranked->level.workers[i]);
    free(ranked->level.workers);
    block_space_clear(&ranked->level.blocks);
    ranked_ranks_close(ranked);
    bottom_k_clear(&ranked->examples[0]);
    bottom_k_clear(&ranked->examples[1]);
    ranked_components_clear(&ranked->parts);
    free(ranked);
}

static bool make_ranked_workers(struct ranked *ranked)
{
    const struct explore_request *request = ranked->setup.request;
    struct ranked_level *level = &ranked->level;
    level->workers = calloc(request->threads, sizeof *level->workers);
    level->worker_count = level->workers != NULL ? request->threads : 0;
    bool made = level->workers != NULL && bottom_k_init(&ranked->examples[0], EXPLORE_DEEPEST_MAX) &&
                bottom_k_init(&ranked->examples[1], EXPLORE_DEEPEST_MAX);
    for (unsigned i = 0; made && i < request->threads; i++)
        made = ranked_worker_init(&level->workers[i], level, EXPLORE_DEEPEST_MAX);
    if (made && request->threads > 1)
        (void)team_new(request->threads, &ranked->team, NULL); /* without a team the caller works alone */
    return made;
}

/* Makes the blocks ready, if the space has some. */
static bool take_block_space(struct ranked *ranked)
{
    struct ranked_level *level = &ranked->level;
    struct pz_runs *runs = level->blocks.runs;
    if (runs == NULL)
        return !space_has_runs(level->space);
    const struct block_share share = ranked_share(ranked->setup.request);
    const uint64_t bytes = block_space_bytes(runs, share);
    if (!budget_take(ranked->setup.request->budget, bytes))
        return false;
    ranked->taken += bytes;
    return block_space_init(&level->blocks, runs, share, &level->states, level->seed);
}

/* Takes one mapping: the levels, then both rows of active bits. */
static bool take_states(struct ranked *ranked)
{
    struct states *states = &ranked->level.states;
    const uint64_t bytes = states_all_bytes(states->count, states->grain);
    states->levels = budget_map(ranked->setup.request->budget, bytes);
    if (states->levels == NULL)
        return false;
    ranked->taken += bytes;
    states->active[0] = states->levels + states_levels_bytes(states->count) / sizeof *states->levels;
    states->active[1] =
        states->active[0] + states_active_bytes(states->count, states->grain) / sizeof *states->levels;
    return true;
}

/* Makes all states unreached. That is new memory: gigabytes take seconds. */
static enum pz_status fill_states(struct ranked *ranked, struct pz_error *error)
{
    const uint64_t bytes = states_levels_bytes(ranked->level.states.count);
    for (uint64_t at = 0; at < bytes; at += FILL_BYTES) {
        if (control_poll(ranked->level.turns.control) == PZ_CANCELLED)
            return pz_fail(error, PZ_CANCELLED, "cancelled before the first level was known");
        memset((uint8_t *)ranked->level.states.levels + at, 0xFF,
               bytes - at < FILL_BYTES ? bytes - at : FILL_BYTES);
    }
    return PZ_OK;
}

/* Opens the file that the blocks lie in. */
static enum pz_status open_block_file(struct ranked *ranked, struct pz_error *error)
{
    const struct explore_request *request = ranked->setup.request;
    struct block_space *space = &ranked->level.blocks;
    const uint64_t blocks = block_share_places(space->share, space->runs->outers);
    if (!budget_take(request->budget, block_file_memory(blocks)))
        return pz_fail(error, PZ_TOO_LARGE, "no memory for %" PRIu64 " blocks on disk", blocks);
    ranked->taken += block_file_memory(blocks);
    ranked->place.on_disk = 1;
    return block_file_new(request->scratch, request->disk, blocks, block_file_words(&space->shape),
                          &space->file, error);
}

static enum pz_status make_ranked(struct ranked *ranked, bool on_disk, struct pz_error *error)
{
    const struct states *states = &ranked->level.states;
    bool made = (on_disk || take_states(ranked)) && take_block_space(ranked);
    enum pz_status status = !made     ? PZ_OK
                            : on_disk ? open_block_file(ranked, error)
                                      : fill_states(ranked, error);
    if (status == PZ_OK && made)
        status = ranked_ranks_open(ranked, error);
    if (status == PZ_OK && (!made || !make_ranked_workers(ranked)))
        status = pz_fail(error, PZ_TOO_LARGE, "no memory for %" PRIu64 " states: %" PRIu64 " bytes",
                         states->count, states_all_bytes(states->count, states->grain));
    return status;
}

static const struct explorer_ops ranked_ops = {.begin = ranked_begin,
                                               .next = ranked_next,
                                               .choose = ranked_examples,
                                               .chunk = ranked_chunk,
                                               .save_bytes = ranked_save_bytes,
                                               .save = ranked_save,
                                               .load = ranked_load,
                                               .figures = ranked_figures,
                                               .free = ranked_free};

/* Checkpoints of ranks are those of their files, between levels. With components there are none: what is
 * recorded of them is not saved. */
static struct explorer_ops ops_of(const struct explore_request *request, bool on_disk)
{
    struct explorer_ops ops = ranked_ops;
    const bool ranks = request->exchange != NULL;
    ops.every_level = on_disk;
    ops.in_levels = on_disk && !ranks;
    if (ranks)
        ops.chunk = NULL;
    if (request->ranked.parts || (ranks && !(on_disk && request->checkpoint != NULL))) {
        ops.save_bytes = NULL;
        ops.save = NULL;
        ops.load = NULL;
    }
    return ops;
}

enum pz_status ranked_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    const struct explore_request *request = setup->request;
    const bool table = request->keep == KEEP_TABLE && request->depth == EXPLORE_NO_LIMIT;
    const uint64_t limit = budget_free(request->budget);
    enum pz_status status = ranked_check_memory(request, limit, error);
    if (status != PZ_OK)
        return status;
    const bool on_disk = ranked_uses_disk(request, limit);
    struct ranked *ranked = aligned_alloc(64, sizeof *ranked);
    if (ranked == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    memset(ranked, 0, sizeof *ranked);
    ranked->setup = *setup;
    ranked->ops = ops_of(request, on_disk);
    ranked->level.space = request->space;
    ranked->level.seed = request->seed;
    ranked->level.turns.control = setup->monitor->control;
    ranked->level.blocks.runs = space_runs(request->space);
    ranked->level.states = ranked_states(request, ranked->level.blocks.runs);
    ranked->base = (struct explorer){
        .ops = &ranked->ops,
        .all = ranked->level.states.numbers,
        .plan = {.table = table ? TABLE_RANKED : TABLE_NONE,
                 .table_bytes = ranked_table_bytes(ranked->level.states.numbers),
                 .chunk_bytes = RANKED_CHUNK_BYTES},
    };
    status = make_ranked(ranked, on_disk, error);
    if (status != PZ_OK) {
        ranked_free(&ranked->base);
        return status;
    }
    *out = &ranked->base;
    return PZ_OK;
}
