/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/dense_levels.h"

#include "explore/dense/table/dense_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* By metric=multi a level that is half made stands in the planes of the one before, which has no examples
 * then. */
static enum pz_status whole_choose_places(struct dense_levels *levels, uint32_t level,
                                          struct examples *examples, struct pz_error *error)
{
    const struct whole *whole = whole_of(&levels->base);
    (void)error;
    if (whole->turns == 0 || !levels->geometry.multi)
        examples_choose(whole->planes, levels_colour(levels, level), level != levels->base.level, examples);
    return PZ_OK;
}

/* Frees the search's planes at the first chunk: they are not needed any more. */
static enum pz_status plain_chunk(struct explorer *explorer, uint64_t number, uint8_t *bytes, size_t *length,
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
    const struct planes *planes = whole->planes;
    const uint64_t count = (planes->mark[0] != NULL ? 4u : 2u) << (planes->before[0] != NULL);
    const uint64_t filled = whole->turns == 0 && states < planes->blocks ? states : planes->blocks;
    return sizeof(struct levels_place) + count * (planes->blocks + filled * planes->block);
}

/* For each block a byte, 0 if it is empty; otherwise its classes follow. */
static bool save_block(const struct planes *planes, const uint8_t *from, bool filled,
                       struct checkpointer *checkpointer)
{
    const uint8_t flag = filled;
    return checkpointer_put(checkpointer, &flag, sizeof flag) &&
           (!filled || checkpointer_put(checkpointer, from, planes->block));
}

static bool save_plane(const struct planes *planes, unsigned colour, struct checkpointer *checkpointer)
{
    for (uint32_t block = 0; block < planes->blocks; block++) {
        uint64_t first = (uint64_t)block * planes->block;
        bool filled = planes->present[colour][block] != 0;
        if (!save_block(planes, planes->bytes[colour] + first, filled, checkpointer))
            return false;
        uint8_t *const others[] = {planes->before[colour], planes->mark[colour], planes->mark0[colour]};
        for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
            if (others[i] != NULL &&
                !save_block(planes, others[i] + first,
                            memcmp(others[i] + first, planes->zeros, planes->block) != 0, checkpointer))
                return false;
    }
    return true;
}

static void whole_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct whole *whole = whole_of(explorer);
    const struct levels_place place = {.level = explorer->level,
                                       .turns = whole->turns,
                                       .colour = levels_colour(&whole->base, explorer->level),
                                       .width = explorer->width};
    if (checkpointer_put(checkpointer, &place, sizeof place) && save_plane(whole->planes, 0, checkpointer))
        (void)save_plane(whole->planes, 1, checkpointer);
}

static bool load_block(const struct planes *planes, uint8_t *to, struct checkpointer *checkpointer)
{
    uint8_t filled = 0;
    return checkpointer_get(checkpointer, &filled, sizeof filled) &&
           (!filled || checkpointer_get(checkpointer, to, planes->block));
}

static bool load_plane(const struct planes *planes, unsigned colour, struct checkpointer *checkpointer)
{
    for (uint32_t block = 0; block < planes->blocks; block++) {
        uint64_t first = (uint64_t)block * planes->block;
        uint8_t *const all[] = {planes->bytes[colour], planes->before[colour], planes->mark[colour],
                                planes->mark0[colour]};
        for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
            if (all[i] != NULL && !load_block(planes, all[i] + first, checkpointer))
                return false;
    }
    return true;
}

/* Counts the bits of a block; *present becomes those that some class of it has. */
static uint32_t count_block(const uint8_t *bytes, uint32_t length, uint8_t *present)
{
    uint64_t all = 0;
    uint32_t count = 0;
    for (uint32_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, length - at < sizeof word ? length - at : sizeof word);
        all |= word;
        count += (uint32_t)__builtin_popcountll(word);
    }
    for (*present = 0; all != 0; all >>= 8)
        *present |= (uint8_t)all;
    return count;
}

/* Fills in the arrays that describe each block. Returns the number of states in the plane. */
static uint64_t survey(struct planes *planes, unsigned colour)
{
    uint64_t states = 0;
    for (uint32_t block = 0; block < planes->blocks; block++) {
        const uint64_t first = (uint64_t)block * planes->block;
        uint8_t before = 0;
        uint32_t count =
            count_block(planes->bytes[colour] + first, planes->block, &planes->present[colour][block]);
        planes->count[colour][block] = count;
        if (planes->before[colour] !=
            NULL) /* of both levels; blocks that are not turned yet will be counted */
            planes->older[colour][block] =
                count_block(planes->before[colour] + first, planes->block, &before) - count;
        planes->present[colour][block] |= before;
        if (planes->present[colour][block] != 0)
            planes->busy[colour][block / planes->range_blocks] = 1;
        states += count;
    }
    return states;
}

static bool whole_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct whole *whole = whole_of(explorer);
    struct levels_place place;
    if (!checkpointer_get(checkpointer, &place, sizeof place) ||
        !load_plane(whole->planes, 0, checkpointer) || !load_plane(whole->planes, 1, checkpointer))
        return false;
    const uint64_t states[2] = {survey(whole->planes, 0), survey(whole->planes, 1)};
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
                                              .chunk = plain_chunk,
                                              .save_bytes = whole_save_bytes,
                                              .save = whole_save,
                                              .load = whole_load,
                                              .figures = whole_figures,
                                              .free = whole_free};

uint64_t whole_bytes(const struct dense_geometry *geometry, const struct explore_request *request)
{
    const bool table = request->keep == KEEP_TABLE;
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
        status = planes_new(base->plan, request->keep == KEEP_TABLE, huge, &whole->planes, error);
    const struct level_parts parts = {.plan = base->plan,
                                      .planes = whole->planes,
                                      .kernel = base->kernel,
                                      .team = base->team,
                                      .control = base->options.control};
    return status == PZ_OK ? level_runner_new(&parts, &whole->runner, error) : status;
}

enum pz_status whole_open(const struct levels_options *options, struct explorer **out, struct pz_error *error)
{
    struct whole *whole = calloc(1, sizeof *whole);
    if (whole == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    levels_describe(&whole->base, options);
    whole->base.base.ops = &whole_ops;
    whole->base.choose_places = whole_choose_places;
    enum pz_status status = whole_make(whole, error);
    if (status != PZ_OK) {
        whole_free(&whole->base.base);
        return status;
    }
    *out = &whole->base.base;
    return PZ_OK;
}
