/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/whole.h"

#include "explore/dense/plane/planes_stream.h"
#include "explore/dense/table/table.h"

#include <stdlib.h>

struct whole {
    struct levels base;
    struct planes *planes;
    struct level_runner *runner;
    uint32_t turns; /* of the next level that are done */
};

static struct whole *of(struct levels *levels)
{
    return (struct whole *)levels;
}

static bool has_table(const struct explore_request *request)
{
    return request->keep == KEEP_TABLE;
}

/* ---- levels ---- */

static enum pz_status begin(struct levels *levels, struct pz_error *error)
{
    (void)error;
    planes_put(of(levels)->planes, 0, levels->options.geometry->root_place);
    levels->width = 1;
    return PZ_OK;
}

static enum pz_status next(struct levels *levels, level_tick *tick, void *context, struct pz_error *error)
{
    struct whole *whole = of(levels);
    const struct level_task task = {.target = levels_colour(levels, levels->level + 1),
                                    .mark = whole->planes->mark[0] != NULL && (levels->level + 1) % 4 >= 2,
                                    .width = levels->width,
                                    .turn = whole->turns,
                                    .tick = tick,
                                    .context = context};
    uint64_t states = 0;
    (void)error;
    enum pz_status status = level_run(whole->runner, &task, &states);
    whole->turns = status == PZ_OK ? 0 : level_turns(whole->runner);
    if (status == PZ_OK) {
        levels->level++;
        levels->width = states;
    }
    return status;
}

static enum pz_status choose(struct levels *levels, uint32_t level, struct examples *examples,
                             struct pz_error *error)
{
    (void)error;
    examples_choose(of(levels)->planes, levels_colour(levels, level), examples);
    return PZ_OK;
}

/* The search's planes have done their service when the first chunk is asked for. */
static enum pz_status chunk(struct levels *levels, uint64_t number, uint8_t *bytes, size_t *length,
                            struct pz_error *error)
{
    struct planes *planes = of(levels)->planes;
    struct dense_layout layout = dense_table_layout(levels->options.geometry);
    const uint8_t *const marks[2] = {planes->mark[0], planes->mark[1]};
    (void)error;
    if (number == 0)
        planes_drop_search(planes);
    *length = dense_table_encode(&layout, marks, number, bytes);
    return PZ_OK;
}

/* ---- checkpoints ---- */

/* The level that is being made may fill every block. */
static uint64_t save_bytes(const struct levels *levels, uint64_t states)
{
    const struct whole *whole = (const struct whole *)levels;
    return sizeof(struct levels_place) +
           planes_save_bytes(whole->planes, whole->turns > 0 ? UINT64_MAX : states);
}

static void save(struct levels *levels, struct checkpointer *checkpointer)
{
    const struct levels_place place = {.level = levels->level,
                                       .turns = of(levels)->turns,
                                       .colour = levels_colour(levels, levels->level),
                                       .width = levels->width};
    if (checkpointer_put(checkpointer, &place, sizeof place))
        planes_save(of(levels)->planes, checkpointer);
}

static bool load(struct levels *levels, struct checkpointer *checkpointer)
{
    struct whole *whole = of(levels);
    struct levels_place place;
    uint64_t states[2];
    if (!checkpointer_get(checkpointer, &place, sizeof place) ||
        !planes_load(whole->planes, checkpointer, states))
        return false;
    levels->level = place.level;
    levels->width = place.width;
    whole->turns = place.turns;
    return place.colour == levels_colour(levels, place.level) && states[place.colour] == place.width &&
           place.turns <= whole->planes->ranges && place.level == checkpointer_levels(checkpointer);
}

/* ---- life ---- */

static void figures(const struct levels *levels, struct levels_figures *out)
{
    *out = (struct levels_figures){.memory = levels->taken};
}

static void whole_free(struct levels *levels)
{
    level_runner_free(of(levels)->runner);
    planes_free(of(levels)->planes);
    levels_clear(levels);
    free(levels);
}

static const struct levels_ops whole_ops = {.begin = begin,
                                            .next = next,
                                            .choose = choose,
                                            .chunk = chunk,
                                            .save_bytes = save_bytes,
                                            .save = save,
                                            .load = load,
                                            .figures = figures,
                                            .free = whole_free};

static uint64_t whole_bytes(const struct dense_geometry *geometry, const struct explore_request *request)
{
    bool table = has_table(request);
    return planes_bytes(geometry, table) + level_runner_bytes(request->threads) +
           (table ? DENSE_CHUNK_BYTES : 0);
}

static enum pz_status make(struct whole *whole, const struct levels_options *options, struct pz_error *error)
{
    const struct explore_request *request = options->request;
    struct levels *base = &whole->base;
    /* A bounded search touches little of its planes, and a huge page a touch would be dear. */
    bool huge = request->depth == EXPLORE_NO_LIMIT;
    enum pz_status status = levels_init(base, options, whole_bytes(options->geometry, request), error);
    if (status == PZ_OK)
        status = planes_new(base->plan, has_table(request), huge, &whole->planes, error);
    const struct level_parts parts = {.plan = base->plan,
                                      .planes = whole->planes,
                                      .kernel = base->kernel,
                                      .team = base->team,
                                      .control = options->control};
    return status == PZ_OK ? level_runner_new(&parts, &whole->runner, error) : status;
}

static enum pz_status whole_open(const struct levels_options *options, struct levels **out,
                                 struct pz_error *error)
{
    struct whole *whole = calloc(1, sizeof *whole);
    if (whole == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    whole->base.ops = &whole_ops;
    enum pz_status status = make(whole, options, error);
    if (status != PZ_OK) {
        whole_free(&whole->base);
        return status;
    }
    *out = &whole->base;
    return PZ_OK;
}

static bool whole_fits(const struct dense_geometry *geometry)
{
    (void)geometry;
    return true;
}

const struct levels_kind whole_kind = {
    .keeps_tables = true, .fits = whole_fits, .bytes = whole_bytes, .open = whole_open};
