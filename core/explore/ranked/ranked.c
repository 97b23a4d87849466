/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked.h"

#include "base/clock.h"
#include "base/memory.h"
#include "explore/checkpoint/checkpointer.h"
#include "explore/ranked/level.h"
#include "explore/ranked/table.h"
#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW_LEVEL = 1 << 12 /* smaller levels are not worth the threads */, PIECE_BYTES = 1 << 20 };

/* Where the search is between two levels. A checkpoint begins with it. */
struct place {
    uint32_t level, unused;
    uint64_t width; /* of the last level */
    uint64_t states;
    uint64_t generated;
};

struct ranked {
    const struct explore_request *request;
    const struct explore_sink *sink;
    struct explore_result *result;
    struct checkpointer *checkpointer;
    struct team *team; /* NULL for one thread */
    struct ranked_level level;
    unsigned working; /* members that made the new level */
    struct ranked_parts parts;
    struct place place;
    struct bottom_k examples; /* of the last level */
    uint64_t taken;           /* bytes of the budget */
    double began, reported;
};

/* ---- life ---- */

static void *ranked_take(struct ranked *ranked, uint64_t bytes)
{
    if (!budget_take(ranked->request->budget, bytes))
        return NULL;
    void *memory = memory_map(bytes, MEMORY_HUGE_PAGES);
    if (memory == NULL)
        budget_give(ranked->request->budget, bytes);
    else
        ranked->taken += bytes;
    return memory;
}

static void ranked_clear(struct ranked *ranked)
{
    struct states *states = &ranked->level.states;
    team_free(ranked->team);
    memory_unmap((void *)states->levels, states_levels_bytes(states->count));
    memory_unmap((void *)states->marks[0], states_marks_bytes(states->count, states->grain));
    memory_unmap((void *)states->marks[1], states_marks_bytes(states->count, states->grain));
    budget_give(ranked->request->budget, ranked->taken);
    for (unsigned i = 0; ranked->level.members != NULL && i < ranked->request->threads; i++)
        ranked_member_clear(&ranked->level.members[i]);
    free(ranked->level.members);
    bottom_k_clear(&ranked->examples);
    ranked_parts_clear(&ranked->parts);
    checkpointer_free(ranked->checkpointer);
}

static void report(void *context, double done)
{
    struct ranked *ranked = context;
    const struct control *control = ranked->level.control;
    const double now = clock_seconds();
    if (control->report == NULL || now - ranked->reported < 0.1)
        return;
    const struct progress progress = {
        .phase = "search",
        .level = ranked->place.level,
        .frontier = ranked->place.width,
        .states = ranked->place.states,
        .rate = (double)ranked->place.states / (now - ranked->began),
        .bytes = atomic_load_explicit(&ranked->request->budget->used, memory_order_relaxed),
        .done = done,
        .seconds = now - ranked->began,
    };
    ranked->reported = now;
    control->report(control->context, &progress);
}

static enum pz_status take_memory(struct ranked *ranked, struct pz_error *error)
{
    const struct explore_request *request = ranked->request;
    struct states *states = &ranked->level.states;
    states->count = space_count(request->space);
    states->grain = ranked_grain(request);
    states->levels = ranked_take(ranked, states_levels_bytes(states->count));
    states->marks[0] = ranked_take(ranked, states_marks_bytes(states->count, states->grain));
    states->marks[1] = ranked_take(ranked, states_marks_bytes(states->count, states->grain));
    ranked->level.members = calloc(request->threads, sizeof *ranked->level.members);
    bool made = states->levels != NULL && states->marks[0] != NULL && states->marks[1] != NULL &&
                ranked->level.members != NULL && bottom_k_init(&ranked->examples, EXPLORE_DEEPEST_MAX);
    for (unsigned i = 0; made && i < request->threads; i++)
        made = ranked_member_init(&ranked->level.members[i], request->space, EXPLORE_DEEPEST_MAX);
    if (made)
        return PZ_OK;
    return pz_fail(error, PZ_TOO_LARGE, "no memory for %" PRIu64 " states: %" PRIu64 " bytes", states->count,
                   states_all_bytes(states->count, states->grain));
}

/* ---- levels and checkpoints ---- */

static void forget_levels(struct ranked *ranked)
{
    struct states *states = &ranked->level.states;
    memset((void *)states->levels, 0xFF, states_levels_bytes(states->count));
    memset((void *)states->marks[0], 0, states_marks_bytes(states->count, states->grain));
    memset((void *)states->marks[1], 0, states_marks_bytes(states->count, states->grain));
    ranked->place = (struct place){0};
}

static void begin_at_root(struct ranked *ranked)
{
    const struct pz_space *space = ranked->request->space;
    struct states *states = &ranked->level.states;
    const uint64_t root = space->puzzle->rank(space, ranked->request->root);
    (void)states_reach(states, 0, root);
    if (ranked->level.parts != NULL)
        ranked_parts_note(ranked->level.parts, root, 0);
    bottom_k_empty(&ranked->examples);
    bottom_k_offer(&ranked->examples, bottom_k_hash(&root, ranked->level.seed, 1), &root, 1);
    ranked->place = (struct place){.width = 1, .states = 1};
}

/* Moves all that a checkpoint holds: put or get. */
static bool move_all(struct ranked *ranked, bool (*move)(struct checkpointer *, void *, size_t))
{
    struct states *states = &ranked->level.states;
    struct checkpointer *checkpointer = ranked->checkpointer;
    uint64_t count = ranked->examples.count;
    bool moved = move(checkpointer, &ranked->place, sizeof ranked->place) &&
                 move(checkpointer, &count, sizeof count) && count <= EXPLORE_DEEPEST_MAX &&
                 move(checkpointer, ranked->examples.entries, count * sizeof *ranked->examples.entries);
    ranked->examples.count = (unsigned)count;
    const uint64_t bytes = states_levels_bytes(states->count);
    for (uint64_t at = 0; moved && at < bytes; at += PIECE_BYTES)
        moved = move(checkpointer, (uint8_t *)states->levels + at,
                     bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
    return moved && move(checkpointer, (void *)states->marks[ranked->place.level & 1],
                         states_marks_bytes(states->count, states->grain));
}

static bool put(struct checkpointer *checkpointer, void *bytes, size_t length)
{
    return checkpointer_put(checkpointer, bytes, length);
}

static uint64_t resume_bytes(const struct ranked *ranked)
{
    const struct states *states = &ranked->level.states;
    return states_levels_bytes(states->count) + states_marks_bytes(states->count, states->grain) +
           EXPLORE_DEEPEST_MAX * sizeof(struct bottom_k_entry) + sizeof ranked->place + sizeof(uint64_t);
}

static void save(struct ranked *ranked)
{
    if (!checkpointer_begin(ranked->checkpointer, ranked->place.level, resume_bytes(ranked)))
        return;
    (void)move_all(ranked, put);
    checkpointer_end(ranked->checkpointer);
}

/* Resumes from a checkpoint, if there is one that can be used. Returns false without. */
static bool resume(struct ranked *ranked)
{
    if (!checkpointer_open(ranked->checkpointer))
        return false;
    bool sound = move_all(ranked, checkpointer_get) &&
                 ranked->place.level == checkpointer_levels(ranked->checkpointer);
    return checkpointer_close(ranked->checkpointer, sound);
}

static enum pz_status give_level(struct ranked *ranked, bool last, struct pz_error *error)
{
    const struct explore_sink *sink = ranked->sink;
    const struct pz_space *space = ranked->request->space;
    struct bottom_k *examples = &ranked->examples;
    const unsigned most = last ? EXPLORE_DEEPEST_MAX : EXPLORE_EXAMPLES;
    enum pz_status status = PZ_OK;
    if (sink->level != NULL)
        status = sink->level(sink->context, ranked->place.level, ranked->place.width, error);
    if (status != PZ_OK || sink->examples == NULL)
        return status;
    bottom_k_sort(examples);
    const unsigned count = examples->count < most ? examples->count : most;
    uint8_t *states = malloc((size_t)(count + 1) * space->state_bytes);
    if (states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    for (unsigned i = 0; i < count; i++)
        space->puzzle->unrank(space, examples->entries[i].key[0], states + (size_t)i * space->state_bytes);
    status = sink->examples(sink->context, ranked->place.level, states, count, error);
    free(states);
    return status;
}

/* Makes a level by all members or by one. *width is its number of states. Returns false if it was stopped. */
static bool make(struct ranked *ranked, bool wide, uint64_t *width)
{
    struct ranked_level *level = &ranked->level;
    *width = 0;
    ranked->working = wide ? ranked->request->threads : 1;
    if (!ranked_level_make(level, wide ? ranked->team : NULL))
        return false;
    for (unsigned i = 0; i < ranked->working; i++)
        *width += level->members[i].found;
    return true;
}

/* Makes the next level. *width is its number of states, or 0 if it was stopped. */
static bool make_level(struct ranked *ranked, uint64_t *width)
{
    struct ranked_level *level = &ranked->level;
    const uint64_t left = level->states.count - ranked->place.states;
    *width = 0;
    level->level = ranked->place.level + 1;
    level->way = left / 2 < ranked->place.width ? RANKED_PULL : RANKED_PUSH;
    return left == 0 || ranked->place.width == 0 || make(ranked, ranked->place.width >= NARROW_LEVEL, width);
}

/* Makes the new level the last one. */
static void take_level(struct ranked *ranked, uint64_t width)
{
    bottom_k_empty(&ranked->examples);
    for (unsigned i = 0; i < ranked->working; i++)
        bottom_k_merge(&ranked->examples, &ranked->level.members[i].examples, 1);
    ranked->place.level = ranked->level.level;
    ranked->place.width = width;
    ranked->place.states += width;
    ranked->place.generated = 0;
    for (unsigned i = 0; i < ranked->request->threads; i++)
        ranked->place.generated += ranked->level.members[i].generated;
}

/* Level 0 is all goals. Returns false if it was stopped. */
static bool begin_at_goals(struct ranked *ranked)
{
    uint64_t width = 0;
    ranked->level.level = 0;
    ranked->level.way = RANKED_GOALS;
    if (!make(ranked, true, &width))
        return false;
    take_level(ranked, width);
    return true;
}

/* It was stopped before level 0 was there. */
static enum pz_status stopped_early(struct ranked *ranked, struct pz_error *error)
{
    ranked->result->outcome = OUTCOME_STOPPED;
    ranked->result->reason = STOP_TIME;
    return control_stopped(ranked->level.control)
               ? pz_fail(error, PZ_CANCELLED, "cancelled before the first level was known")
               : PZ_OK;
}

/* Finds the parts. Their farthest states are noted while levels are made. */
static enum pz_status find_parts(struct ranked *ranked, struct pz_error *error)
{
    uint64_t none;
    if (!ranked_parts_init(&ranked->parts, ranked->level.states.count, ranked->request->budget))
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the parts of %" PRIu64 " states",
                       ranked->level.states.count);
    ranked->level.parts = &ranked->parts;
    ranked->level.way = RANKED_JOIN;
    if (!make(ranked, true, &none))
        return stopped_early(ranked, error);
    if (!ranked_parts_number(&ranked->parts))
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the list of parts");
    ranked->result->parts = ranked->parts.count;
    return PZ_OK;
}

/* Makes level 0, or goes on from a checkpoint. *resumed tells which. */
static enum pz_status begin(struct ranked *ranked, bool *resumed, struct pz_error *error)
{
    *resumed = resume(ranked);
    if (*resumed)
        return PZ_OK;
    forget_levels(ranked);
    enum pz_status status = ranked->request->parts ? find_parts(ranked, error) : PZ_OK;
    if (status != PZ_OK || ranked->result->outcome == OUTCOME_STOPPED)
        return status;
    if (ranked->request->from == FROM_ROOT)
        begin_at_root(ranked);
    else if (!begin_at_goals(ranked))
        return stopped_early(ranked, error);
    return PZ_OK;
}

static enum pz_status run_levels(struct ranked *ranked, struct pz_error *error)
{
    struct explore_result *result = ranked->result;
    const struct control *control = ranked->level.control;
    for (;;) {
        uint64_t width = 0;
        if (checkpointer_wanted(ranked->checkpointer))
            save(ranked);
        const bool bounded = ranked->place.level >= ranked->request->depth;
        const bool whole = bounded || make_level(ranked, &width);
        if (!whole && control_stopped(control))
            return pz_fail(error, PZ_CANCELLED, "cancelled in level %u", ranked->place.level);
        const bool complete =
            whole && width == 0 && (!bounded || ranked->place.states == ranked->level.states.count);
        result->depth = ranked->place.level;
        result->states = ranked->place.states;
        result->complete = complete;
        if (complete && ranked->request->from == FROM_GOALS)
            result->dead = ranked->level.states.count - ranked->place.states;
        result->outcome = whole && !bounded ? OUTCOME_DONE : OUTCOME_STOPPED;
        result->reason = complete ? STOP_NONE : bounded ? STOP_DEPTH : STOP_TIME;
        enum pz_status status = give_level(ranked, width == 0, error);
        if (status != PZ_OK || width == 0)
            return status;
        take_level(ranked, width);
        if (checkpointer_due(ranked->checkpointer, resume_bytes(ranked)))
            save(ranked);
    }
}

/* ---- the table ---- */

/* With parts the last chunk of states is filled up, and the parts follow. */
static uint64_t table_bytes(const struct ranked *ranked)
{
    const uint64_t states = ranked_table_bytes(ranked->level.states.count);
    return ranked->request->parts ? ranked_table_parts_at(ranked->level.states.count) +
                                        ranked->parts.count * sizeof(struct ranked_part)
                                  : states;
}

/* Writes a chunk of states or of parts; returns its length. */
static size_t encode(struct ranked *ranked, uint64_t number, uint8_t *chunk)
{
    const uint64_t states = ranked->level.states.count;
    const uint64_t parts_from = ranked_table_parts_at(states) / RANKED_CHUNK_BYTES;
    if (number >= parts_from)
        return ranked_table_encode_parts(&ranked->parts, number - parts_from, chunk);
    const size_t length = ranked_table_encode(&ranked->level.states, number, chunk);
    if (!ranked->request->parts)
        return length;
    memset(chunk + length, 0, RANKED_CHUNK_BYTES - length);
    return RANKED_CHUNK_BYTES;
}

static enum pz_status store_table(struct ranked *ranked, struct pz_error *error)
{
    const struct explore_sink *sink = ranked->sink;
    const uint64_t bytes = table_bytes(ranked);
    const double began = clock_seconds();
    enum pz_status status = PZ_OK;
    if (ranked->request->keep != KEEP_TABLE || !ranked->result->complete || sink->chunk == NULL)
        return PZ_OK;
    uint8_t *chunk = malloc(RANKED_CHUNK_BYTES);
    if (chunk == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to write the table");
    if (ranked->request->parts)
        ranked_parts_sort(&ranked->parts);
    for (uint64_t number = 0; status == PZ_OK && number * RANKED_CHUNK_BYTES < bytes; number++) {
        size_t length = encode(ranked, number, chunk);
        status = control_stopped(ranked->level.control)
                     ? pz_fail(error, PZ_CANCELLED, "cancelled while the table was stored")
                     : sink->chunk(sink->context, number, chunk, length, error);
    }
    free(chunk);
    ranked->result->store_seconds = clock_seconds() - began;
    return status;
}

/* ---- the whole ---- */

static enum pz_status run_all(struct ranked *ranked, struct pz_error *error)
{
    const struct explore_request *request = ranked->request;
    const bool table = request->keep == KEEP_TABLE && request->depth == EXPLORE_NO_LIMIT;
    bool resumed = false;
    enum pz_status status = begin(ranked, &resumed, error);
    if (ranked->result->outcome == OUTCOME_STOPPED)
        return status; /* before the first level */
    const struct explore_plan plan = {.table = table ? TABLE_DENSE : TABLE_NONE,
                                      .engine = explore_engine_name(ENGINE_RANKED),
                                      .state_bytes = request->space->state_bytes,
                                      .table_bytes = table_bytes(ranked),
                                      .chunk_bytes = RANKED_CHUNK_BYTES};
    if (status == PZ_OK && ranked->sink->begin != NULL)
        status = ranked->sink->begin(ranked->sink->context, &plan, error);
    if (status == PZ_OK && resumed)
        status = checkpointer_replay(ranked->checkpointer, error);
    if (status == PZ_OK)
        status = run_levels(ranked, error);
    ranked->result->search_seconds =
        clock_seconds() - ranked->began + checkpointer_seconds(ranked->checkpointer);
    ranked->result->generated = ranked->place.generated;
    return status == PZ_OK ? store_table(ranked, error) : status;
}

enum pz_status ranked_run(const struct explore_request *request, struct control *control,
                          const struct explore_sink *sink, struct explore_result *result,
                          struct pz_error *error)
{
    enum pz_status status = ranked_check_memory(request, budget_free(request->budget), error);
    if (status != PZ_OK)
        return status;
    struct ranked ranked = {.request = request, .result = result, .began = clock_seconds()};
    ranked.level.space = request->space;
    ranked.level.seed = request->seed;
    ranked.level.control = control;
    ranked.level.report = report;
    ranked.level.context = &ranked;
    result->engine = explore_engine_name(ENGINE_RANKED);
    /* No checkpoint has the notes of the parts. */
    struct explore_request kept = *request;
    kept.checkpoint = request->parts ? NULL : request->checkpoint;
    status = checkpointer_of_run(&kept, result->engine, control, sink, &ranked.checkpointer, error);
    if (status != PZ_OK)
        return status;
    ranked.sink = checkpointer_sink(ranked.checkpointer);
    status = take_memory(&ranked, error);
    if (status == PZ_OK)
        checkpointer_expect(ranked.checkpointer, resume_bytes(&ranked));
    if (status == PZ_OK && request->threads > 1)
        (void)team_new(request->threads, &ranked.team, NULL); /* without a team the caller works alone */
    if (status == PZ_OK)
        status = run_all(&ranked, error);
    result->peak_bytes = atomic_load_explicit(&request->budget->peak, memory_order_relaxed);
    ranked_clear(&ranked);
    return status;
}
