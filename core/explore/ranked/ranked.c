/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked.h"

#include "base/memory.h"
#include "explore/ranked/ranked_own.h"
#include "explore/ranked/ranked_table.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    NARROW_LEVEL = 1 << 12, /* smaller levels are not worth the threads */
    FILL_BYTES = 16 << 20   /* of states, between two looks at the control */
};

/* ---- making levels ---- */

/* Makes turns of a level by all workers or by one, and adds up what they found. */
static enum pz_status make_turns(struct ranked *ranked, bool wide, struct pz_error *error)
{
    struct ranked_level *level = &ranked->level;
    const enum pz_status status = ranked_level_make(level, ranked->place.turns, wide ? ranked->team : NULL);
    struct bottom_k *examples = &ranked->examples[level->level & 1];
    for (unsigned i = 0; i < level->member_count; i++) {
        const struct ranked_member *member = &level->members[i];
        ranked->place.found += member->found;
        *(ranked->ranks.exchange != NULL ? &ranked->ranks.generated : &ranked->place.generated) +=
            member->generated;
        if (level->run.again)
            run_examples_join(examples, &member->examples);
        else
            bottom_k_merge(examples, &member->examples, EXAMPLE_WORDS);
    }
    ranked->place.turns = (uint32_t)turns_done(&level->turns);
    return level->run.file != NULL && (status == PZ_STORAGE || status == PZ_STORAGE_FULL)
               ? run_file_failed(level->run.file, error)
               : status;
}

/* Makes the level just made the newest one; with other ranks, when all have made it. */
static enum pz_status take_level(struct ranked *ranked, enum pz_status status, struct pz_error *error)
{
    struct ranked_place *place = &ranked->place;
    status = ranked_ranks_settle(ranked, status, error);
    if (status != PZ_OK)
        return status;
    place->level = ranked->level.level;
    place->width = place->found;
    place->states += place->found;
    place->found = place->turns = 0;
    assert(place->states <= ranked->level.states.numbers);
    if (ranked->level.run.file != NULL)
        run_file_end_level(ranked->level.run.file, place->level);
    ranked->base.level = place->level;
    ranked->base.width = place->width;
    return ranked_ranks_keep(ranked, error);
}

static enum pz_status next(struct explorer *explorer, level_tick *tick, void *context, struct pz_error *error)
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
        status = ranked->ranks.exchange != NULL ? ranked_ranks_level(ranked, make_turns, wide, error)
                                                : make_turns(ranked, wide, error);
    return take_level(ranked, status, error);
}

static bool is_root(const void *context, uint64_t number)
{
    return number == *(const uint64_t *)context;
}

static void begin_at_root(struct ranked *ranked)
{
    const struct pz_space *space = ranked->setup.request->space;
    struct ranked_level *level = &ranked->level;
    const uint64_t root = space->puzzle->rank(space, ranked->setup.request->root);
    if (level->run.runs != NULL) {
        const uint64_t size = (uint64_t)level->run.shape.rows * level->run.shape.columns;
        if (!run_share_has(level->run.share, root / size))
            return;
        struct run_sink sink = {.examples = &ranked->examples[0], .parts = level->parts};
        run_level_choose(&level->run, &level->members[0].run, &sink, root / size, is_root, &root);
    } else {
        const uint64_t key[EXAMPLE_WORDS] = {root, 0};
        (void)states_reach(&level->states, 0, root);
        if (level->parts != NULL)
            ranked_parts_note(level->parts, root, 0);
        bottom_k_offer(&ranked->examples[0], bottom_k_hash(&root, level->seed, 1), key, EXAMPLE_WORDS);
    }
    ranked->place.found = 1;
}

static bool report_turns(void *context, double done)
{
    monitor_tell(context, "search", done);
    return false;
}

/* Passes over all states before there is a level. */
static enum pz_status make_pass(struct ranked *ranked, enum ranked_way way, struct pz_error *error)
{
    struct ranked_level *level = &ranked->level;
    level->way = way;
    level->turns.tick = report_turns;
    level->turns.context = ranked->setup.monitor;
    const enum pz_status status = make_turns(ranked, true, error);
    ranked->place.turns = 0;
    ranked->base.limit = STOP_TIME;
    return status != PZ_CANCELLED ? status
                                  : pz_fail(error, status, "cancelled before the first level was known");
}

/* Finds the connected components. Their farthest states are recorded while levels are made. */
static enum pz_status find_parts(struct ranked *ranked, struct pz_error *error)
{
    const uint64_t states = ranked->level.states.numbers;
    if (!ranked_parts_init(&ranked->parts, states, ranked->setup.request->budget))
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the parts of %" PRIu64 " states",
                       states);
    ranked->level.parts = &ranked->parts;
    enum pz_status status = make_pass(ranked, RANKED_JOIN, error);
    if (status == PZ_OK && !ranked_parts_number(&ranked->parts))
        status = pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the list of parts");
    /* The last chunk of states is padded, and the components follow. */
    ranked->base.plan.table_bytes =
        ranked_table_parts_at(states) + ranked->parts.count * sizeof(struct ranked_part);
    return status;
}

static enum pz_status begin(struct explorer *explorer, struct pz_error *error)
{
    struct ranked *ranked = ranked_of(explorer);
    const struct explore_request *request = ranked->setup.request;
    enum pz_status status = request->ranked.parts ? find_parts(ranked, error) : PZ_OK;
    if (status == PZ_OK && request->from == FROM_ROOT)
        begin_at_root(ranked);
    else if (status == PZ_OK)
        status = make_pass(ranked, RANKED_GOALS, error);
    return take_level(ranked, status, error);
}

static enum pz_status choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                             unsigned *count, struct pz_error *error)
{
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
static enum pz_status chunk(struct explorer *explorer, uint64_t number, uint8_t *bytes, size_t *length,
                            struct pz_error *error)
{
    struct ranked *ranked = ranked_of(explorer);
    const bool parts = ranked->setup.request->ranked.parts;
    const uint64_t states = ranked->level.states.numbers;
    const uint64_t parts_from = ranked_table_parts_at(states) / RANKED_CHUNK_BYTES;
    if (number == 0 && parts)
        ranked_parts_sort(&ranked->parts);
    if (parts && number >= parts_from) {
        *length = ranked_table_encode_parts(&ranked->parts, number - parts_from, bytes);
        return PZ_OK;
    }
    *length = ranked->level.run.runs != NULL
                  ? run_table_encode(&ranked->level.run, &ranked->level.members[0].run, number, bytes)
                  : ranked_table_encode(&ranked->level.states, number, bytes);
    if (ranked->level.run.file != NULL)
        return run_file_failed(ranked->level.run.file, error);
    if (parts) {
        memset(bytes + *length, 0, RANKED_CHUNK_BYTES - *length);
        *length = RANKED_CHUNK_BYTES;
    }
    return PZ_OK;
}

static void figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct ranked *ranked = (const struct ranked *)explorer;
    out->generated = ranked->place.generated;
    out->parts = ranked->parts.count;
    if (ranked->setup.request->from == FROM_GOALS && ranked->setup.result->complete)
        out->dead = ranked->level.states.numbers - ranked->place.states;
    if (ranked->level.run.file == NULL)
        return;
    out->planes = PLANES_DISK;
    explorer_scratch(run_file_store(ranked->level.run.file), out);
}

/* ---- life ---- */

static void ranked_free(struct explorer *explorer)
{
    struct ranked *ranked = ranked_of(explorer);
    struct states *states = &ranked->level.states;
    team_free(ranked->team);
    memory_unmap((void *)states->levels, states_levels_bytes(states->count));
    memory_unmap((void *)states->marks[0], states_marks_bytes(states->count, states->grain));
    memory_unmap((void *)states->marks[1], states_marks_bytes(states->count, states->grain));
    budget_give(ranked->setup.request->budget, ranked->taken);
    for (unsigned i = 0; i < ranked->level.member_count; i++)
        ranked_member_clear(&ranked->level.members[i]);
    free(ranked->level.members);
    run_space_clear(&ranked->level.run);
    ranked_ranks_close(ranked);
    bottom_k_clear(&ranked->examples[0]);
    bottom_k_clear(&ranked->examples[1]);
    ranked_parts_clear(&ranked->parts);
    free(ranked);
}

static void *take(struct ranked *ranked, uint64_t bytes)
{
    void *memory = budget_map(ranked->setup.request->budget, bytes);
    ranked->taken += memory != NULL ? bytes : 0;
    return memory;
}

static bool make_members(struct ranked *ranked)
{
    const struct explore_request *request = ranked->setup.request;
    struct ranked_level *level = &ranked->level;
    level->members = calloc(request->threads, sizeof *level->members);
    level->member_count = level->members != NULL ? request->threads : 0;
    bool made = level->members != NULL && bottom_k_init(&ranked->examples[0], EXPLORE_DEEPEST_MAX) &&
                bottom_k_init(&ranked->examples[1], EXPLORE_DEEPEST_MAX);
    for (unsigned i = 0; made && i < request->threads; i++)
        made = ranked_member_init(&level->members[i], level, EXPLORE_DEEPEST_MAX);
    if (made && request->threads > 1)
        (void)team_new(request->threads, &ranked->team, NULL); /* without a team the caller works alone */
    return made;
}

/* Makes the runs ready, if the space has some. */
static bool take_runs(struct ranked *ranked)
{
    struct ranked_level *level = &ranked->level;
    struct pz_runs *runs = level->run.runs;
    if (runs == NULL)
        return true;
    const struct run_share share = ranked_share(ranked->setup.request);
    const uint64_t bytes = run_space_bytes(runs, share);
    if (!budget_take(ranked->setup.request->budget, bytes))
        return false;
    ranked->taken += bytes;
    return run_space_init(&level->run, runs, share, &level->states, level->seed);
}

static bool take_states(struct ranked *ranked)
{
    struct states *states = &ranked->level.states;
    const uint64_t marks = states_marks_bytes(states->count, states->grain);
    states->levels = take(ranked, states_levels_bytes(states->count));
    states->marks[0] = take(ranked, marks);
    states->marks[1] = take(ranked, marks);
    return states->levels != NULL && states->marks[0] != NULL && states->marks[1] != NULL;
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

/* Opens the file that the runs lie in. */
static enum pz_status take_file(struct ranked *ranked, struct pz_error *error)
{
    const struct explore_request *request = ranked->setup.request;
    struct run_space *space = &ranked->level.run;
    const uint64_t runs = run_share_places(space->share, space->runs->outers);
    if (!budget_take(request->budget, run_file_memory(runs)))
        return pz_fail(error, PZ_TOO_LARGE, "no memory for %" PRIu64 " runs on disk", runs);
    ranked->taken += run_file_memory(runs);
    ranked->place.on_disk = 1;
    return run_file_new(request->scratch, request->disk, runs, run_file_words(&space->shape), &space->file,
                        error);
}

static enum pz_status make(struct ranked *ranked, bool on_disk, struct pz_error *error)
{
    const struct states *states = &ranked->level.states;
    bool made = (on_disk || take_states(ranked)) && take_runs(ranked);
    enum pz_status status = !made ? PZ_OK : on_disk ? take_file(ranked, error) : fill_states(ranked, error);
    if (status == PZ_OK && made)
        status = ranked_ranks_open(ranked, error);
    if (status == PZ_OK && (!made || !make_members(ranked)))
        status = pz_fail(error, PZ_TOO_LARGE, "no memory for %" PRIu64 " states: %" PRIu64 " bytes",
                         states->count, states_all_bytes(states->count, states->grain));
    return status;
}

static const struct explorer_ops ranked_ops = {.begin = begin,
                                               .next = next,
                                               .choose = choose,
                                               .chunk = chunk,
                                               .save_bytes = ranked_save_bytes,
                                               .save = ranked_save,
                                               .load = ranked_load,
                                               .figures = figures,
                                               .free = ranked_free};
static const struct explorer_ops disk_ops = {.begin = begin,
                                             .next = next,
                                             .choose = choose,
                                             .chunk = chunk,
                                             .every_level = true,
                                             .in_levels = true,
                                             .save_bytes = ranked_save_bytes_on_disk,
                                             .save = ranked_save_on_disk,
                                             .load = ranked_load_on_disk,
                                             .figures = figures,
                                             .free = ranked_free};
/* Checkpoints of ranks are those of their files, between levels. */
static const struct explorer_ops ranks_ops = {
    .begin = begin, .next = next, .choose = choose, .figures = figures, .free = ranked_free};
static const struct explorer_ops ranks_disk_ops = {.begin = begin,
                                                   .next = next,
                                                   .choose = choose,
                                                   .every_level = true,
                                                   .save_bytes = ranked_save_bytes_of_ranks,
                                                   .save = ranked_save_ranks,
                                                   .load = ranked_load_ranks,
                                                   .figures = figures,
                                                   .free = ranked_free};
/* There are no checkpoints with components: what is recorded of them is not saved. */
static const struct explorer_ops parts_ops = {
    .begin = begin, .next = next, .choose = choose, .chunk = chunk, .figures = figures, .free = ranked_free};

static const struct explorer_ops *ops_of(const struct explore_request *request, bool on_disk)
{
    if (request->exchange != NULL)
        return on_disk && request->checkpoint != NULL ? &ranks_disk_ops : &ranks_ops;
    return request->ranked.parts ? &parts_ops : on_disk ? &disk_ops : &ranked_ops;
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
    ranked->level.space = request->space;
    ranked->level.seed = request->seed;
    ranked->level.turns.control = setup->monitor->control;
    ranked->level.run.runs = space_runs(request->space);
    ranked->level.states = ranked_states(request, ranked->level.run.runs);
    ranked->base = (struct explorer){
        .ops = ops_of(request, on_disk),
        .all = ranked->level.states.numbers,
        .plan = {.table = table ? TABLE_RANKED : TABLE_NONE,
                 .table_bytes = ranked_table_bytes(ranked->level.states.numbers),
                 .chunk_bytes = RANKED_CHUNK_BYTES},
    };
    status = make(ranked, on_disk, error);
    if (status != PZ_OK) {
        ranked_free(&ranked->base);
        return status;
    }
    *out = &ranked->base;
    return PZ_OK;
}
