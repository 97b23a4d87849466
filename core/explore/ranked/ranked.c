/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked.h"

#include "base/memory.h"
#include "explore/ranked/level.h"
#include "explore/ranked/table.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW_LEVEL = 1 << 12 /* smaller levels are not worth the threads */, PIECE_BYTES = 1 << 20 };

/* A number, or with runs a word and its states. */
enum { EXAMPLE_WORDS = 2 };

/* Where the search is. A checkpoint begins with it. */
struct ranked_place {
    uint32_t level;
    uint32_t turns; /* of the next level that are done, and how many states they found */
    uint64_t found;
    uint64_t width; /* of the level */
    uint64_t states, generated;
};

struct ranked {
    struct explorer base;
    struct explorer_setup setup;
    struct team *team; /* NULL for one thread */
    struct ranked_level level;
    struct ranked_parts parts;
    struct ranked_place place;
    struct bottom_k
        examples[2]; /* by the level's last bit: of the newest level, and of the one before or after */
    uint64_t taken;  /* bytes of the budget */
};

static struct ranked *of(struct explorer *explorer)
{
    return (struct ranked *)explorer;
}

/* ---- making levels ---- */

/* Makes turns of a level by all members or by one, and adds up what they found. */
static enum pz_status make_turns(struct ranked *ranked, bool wide)
{
    struct ranked_level *level = &ranked->level;
    const enum pz_status status = ranked_level_make(level, ranked->place.turns, wide ? ranked->team : NULL);
    for (unsigned i = 0; i < level->member_count; i++) {
        ranked->place.found += level->members[i].found;
        ranked->place.generated += level->members[i].generated;
        bottom_k_merge(&ranked->examples[level->level & 1], &level->members[i].examples, EXAMPLE_WORDS);
    }
    ranked->place.turns = (uint32_t)turns_done(&level->turns);
    return status;
}

/* Makes the level that was found the newest one. */
static void take_level(struct ranked *ranked)
{
    struct ranked_place *place = &ranked->place;
    place->level = ranked->level.level;
    place->width = place->found;
    place->states += place->found;
    place->found = place->turns = 0;
    assert(place->states <= ranked->level.states.numbers);
    ranked->base.level = place->level;
    ranked->base.width = place->width;
}

static enum pz_status next(struct explorer *explorer, level_tick *tick, void *context, struct pz_error *error)
{
    struct ranked *ranked = of(explorer);
    struct ranked_level *level = &ranked->level;
    const struct ranked_place *place = &ranked->place;
    const uint64_t left = level->states.numbers - place->states;
    enum pz_status status = PZ_OK;
    (void)error;
    level->turns.tick = tick;
    level->turns.context = context;
    level->level = place->level + 1;
    level->way = left / 2 < place->width ? RANKED_PULL : RANKED_PUSH;
    if (place->turns == 0)
        bottom_k_empty(&ranked->examples[level->level & 1]);
    if (left > 0 && place->width > 0)
        status = make_turns(ranked, place->width >= NARROW_LEVEL);
    if (status == PZ_OK)
        take_level(ranked);
    return status;
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
    const enum pz_status status = make_turns(ranked, true);
    ranked->place.turns = 0;
    ranked->base.limit = STOP_TIME;
    return status != PZ_CANCELLED ? status
                                  : pz_fail(error, status, "cancelled before the first level was known");
}

/* Finds the parts. Their farthest states are noted while levels are made. */
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
    /* The last chunk of states is filled up, and the parts follow. */
    ranked->base.plan.table_bytes =
        ranked_table_parts_at(states) + ranked->parts.count * sizeof(struct ranked_part);
    return status;
}

static enum pz_status begin(struct explorer *explorer, struct pz_error *error)
{
    struct ranked *ranked = of(explorer);
    const struct explore_request *request = ranked->setup.request;
    enum pz_status status = request->parts ? find_parts(ranked, error) : PZ_OK;
    if (status == PZ_OK && request->from == FROM_ROOT)
        begin_at_root(ranked);
    else if (status == PZ_OK)
        status = make_pass(ranked, RANKED_GOALS, error);
    if (status == PZ_OK)
        take_level(ranked);
    return status;
}

static enum pz_status choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                             unsigned *count, struct pz_error *error)
{
    struct ranked *ranked = of(explorer);
    const struct pz_space *space = ranked->setup.request->space;
    uint64_t numbers[EXPLORE_DEEPEST_MAX];
    (void)error;
    *count = ranked_level_examples(&ranked->level, &ranked->examples[level & 1], numbers, most);
    for (unsigned i = 0; i < *count; i++)
        space->puzzle->unrank(space, numbers[i], states + (size_t)i * space->state_bytes);
    return PZ_OK;
}

/* ---- checkpoints ---- */

typedef bool move_bytes(struct checkpointer *checkpointer, void *bytes, size_t length);

static bool put_bytes(struct checkpointer *checkpointer, void *bytes, size_t length)
{
    return checkpointer_put(checkpointer, bytes, length);
}

static bool move_examples(struct bottom_k *examples, struct checkpointer *checkpointer, move_bytes *move)
{
    uint64_t count = examples->count;
    const bool moved = move(checkpointer, &count, sizeof count) && count <= EXPLORE_DEEPEST_MAX &&
                       move(checkpointer, examples->entries, count * sizeof *examples->entries);
    examples->count = moved ? (unsigned)count : 0;
    return moved;
}

static bool move_levels(const struct states *states, struct checkpointer *checkpointer, move_bytes *move)
{
    const uint64_t bytes = states_levels_bytes(states->count);
    bool moved = true;
    for (uint64_t at = 0; moved && at < bytes; at += PIECE_BYTES)
        moved = move(checkpointer, (uint8_t *)states->levels + at,
                     bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
    return moved;
}

/* Moves all that a checkpoint holds. A level of which some turns are done has marks and examples, too. */
static bool move_all(struct ranked *ranked, struct checkpointer *checkpointer, move_bytes *move)
{
    const struct states *states = &ranked->level.states;
    const struct ranked_place *place = &ranked->place;
    bool moved = move(checkpointer, &ranked->place, sizeof ranked->place) &&
                 place->turns <= ranked_level_turns(&ranked->level) &&
                 move_levels(states, checkpointer, move);
    for (uint32_t level = place->level; moved && level <= place->level + (place->turns > 0); level++)
        moved = move_examples(&ranked->examples[level & 1], checkpointer, move) &&
                move(checkpointer, (void *)states->marks[level & 1],
                     states_marks_bytes(states->count, states->grain));
    return moved;
}

static uint64_t save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct ranked *ranked = (const struct ranked *)explorer;
    (void)states;
    return states_all_bytes(ranked->level.states.count, ranked->level.states.grain) +
           2 * (EXPLORE_DEEPEST_MAX * sizeof(struct bottom_k_entry) + sizeof(uint64_t)) +
           sizeof ranked->place;
}

static void save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    (void)move_all(of(explorer), checkpointer, put_bytes);
}

static bool load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct ranked *ranked = of(explorer);
    explorer->level = ranked->place.level;
    if (!move_all(ranked, checkpointer, checkpointer_get))
        return false;
    explorer->level = ranked->place.level;
    explorer->width = ranked->place.width;
    return ranked->place.level == checkpointer_levels(checkpointer) &&
           ranked->place.states <= ranked->level.states.numbers &&
           ranked_level_resume(&ranked->level, ranked->place.level, ranked->place.turns);
}

/* ---- the table ---- */

/* Writes a chunk of states or of parts. */
static enum pz_status chunk(struct explorer *explorer, uint64_t number, uint8_t *bytes, size_t *length,
                            struct pz_error *error)
{
    struct ranked *ranked = of(explorer);
    const bool parts = ranked->setup.request->parts;
    const uint64_t states = ranked->level.states.numbers;
    const uint64_t parts_from = ranked_table_parts_at(states) / RANKED_CHUNK_BYTES;
    (void)error;
    if (number == 0 && parts)
        ranked_parts_sort(&ranked->parts);
    if (parts && number >= parts_from) {
        *length = ranked_table_encode_parts(&ranked->parts, number - parts_from, bytes);
        return PZ_OK;
    }
    *length = ranked->level.run.runs != NULL
                  ? run_table_encode(&ranked->level.run.shape, &ranked->level.states, number, bytes)
                  : ranked_table_encode(&ranked->level.states, number, bytes);
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
}

/* ---- life ---- */

static void ranked_free(struct explorer *explorer)
{
    struct ranked *ranked = of(explorer);
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
    bottom_k_clear(&ranked->examples[0]);
    bottom_k_clear(&ranked->examples[1]);
    ranked_parts_clear(&ranked->parts);
    free(ranked);
}

static void *take(struct ranked *ranked, uint64_t bytes)
{
    struct budget *budget = ranked->setup.request->budget;
    if (!budget_take(budget, bytes))
        return NULL;
    void *memory = memory_map(bytes, MEMORY_HUGE_PAGES);
    if (memory == NULL)
        budget_give(budget, bytes);
    else
        ranked->taken += bytes;
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
    const uint64_t bytes = run_space_bytes(runs);
    if (!budget_take(ranked->setup.request->budget, bytes))
        return false;
    ranked->taken += bytes;
    return run_space_init(&level->run, runs, &level->states, level->seed);
}

static enum pz_status make(struct ranked *ranked, struct pz_error *error)
{
    struct states *states = &ranked->level.states;
    const uint64_t marks = states_marks_bytes(states->count, states->grain);
    states->levels = take(ranked, states_levels_bytes(states->count));
    states->marks[0] = take(ranked, marks);
    states->marks[1] = take(ranked, marks);
    if (states->levels == NULL || states->marks[0] == NULL || states->marks[1] == NULL ||
        !take_runs(ranked) || !make_members(ranked))
        return pz_fail(error, PZ_TOO_LARGE, "no memory for %" PRIu64 " states: %" PRIu64 " bytes",
                       states->count, states_all_bytes(states->count, states->grain));
    memset((void *)states->levels, 0xFF, states_levels_bytes(states->count));
    return PZ_OK;
}

static const struct explorer_ops ranked_ops = {.begin = begin,
                                               .next = next,
                                               .choose = choose,
                                               .chunk = chunk,
                                               .save_bytes = save_bytes,
                                               .save = save,
                                               .load = load,
                                               .figures = figures,
                                               .free = ranked_free};
/* No checkpoint has the notes of the parts. */
static const struct explorer_ops parts_ops = {
    .begin = begin, .next = next, .choose = choose, .chunk = chunk, .figures = figures, .free = ranked_free};

enum pz_status ranked_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    const struct explore_request *request = setup->request;
    const bool table = request->keep == KEEP_TABLE && request->depth == EXPLORE_NO_LIMIT;
    enum pz_status status = ranked_check_memory(request, budget_free(request->budget), error);
    if (status != PZ_OK)
        return status;
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
        .ops = request->parts ? &parts_ops : &ranked_ops,
        .all = ranked->level.states.numbers,
        .plan = {.table = !table                           ? TABLE_NONE
                          : space_has_runs(request->space) ? TABLE_PRODUCT
                                                           : TABLE_RANKED,
                 .table_bytes = ranked_table_bytes(ranked->level.states.numbers),
                 .chunk_bytes = RANKED_CHUNK_BYTES},
    };
    status = make(ranked, error);
    if (status != PZ_OK) {
        ranked_free(&ranked->base);
        return status;
    }
    *out = &ranked->base;
    return PZ_OK;
}
