/* SPDX-License-Identifier: MIT */
#include "explore/dense/dense.h"

#include "base/clock.h"
#include "board/symmetry.h"
#include "explore/dense/coded.h"
#include "explore/dense/estimate.h"
#include "explore/dense/examples.h"
#include "explore/dense/level.h"
#include "explore/dense/resume.h"
#include "explore/dense/table.h"
#include "space/slide.h"

#include <stdlib.h>
#include <string.h>

#define REPORT_SECONDS 0.1

/* One exploration, from dense_run's first line to its last. */
struct search {
    const struct explore_request *request;
    struct control *control; /* may be NULL */
    const struct explore_sink *sink;
    struct checkpointer *checkpointer;
    struct explore_result *result;
    struct pz_error *error;

    struct view view; /* from the space's orientation to the canonical one */
    struct dense_geometry geometry;
    const struct kernel *kernel;
    struct plan *plan;
    struct planes *planes;
    struct team *team;
    struct level_runner *runner;
    enum explore_planes kind;
    struct coded *coded; /* in place of planes and runner, where planes are coded */
    uint64_t taken;      /* from the budget, but for what coded takes */
    bool table;

    uint32_t level;   /* whose states are in the plane of current */
    unsigned current; /* colour */
    uint64_t width;   /* states in that level */
    uint32_t turns;   /* of the next level that are done */
    bool resumed;
    double started;
    double reported;
    double lately_seconds; /* when lately_states were known */
    uint64_t lately_states;
    double rate;
    struct examples_place chosen[EXPLORE_DEEPEST_MAX];
};

static void report(struct search *search, const char *phase, double done)
{
    struct control *control = search->control;
    double now = clock_seconds();
    if (control == NULL || control->report == NULL || now - search->reported < REPORT_SECONDS)
        return;
    search->reported = now;
    uint64_t states = search->result->states + (uint64_t)(done * (double)search->width);
    if (states > search->lately_states && now - search->lately_seconds > 2 * REPORT_SECONDS) {
        search->rate = (double)(states - search->lately_states) / (now - search->lately_seconds);
        search->lately_states = states;
        search->lately_seconds = now;
    }
    struct progress progress = {.phase = phase,
                                .level = search->level,
                                .frontier = search->width,
                                .states = states,
                                .rate = search->rate,
                                .bytes =
                                    search->taken + (search->coded != NULL ? coded_memory(search->coded) : 0),
                                .done = done,
                                .seconds = now - search->started};
    control->report(control->context, &progress);
}

/* ---- checkpoints ---- */

/* Returns how many bytes a checkpoint takes at most. The level that is being made may fill every block. */
static uint64_t resume_bytes(const struct search *search)
{
    uint64_t met = search->turns > 0 ? UINT64_MAX : search->result->states + search->width;
    return dense_resume_bytes(search->planes, met);
}

/* Leaves a checkpoint while nobody works: at a pause of a level or between two. */
static void save(struct search *search)
{
    const struct dense_place place = {
        .level = search->level, .turns = search->turns, .colour = search->current, .width = search->width};
    if (!checkpointer_begin(search->checkpointer, search->level, resume_bytes(search)))
        return;
    dense_save(search->planes, &place, search->checkpointer);
    checkpointer_end(search->checkpointer);
}

/* In the middle of a level, while others work at it. Returns true when it must pause for a checkpoint. */
static bool tick(void *context, double done)
{
    const struct search *search = context;
    report(context, "search", done);
    return checkpointer_due(search->checkpointer, resume_bytes(search));
}

/* ---- before and after ---- */

static enum pz_status take_budget(struct search *search)
{
    unsigned threads = search->request->threads;
    struct budget *budget = search->request->budget;
    search->kind = dense_planes(&search->geometry, search->request, budget_free(budget));
    uint64_t needs = dense_needs(&search->geometry, search->table, threads);
    if (search->kind > PLANES_MEMORY)
        needs = plan_bytes(&search->geometry);
    search->result->planes = search->kind;
    if (search->kind != PLANES_AUTO && budget_take(budget, needs)) {
        search->taken = needs;
        return PZ_OK;
    }
    uint64_t limit = budget_free(budget);
    return dense_check_memory(search->request, limit < needs ? limit : needs - 1, search->error);
}

static enum pz_status check_request(struct search *search)
{
    enum pz_status status = dense_can(search->request, search->error);
    if (status != PZ_OK)
        return status;
    return kernel_find(search->request->kernel, &search->kernel, search->error);
}

static enum pz_status make_planes(struct search *search)
{
    /* A bounded search touches little of its planes, and a huge page a touch would be dear. */
    bool huge = search->request->depth == EXPLORE_NO_LIMIT;
    return planes_new(search->plan, search->table, huge, &search->planes, search->error);
}

/* Takes the place that a checkpoint has kept; else the planes are empty. */
static enum pz_status go_on(struct search *search)
{
    struct dense_place place = {0};
    if (!checkpointer_open(search->checkpointer))
        return PZ_OK;
    bool sound = dense_load(search->planes, &place, search->checkpointer);
    if (!checkpointer_close(search->checkpointer, sound)) {
        planes_free(search->planes);
        search->planes = NULL;
        return make_planes(search);
    }
    search->resumed = true;
    search->level = place.level;
    search->current = place.colour;
    search->width = place.width;
    search->turns = place.turns;
    return PZ_OK;
}

static enum pz_status make_coded(struct search *search)
{
    const struct coded_options options = {.request = search->request,
                                          .planes = search->kind,
                                          .plan = search->plan,
                                          .kernel = search->kernel,
                                          .team = search->team,
                                          .control = search->control};
    return coded_new(&options, &search->coded, search->error);
}

static enum pz_status prepare(struct search *search)
{
    enum pz_status status = check_request(search);
    if (status != PZ_OK)
        return status;
    dense_geometry_of(search->request, &search->geometry, &search->view);
    status = take_budget(search);
    if (status == PZ_OK)
        status = plan_new(&search->geometry, &search->plan, search->error);
    if (status == PZ_OK)
        status = team_new(search->request->threads, &search->team, search->error);
    if (status == PZ_OK && search->kind > PLANES_MEMORY)
        return make_coded(search);
    if (status == PZ_OK)
        status = make_planes(search);
    if (status == PZ_OK)
        status = go_on(search);
    if (status == PZ_OK)
        status = level_runner_new(&(const struct level_parts){.plan = search->plan,
                                                              .planes = search->planes,
                                                              .kernel = search->kernel,
                                                              .team = search->team,
                                                              .control = search->control},
                                  &search->runner, search->error);
    return status;
}

static void clean_up(struct search *search)
{
    coded_free(search->coded);
    level_runner_free(search->runner);
    team_free(search->team);
    planes_free(search->planes);
    plan_free(search->plan);
    budget_give(search->request->budget, search->taken);
}

/* ---- what the sink is told ---- */

static enum pz_status tell_plan(struct search *search)
{
    if (search->sink->begin == NULL)
        return PZ_OK;
    struct dense_layout layout = dense_table_layout(&search->geometry);
    struct explore_plan plan = {.table = search->table ? TABLE_DENSE : TABLE_NONE,
                                .engine = explore_engine_name(ENGINE_DENSE),
                                .state_bytes = search->request->space->state_bytes,
                                .table_bytes = search->table ? layout.bytes : 0,
                                .chunk_bytes = DENSE_CHUNK_BYTES};
    return search->sink->begin(search->sink->context, &plan, search->error);
}

static enum pz_status choose_examples(struct search *search, struct examples *examples)
{
    if (search->coded != NULL)
        return grouped_examples(coded_levels(search->coded), search->level, examples, search->error);
    examples_choose(search->planes, search->current, examples);
    return PZ_OK;
}

static enum pz_status tell_examples(struct search *search, unsigned most)
{
    if (search->sink->examples == NULL)
        return PZ_OK;
    uint32_t state_bytes = search->request->space->state_bytes;
    struct examples examples = {.states = search->width,
                                .most = most,
                                .seed = search->request->seed + search->level,
                                .chosen = search->chosen};
    enum pz_status status = choose_examples(search, &examples);
    unsigned count = examples.count;
    if (status != PZ_OK)
        return status;
    uint8_t *states = malloc((size_t)count * state_bytes);
    if (states == NULL)
        return pz_fail(search->error, PZ_MEMORY, "no memory for %u examples", count);
    for (unsigned i = 0; i < count; i++) {
        struct dense_position position;
        struct board canonical;
        struct board board;
        dense_position_unrank(&search->geometry, search->chosen[i].number, search->chosen[i].place,
                              &position);
        dense_board_of(&search->geometry, &position, &canonical);
        view_out(&search->view, &canonical, &board);
        slide_state(search->request->space, &board, states + (size_t)i * state_bytes);
    }
    status = search->sink->examples(search->sink->context, search->level, states, count, search->error);
    free(states);
    return status;
}

static enum pz_status tell_level(struct search *search, bool last)
{
    struct explore_result *result = search->result;
    result->depth = search->level;
    result->states += search->width;
    if (search->sink->level != NULL) {
        enum pz_status status =
            search->sink->level(search->sink->context, search->level, search->width, search->error);
        if (status != PZ_OK)
            return status;
    }
    return tell_examples(search, last ? EXPLORE_DEEPEST_MAX : EXPLORE_EXAMPLES);
}

static enum pz_status tell_chunks(struct search *search)
{
    struct dense_layout layout = dense_table_layout(&search->geometry);
    uint8_t *chunk = malloc(DENSE_CHUNK_BYTES);
    if (chunk == NULL)
        return pz_fail(search->error, PZ_MEMORY, "no memory for a chunk of the table");
    enum pz_status status = PZ_OK;
    const uint8_t *const marks[2] = {search->planes->mark[0], search->planes->mark[1]};
    for (uint64_t number = 0; number < layout.chunks && status == PZ_OK; number++) {
        if (search->control != NULL && control_stopped(search->control)) {
            status = pz_fail(search->error, PZ_CANCELLED, "cancelled");
            break;
        }
        size_t length = dense_table_encode(&layout, marks, number, chunk);
        status = search->sink->chunk(search->sink->context, number, chunk, length, search->error);
        report(search, "store", (double)(number + 1) / (double)layout.chunks);
    }
    free(chunk);
    return status;
}

/* ---- the search ---- */

static enum pz_status begin(struct search *search)
{
    double now = clock_seconds();
    search->started = now - checkpointer_seconds(search->checkpointer);
    search->reported = search->lately_seconds = now;
    if (search->coded != NULL) {
        search->width = 1;
        return grouped_begin(coded_levels(search->coded), search->error);
    }
    checkpointer_expect(search->checkpointer, dense_resume_bytes(search->planes, UINT64_MAX));
    if (search->resumed) {
        search->result->states = search->lately_states = checkpointer_states(search->checkpointer);
        return checkpointer_replay(search->checkpointer, search->error);
    }
    planes_put(search->planes, 0, search->geometry.root_place);
    search->current = search->geometry.root_place % 2;
    search->width = 1;
    return PZ_OK;
}

static enum pz_status end_at_limit(struct search *search, enum stop_reason reason)
{
    enum pz_status status = tell_level(search, false);
    search->result->complete = search->result->states == search->geometry.classes * search->geometry.places;
    if (!search->result->complete) {
        search->result->outcome = OUTCOME_STOPPED;
        search->result->reason = reason;
    }
    return status;
}

static bool tick_coded(void *context, double done)
{
    report(context, "search", done);
    return false;
}

/* Makes the next level, with what pauses there are, and leaves a checkpoint where it is not to be finished
 * now. */
static enum pz_status make_level(struct search *search, uint64_t *states)
{
    unsigned target = 1 - search->current;
    bool mark = search->table && (search->level + 1) % 4 >= 2;
    enum pz_status status = PZ_BUSY;
    if (search->coded != NULL)
        return grouped_level(coded_levels(search->coded), tick_coded, search, states, search->error);
    while (status == PZ_BUSY) {
        const struct level_task task = {.target = target,
                                        .mark = mark,
                                        .width = search->width,
                                        .turn = search->turns,
                                        .tick = tick,
                                        .context = search};
        status = level_run(search->runner, &task, states);
        search->turns = level_turns(search->runner);
        if (status == PZ_BUSY || (status == PZ_CANCELLED && checkpointer_wanted(search->checkpointer)))
            save(search);
    }
    search->turns = 0;
    return status;
}

/* Where bits of the planes are wrong, waves of states run through each other and may never end. Only what was
 * loaded can be: a checkpoint whose seal is right and whose planes are not. */
static enum pz_status check_sum(const struct search *search, uint64_t states)
{
    uint64_t all = search->geometry.classes * search->geometry.places;
    if (search->result->states + search->width + states <= all)
        return PZ_OK;
    return pz_fail(
        search->error, PZ_STORAGE,
        "more states up to level %u than the puzzle has: the checkpoint that the search went on from "
        "was damaged",
        search->level + 1);
}

static enum pz_status explore(struct search *search)
{
    for (;;) {
        if (search->level == search->request->depth)
            return end_at_limit(search, STOP_DEPTH);
        uint64_t states = 0;
        enum pz_status status = make_level(search, &states);
        if (status == PZ_CANCELLED)
            return pz_fail(search->error, PZ_CANCELLED, "cancelled at level %u", search->level);
        if (status == PZ_LIMIT)
            return end_at_limit(search, STOP_TIME);
        if (status == PZ_MEMORY)
            return end_at_limit(search, STOP_MEMORY);
        if (status == PZ_STORAGE_FULL)
            return end_at_limit(search, STOP_DISK);
        if (status == PZ_OK)
            status = check_sum(search, states);
        if (status != PZ_OK)
            return status;
        status = tell_level(search, states == 0);
        if (status != PZ_OK || states == 0) {
            search->result->complete = status == PZ_OK;
            return status;
        }
        search->level++;
        search->current = 1 - search->current;
        search->width = states;
        report(search, "search", 0);
        if (search->coded == NULL && checkpointer_due(search->checkpointer, resume_bytes(search)))
            save(search);
    }
}

static enum pz_status store(struct search *search)
{
    if (!search->table || !search->result->complete || search->sink->chunk == NULL)
        return PZ_OK;
    double began = clock_seconds();
    planes_drop_search(search->planes);
    enum pz_status status = tell_chunks(search);
    search->result->store_seconds = clock_seconds() - began;
    return status;
}

static void note_disk(struct search *search)
{
    struct pieces_figures figures;
    coded_figures(search->coded, &figures);
    search->result->disk_bytes = figures.disk_peak;
    search->result->disk_written_bytes = figures.written;
    search->result->disk_read_bytes = figures.read;
}

enum pz_status dense_run(const struct explore_request *request, struct control *control,
                         const struct explore_sink *sink, struct explore_result *result,
                         struct pz_error *error)
{
    *result = (struct explore_result){.engine = explore_engine_name(ENGINE_DENSE)};
    struct search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    search->request = request;
    search->control = control;
    search->result = result;
    search->error = error;
    search->table = request->keep == KEEP_TABLE;
    double began = clock_seconds();
    enum pz_status status =
        checkpointer_of_run(request, result->engine, control, sink, &search->checkpointer, error);
    if (status != PZ_OK) {
        free(search);
        return status;
    }
    search->sink = checkpointer_sink(search->checkpointer);
    status = prepare(search);
    if (status == PZ_OK)
        status = tell_plan(search);
    if (status == PZ_OK) {
        status = begin(search);
        if (status == PZ_OK)
            status = explore(search);
        result->search_seconds = clock_seconds() - began + checkpointer_seconds(search->checkpointer);
    }
    if (status == PZ_OK)
        status = store(search);
    if (search->coded != NULL)
        note_disk(search);
    result->peak_bytes = atomic_load_explicit(&request->budget->peak, memory_order_relaxed);
    clean_up(search);
    checkpointer_free(search->checkpointer);
    free(search);
    return status;
}
