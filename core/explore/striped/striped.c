/* SPDX-License-Identifier: MIT */
#include "explore/striped/striped.h"

#include "base/clock.h"
#include "explore/exchange/agree.h"
#include "explore/sample/agree_sample.h"
#include "explore/striped/search/beyond.h"
#include "explore/striped/search/search_cursor.h"
#include "explore/striped/striped_checkpoint.h"
#include "explore/striped/striped_parts.h"
#include "explore/striped/visited/visited.h"
#include "space/slide/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- passes over all states, which may take seconds ---- */

void striped_report_pass(struct striped *striped, const char *phase, uint64_t passed)
{
    struct control *control = striped->control;
    double now = clock_seconds();
    if (control->report == NULL || now - striped->reported < 0.1)
        return;
    double share = (double)passed / (double)striped->result->states;
    struct progress progress = {
        .phase = phase,
        .level = striped->result->depth,
        .states = striped->result->states,
        .bytes = atomic_load_explicit(&striped->request->budget->used, memory_order_relaxed),
        .done = share < 1 ? share : 1,
        .seconds = now - striped->began,
    };
    striped->reported = now;
    control->report(control->context, &progress);
}

/* ---- levels and their examples ---- */

enum pz_status striped_give_examples(struct striped *striped, uint32_t level, struct pz_error *error)
{
    uint32_t size = striped->request->space->state_bytes;
    struct bottom_k *sample = &striped->sample;
    if (sample->count == 0)
        return PZ_OK;
    unsigned char *states = malloc((size_t)sample->count * size);
    if (states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    bottom_k_sort(sample);
    for (unsigned i = 0; i < sample->count; i++)
        unmix_bytes(sample->entries[i].key, size, states + (size_t)i * size);
    enum pz_status status =
        striped->sink->examples(striped->sink->context, level, states, sample->count, error);
    free(states);
    bottom_k_empty(sample);
    return status;
}

/* Merges the samples of all ranks. */
static void share_sample(struct striped *striped)
{
    const struct explore_request *request = striped->request;
    if (request->exchange != NULL)
        agree_sample(request->exchange, &striped->sample, request->space->state_bytes / 8, striped->part);
}

/* Hands over a level that is not the last: its examples were chosen while it was expanded. */
static enum pz_status give_level(struct striped *striped, uint32_t level, uint64_t states,
                                 struct pz_error *error)
{
    const struct explore_sink *sink = striped->sink;
    enum pz_status status = PZ_OK;
    if (sink->level != NULL)
        status = sink->level(sink->context, level, states, error);
    if (sink->examples == NULL)
        return status;
    striped->sample.limit = EXPLORE_EXAMPLES;
    search_examples(striped->search, &striped->sample);
    share_sample(striped);
    return status == PZ_OK ? striped_give_examples(striped, level, error) : status;
}

/* Offers all states of a level to the sample. */
static enum pz_status look_through(struct striped *striped, uint32_t level, struct pz_error *error)
{
    unsigned words = striped->request->space->state_bytes / 8;
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t found;
    enum pz_status status = PZ_OK;
    cursor_begin(&cursor, striped->search, level, level);
    for (uint64_t passed = 1; status == PZ_OK && cursor_next(&cursor, key, &found); passed++) {
        bottom_k_offer(&striped->sample, bottom_k_hash(key, striped->request->seed, words), key, words);
        if (passed % LOOK_KEYS != 0)
            continue;
        if (control_stopped(striped->control))
            status = pz_fail(error, PZ_CANCELLED, "cancelled while the last level was looked through");
        striped_report_pass(striped, "examples", passed);
    }
    cursor_end(&cursor);
    return status;
}

/* Hands over the last complete level. Its states are still there, whatever ended the search. */
static enum pz_status give_last_level(struct striped *striped, uint32_t level, uint64_t states,
                                      struct pz_error *error)
{
    const struct explore_sink *sink = striped->sink;
    enum pz_status status = PZ_OK;
    if (sink->level != NULL)
        status = sink->level(sink->context, level, states, error);
    if (sink->examples == NULL)
        return status;
    striped->sample.limit = EXPLORE_DEEPEST_MAX;
    if (status == PZ_OK)
        status = look_through(striped, level, error);
    status = agree_status(striped->request->exchange, status, NULL, error);
    if (status != PZ_OK)
        return status;
    share_sample(striped);
    status = striped_give_examples(striped, level, error);
    return agree_status(striped->request->exchange, status, NULL, error);
}

/* ---- the search ---- */

enum stop_reason striped_reason_of(enum halt halt)
{
    switch (halt) {
    case HALT_TIME:
        return STOP_TIME;
    case HALT_MEMORY:
        return STOP_MEMORY;
    case HALT_DEPTH:
        return STOP_DEPTH;
    case HALT_LEVELS:
        return STOP_LEVELS;
    default:
        return STOP_NONE;
    }
}

/* Writes a checkpoint of the last complete level, if all states that it needs are still there. */
static void save(struct striped *striped)
{
    const struct search *search = striped->search;
    if (!search_is_whole(search) ||
        !checkpointer_begin(striped->checkpointer, search_level(search), striped_resume_bytes(search)))
        return;
    striped_save(search, striped->checkpointer);
    checkpointer_end(striped->checkpointer);
}

/* Runs level after level until there is none or a limit is met. */
static enum pz_status run_levels(struct striped *striped, struct pz_error *error)
{
    struct search *search = striped->search;
    struct explore_result *result = striped->result;
    for (;;) {
        uint32_t level = search_level(search);
        uint64_t width = search_frontier(search);
        result->depth = level;
        result->states = search_states(search);
        bool exhausted = false;
        enum halt halt = HALT_DEPTH;
        if (level < striped->request->depth) {
            struct search_step step = {.last = level + 1 == striped->request->depth};
            halt = search_advance(search, striped->control, &step, NULL);
        } else {
            exhausted = search_is_exhausted(search, striped->request->space, striped->control);
        }
        if (halt == HALT_CANCELLED && checkpointer_wanted(striped->checkpointer))
            save(striped);
        if (halt == HALT_CANCELLED)
            return pz_fail(error, PZ_CANCELLED, "cancelled in level %u", level);
        result->complete = exhausted || (halt == HALT_NONE && search_frontier(search) == 0);
        result->outcome = exhausted || halt == HALT_NONE ? OUTCOME_DONE : OUTCOME_STOPPED;
        result->reason = exhausted ? STOP_NONE : striped_reason_of(halt);
        if (result->complete || halt != HALT_NONE)
            return give_last_level(striped, level, width, error);
        enum pz_status status =
            agree_status(striped->request->exchange, give_level(striped, level, width, error), NULL, error);
        if (status != PZ_OK)
            return status;
        if (search_level(search) < striped->request->depth &&
            checkpointer_due(striped->checkpointer, striped_resume_bytes(search)))
            save(striped);
    }
}

/* ---- the whole ---- */

enum pz_status striped_prepare_crew(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->request;
    size_t chunk_bytes = search_chunk_bytes(request->space);
    enum pz_status status =
        crew_init(&striped->crew, request->space, request->threads, request->budget, chunk_bytes, error);
    if (status != PZ_OK)
        return status;
    if (striped->sink->examples != NULL && (!crew_keep_examples(&striped->crew, EXPLORE_EXAMPLES) ||
                                            !bottom_k_init(&striped->sample, EXPLORE_DEEPEST_MAX)))
        return pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    if (request->exchange == NULL)
        return PZ_OK;
    striped->part = agree_part_new(EXPLORE_DEEPEST_MAX);
    return striped->part != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for the ranks' examples");
}

/* Warns early if checkpoints may find no room. Their size is known only roughly. */
static void expect_checkpoints(struct striped *striped)
{
    const struct explore_request *request = striped->request;
    struct explore_estimate estimate = {0};
    if (striped_estimate(request, &estimate, NULL) != PZ_OK)
        return;
    uint64_t bytes = budget_free(request->budget);
    uint64_t all = estimate.states * (request->space->state_bytes + sizeof(uint16_t));
    checkpointer_expect(striped->checkpointer, all > 0 && all < bytes ? all : bytes);
}

/* Makes a rank's search, with as many stripes as the other ranks'. */
static enum pz_status prepare_ranks(struct striped *striped, enum pz_status status,
                                    struct search_options *options, struct pz_error *error)
{
    const struct exchange *exchange = striped->request->exchange;
    uint64_t stripes = status != PZ_OK        ? 0
                       : options->stripes > 0 ? options->stripes
                                              : search_stripes(&striped->crew, exchange->ranks);
    status = agree_status(exchange, status, &stripes, error);
    if (status != PZ_OK)
        return status;
    if (stripes == 0 || stripes > SET_STRIPES_MAX || (stripes & (stripes - 1)) != 0)
        exchange->fail(exchange->context, "a rank asks for a number of stripes that can not be");
    options->stripes = (unsigned)stripes;
    status = search_new(&striped->crew, options, &striped->search, error);
    return agree_status(exchange, status, NULL, error);
}

/* Makes the search, from a checkpoint if there is one that can be used. */
static enum pz_status prepare(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->request;
    struct search_options options = {.root = request->root,
                                     .keep_all = striped_keeps_all(request),
                                     .stripes = request->stripes,
                                     .seed = request->seed,
                                     .exchange = request->exchange};
    enum pz_status status = striped_prepare_crew(striped, error);
    if (request->exchange != NULL)
        return prepare_ranks(striped, status, &options, error);
    if (status == PZ_OK && checkpointer_open(striped->checkpointer)) {
        striped_load(&striped->crew, &options, striped->checkpointer, &striped->search);
        striped->resumed = checkpointer_close(striped->checkpointer, striped->search != NULL);
        if (striped->resumed)
            return PZ_OK;
        search_free(striped->search);
        striped->search = NULL;
        crew_clear(&striped->crew); /* its pool has lost some chunks */
        bottom_k_clear(&striped->sample);
        status = striped_prepare_crew(striped, error);
    }
    if (status == PZ_OK && request->from == FROM_GOALS)
        return goals_prepare(striped, error);
    return status == PZ_OK ? search_new(&striped->crew, &options, &striped->search, error) : status;
}

static enum pz_status run_all(struct striped *striped, struct pz_error *error)
{
    const struct explore_sink *sink = striped->sink;
    struct explore_plan plan = {
        .table = striped->request->keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE,
        .engine = explore_engine_name(ENGINE_STRIPED),
        .state_bytes = striped->request->space->state_bytes,
    };
    enum pz_status status = PZ_OK;
    if (striped->search == NULL && striped->graph == NULL)
        return PZ_OK; /* stopped before the first level */
    if (sink->begin != NULL)
        status = sink->begin(sink->context, &plan, error);
    status = agree_status(striped->request->exchange, status, NULL, error);
    if (status == PZ_OK && striped->resumed)
        status = checkpointer_replay(striped->checkpointer, error);
    if (status == PZ_OK)
        status = striped->graph != NULL ? graph_run_levels(striped, error) : run_levels(striped, error);
    striped->result->search_seconds =
        clock_seconds() - striped->began + checkpointer_seconds(striped->checkpointer);
    striped->result->generated =
        striped->generated + (striped->search != NULL ? search_generated(striped->search) : 0);
    if (status == PZ_OK && striped->request->edges && sink->edges != NULL)
        status = striped_count_edges(striped, error);
    if (status == PZ_OK)
        status = striped_store_table(striped, error);
    return status;
}

enum pz_status striped_run(const struct explore_request *request, struct control *control,
                           const struct explore_sink *sink, struct explore_result *result,
                           struct pz_error *error)
{
    struct striped striped = {
        .request = request, .control = control, .result = result, .began = clock_seconds()};
    enum pz_status status = striped_check(request, UINT64_MAX, error);
    if (status != PZ_OK)
        return status;
    result->engine = explore_engine_name(ENGINE_STRIPED);
    status = checkpointer_of_run(request, result->engine, control, sink, &striped.checkpointer, error);
    if (status != PZ_OK)
        return status;
    striped.sink = checkpointer_sink(striped.checkpointer);
    expect_checkpoints(&striped);
    status = prepare(&striped, error);
    if (status == PZ_OK)
        status = run_all(&striped, error);
    checkpointer_free(striped.checkpointer);
    search_free(striped.search);
    graph_free(&striped);
    crew_clear(&striped.crew);
    bottom_k_clear(&striped.sample);
    free(striped.part);
    result->peak_bytes = atomic_load_explicit(&request->budget->peak, memory_order_relaxed);
    return status;
}

bool striped_keeps_all(const struct explore_request *request)
{
    return request->keep == KEEP_TABLE || request->edges;
}

bool striped_takes(const struct explore_request *request)
{
    (void)request;
    return true;
}

enum pz_status striped_check(const struct explore_request *request, uint64_t limit, struct pz_error *error)
{
    const uint64_t need = crew_bytes(request->space, request->threads) + POOL_LEAST + FIRST_STATES;
    unsigned stripes = request->stripes;
    if (need > limit)
        return pz_fail(error, PZ_TOO_LARGE, "threads=%u needs %" PRIu64 "K to begin with, limit %" PRIu64 "K",
                       request->threads, (need >> 10) + 1, limit >> 10);
    if (request->exchange != NULL && (striped_keeps_all(request) || request->from == FROM_GOALS))
        return pz_fail(error, PZ_UNSUPPORTED,
                       "several ranks explore with keep=levels and from=root, and count no edges");
    if (stripes <= SET_STRIPES_MAX && (stripes & (stripes - 1)) == 0)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "stripes=%u: a power of two up to %d would be right", stripes,
                   SET_STRIPES_MAX);
}

enum pz_status striped_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                                struct pz_error *error)
{
    enum pz_status status = striped_check(request, UINT64_MAX, error);
    if (status != PZ_OK)
        return status;
    double key = request->space->state_bytes;
    estimate->engine = ENGINE_STRIPED;
    estimate->states = slide_states(request->space);
    /* Measured, see docs/engines.md: the bytes of a state at the peak, with layers and with a set. */
    bool reversible = (request->space->flags & PZ_REVERSIBLE) != 0;
    bool layered = visited_layers_suit(request->space);
    double all = layered ? key * 1.1 : (key + 1) * 1.6;
    estimate->bytes = (uint64_t)((double)estimate->states * all);
    double three_levels = layered ? key * 0.35 : (key + 1) * 0.5;
    estimate->bytes_levels_only =
        reversible && !request->edges ? (uint64_t)((double)estimate->states * three_levels) : estimate->bytes;
    estimate->table_bytes = (uint64_t)((double)estimate->states * (key + 2) * 1.05);
    return PZ_OK;
}
