/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/whole.h"

#include "explore/dense/plane/planes_stream.h"
#include "explore/dense/table/dense_table.h"

#include <assert.h>
#include <stdlib.h>

struct whole {
    struct dense_levels base;
    struct planes *planes;
    struct level_runner *runner;
    uint32_t turns; /* of the next level that are done */
};

static struct whole *whole_of(struct explorer *explorer)
{
    return (struct whole *)explorer;
}

static bool has_table(const struct explore_request *request)
{
    return request->keep == KEEP_TABLE;
}

/* ---- levels ---- */

static enum pz_status whole_begin(struct explorer *explorer, struct pz_error *error)
{
    struct whole *whole = whole_of(explorer);
    (void)error;
    planes_put(whole->planes, 0, whole->base.geometry.root_place);
    explorer->width = 1;
    return PZ_OK;
}

static enum pz_status whole_next(struct explorer *explorer, level_tick *tick, void *context,
                                 struct pz_error *error)
{
    struct whole *whole = whole_of(explorer);
    const uint32_t level = explorer->level + 1;
    assert(whole->turns <= whole->planes->ranges * whole->base.plan->sweeps);
    const struct level_task task = {.target = levels_colour(&whole->base, level),
                                    .mark = whole->planes->mark[0] != NULL && level % 4 >= 2,
                                    .mark0 = whole->planes->mark0[0] != NULL && level % 2 == 1,
                                    .width = explorer->width,
                                    .turn = whole->turns,
                                    .tick = tick,
                                    .context = context};
    uint64_t states = 0;
    (void)error;
    enum pz_status status = level_run(whole->runner, &task, &states);
    whole->turns = status == PZ_OK ? 0 : level_turns(whole->runner);
    if (status == PZ_OK)
        levels_take(&whole->base, states);
    return status;
}

static enum pz_status choose_places(struct dense_levels *levels, uint32_t level, struct examples *examples,
                                    struct pz_error *error)
{
    (void)error;
    examples_choose(whole_of(&levels->base)->planes, levels_colour(levels, level),
                    level != levels->base.level, examples);
    return PZ_OK;
}

/* Frees the search's planes at the first chunk: they are not needed any more. */
static enum pz_status chunk(struct explorer *explorer, uint64_t number, uint8_t *bytes, size_t *length,
                            struct pz_error *error)
{
    struct planes *planes = whole_of(explorer)->planes;
    struct dense_layout layout = dense_table_layout(&whole_of(explorer)->base.geometry);
    const uint8_t *const marks[4] = {planes->mark[0], planes->mark[1], planes->mark0[0], planes->mark0[1]};
    assert(number < layout.chunks && marks[0] != NULL && marks[1] != NULL);
    (void)error;
    if (number == 0) {
        levels_give(&whole_of(explorer)->base, (planes->before[0] != NULL ? 4 : 2) * planes->plane_bytes);
        planes_drop_search(planes);
    }
    *length = dense_table_encode(&layout, marks, number, bytes);
    return PZ_OK;
}

/* ---- checkpoints ---- */

/* Assumes that the level being made fills every block. */
static uint64_t whole_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct whole *whole = (const struct whole *)explorer;
    return sizeof(struct levels_place) +
           planes_save_bytes(whole->planes, whole->turns > 0 ? UINT64_MAX : states);
}

static void whole_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct whole *whole = whole_of(explorer);
    const struct levels_place place = {.level = explorer->level,
                                       .turns = whole->turns,
                                       .colour = levels_colour(&whole->base, explorer->level),
                                       .width = explorer->width};
    if (checkpointer_put(checkpointer, &place, sizeof place))
        planes_save(whole->planes, checkpointer);
}

static bool whole_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct whole *whole = whole_of(explorer);
    struct levels_place place;
    uint64_t states[2];
    if (!checkpointer_get(checkpointer, &place, sizeof place) ||
        !planes_load(whole->planes, checkpointer, states))
        return false;
    explorer->level = place.level;
    explorer->width = place.width;
    whole->turns = place.turns;
    if (place.colour != levels_colour(&whole->base, place.level))
        return false;
    const bool multi =
        whole->base.geometry.multi; /* a level that is being made has some of its states there */
    const bool same =
        multi ? place.turns > 0 || states[0] + states[1] == place.width : states[place.colour] == place.width;
    return same && place.turns <= whole->planes->ranges * whole->base.plan->sweeps &&
           place.level == checkpointer_levels(checkpointer);
}

/* ---- life ---- */

static void whole_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    (void)explorer;
    out->planes = PLANES_MEMORY;
}

static void whole_free(struct explorer *explorer)
{
    struct whole *whole = whole_of(explorer);
    level_runner_free(whole->runner);
    planes_free(whole->planes);
    levels_clear(&whole->base);
    free(whole);
}

static const struct explorer_ops whole_ops = {.begin = whole_begin,
                                              .next = whole_next,
                                              .choose = levels_choose,
                                              .chunk = chunk,
                                              .save_bytes = whole_save_bytes,
                                              .save = whole_save,
                                              .load = whole_load,
                                              .figures = whole_figures,
                                              .free = whole_free};

static uint64_t whole_bytes(const struct dense_geometry *geometry, const struct explore_request *request)
{
    bool table = has_table(request);
    return planes_bytes(geometry, table) + level_runner_bytes(request->threads) +
           (table ? DENSE_CHUNK_BYTES : 0);
}

static enum pz_status whole_make(struct whole *whole, struct pz_error *error)
{
    struct dense_levels *base = &whole->base;
    const struct explore_request *request = base->options.request;
    /* A bounded search touches little of its planes; taking a huge page for each touch would waste
     * memory. */
    bool huge = request->depth == EXPLORE_NO_LIMIT;
    enum pz_status status = levels_init(base, whole_bytes(&base->geometry, request), error);
    if (status == PZ_OK)
        status = planes_new(base->plan, has_table(request), huge, &whole->planes, error);
    const struct level_parts parts = {.plan = base->plan,
                                      .planes = whole->planes,
                                      .kernel = base->kernel,
                                      .team = base->team,
                                      .control = base->options.control};
    return status == PZ_OK ? level_runner_new(&parts, &whole->runner, error) : status;
}

static enum pz_status whole_open(const struct levels_options *options, struct explorer **out,
                                 struct pz_error *error)
{
    struct whole *whole = calloc(1, sizeof *whole);
    if (whole == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    levels_describe(&whole->base, options);
    whole->base.base.ops = &whole_ops;
    whole->base.choose_places = choose_places;
    enum pz_status status = whole_make(whole, error);
    if (status != PZ_OK) {
        whole_free(&whole->base.base);
        return status;
    }
    *out = &whole->base.base;
    return PZ_OK;
}

static bool whole_fits(const struct dense_geometry *geometry)
{
    (void)geometry;
    return true;
}

const struct levels_kind whole_kind = {
    .keeps_tables = true, .fits = whole_fits, .bytes = whole_bytes, .open = whole_open};
